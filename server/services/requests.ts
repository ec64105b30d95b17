import { operations } from "../contract/operations";
import { answersThat, type LoggedOperation, loggedOperations } from "../contract/request-log";
import { pageOfRequests, rejectedMost } from "../db/api-requests";
import { AppError } from "../errors";
import type { Limiter } from "../limits/limiter";
import type { Lockout } from "../limits/policies";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";

const PAGE = 50;

export type RequestView = {
  keyId?: string;
  operation?: LoggedOperation;
  /** An outcome, a status or a code; see `answersThat`. */
  answer?: string;
  withinMinutes?: number;
};

/** What an operation is called by, as far as it still is one. */
function callOf(operation: string) {
  const known = Object.hasOwn(operations, operation) ? operations[operation as LoggedOperation] : null;
  return known && { method: known.method, path: known.path };
}

/** A page of a newsletter's request log, newest first. `after`: where the next begins, null at the end. */
export async function requestsOf(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  { keyId, operation, answer, withinMinutes }: RequestView,
  from: string | null,
) {
  const among =
    operation || answer
      ? {
          operations: operation ? [operation] : [...loggedOperations],
          answers: answer ? answersThat(answer) : ["succeeded", "rejected", "failed"].flatMap(answersThat),
        }
      : null;
  const filter = {
    newsletterId,
    ...(keyId && { apiKeyId: keyId }),
    ...(among && { among }),
    ...(withinMinutes && { withinMinutes }),
  };
  const rows = await pageOfRequests(ctx.db, filter, PAGE + 1, from);
  const requests = rows.slice(0, PAGE).map((row) => ({ ...row, call: callOf(row.operation) }));
  return { requests, after: rows.length > PAGE ? (requests.at(-1)?.id ?? null) : null };
}

type Known = {
  limiter: Limiter;
  rules: { errors: Lockout | null; auth: Lockout | null };
  subjectOf(address: string): string;
};

/**
 * The locks in force on a newsletter's keys, and on the addresses that its keys were last used from. Locks of other
 * addresses belong to nobody's newsletter, and are not shown.
 * `knownSince`: null, or since when the shared store is away, so that this is what this process alone knows.
 */
export async function lockoutsOf(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  { limiter, rules, subjectOf }: Known,
) {
  const keys = await ctx.db.apiKey.findMany({
    where: { newsletterId, revokedAt: null },
    select: { id: true, name: true, lastUsedFrom: true },
    orderBy: { id: "desc" },
    take: 200,
  });
  const from = new Map(
    keys.flatMap((key) => (key.lastUsedFrom ? [[subjectOf(key.lastUsedFrom), key] as const] : [])),
  );
  const locks = await limiter.locked([
    ...keys.map(({ id }) => ({ kind: "errors" as const, subject: id })),
    ...[...from.keys()].map((subject) => ({ kind: "auth" as const, subject })),
  ]);
  const { degraded, since } = limiter.state();
  const lockedKeys = locks.filter(({ kind }) => kind === "errors").map(({ subject }) => subject);
  const reasons =
    lockedKeys.length === 0 || !rules.errors
      ? []
      : await rejectedMost(
          ctx.db,
          newsletterId,
          lockedKeys,
          rules.errors.windowSeconds + rules.errors.lockSeconds,
        );
  return {
    awaySince: degraded ? (since ?? new Date()) : null,
    locks: locks.map(({ kind, subject, until }) => {
      const key = kind === "errors" ? keys.find(({ id }) => id === subject) : from.get(subject);
      const rule = rules[kind];
      return {
        kind,
        key: key ? { id: key.id, name: key.name } : null,
        address: kind === "auth" ? subject : null,
        secondsLeft: Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000)),
        limit: rule?.limit ?? null,
        windowSeconds: rule?.windowSeconds ?? null,
        mostly: reasons.find(({ apiKeyId }) => kind === "errors" && apiKeyId === subject) ?? null,
      };
    }),
  };
}

/**
 * Ends the lock on a key before its time.
 * @returns `everywhere: false` when the shared store is away, so that only this process could be told
 * @throws AppError not_found
 */
export async function liftLockout(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  keyId: string,
  limiter: Limiter,
): Promise<{ everywhere: boolean }> {
  const key = await ctx.db.apiKey.findFirst({ where: { id: keyId, newsletterId: newsletter.id } });
  if (!key) throw new AppError("not_found", "There is no such key any more, so there is nothing to lift.");
  // Before the lifting, which no transaction can take back: an act without its entry does not happen.
  await withTransaction(ctx, (tx) =>
    record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "api_key.lockout_lifted",
      subjectId: keyId,
      detail: { name: key.name },
    }),
  );
  await limiter.lift({ kind: "errors", subject: keyId });
  return { everywhere: !limiter.state().degraded };
}
