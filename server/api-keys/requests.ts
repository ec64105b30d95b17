import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { pageOf } from "../kernel/cursor";
import { AppError } from "../kernel/errors";
import type { Limiter } from "../platform/limits/limiter";
import { lockoutSubject } from "../platform/limits/lockout-subject";
import type { Lockout, LockoutName } from "../platform/limits/policies";
import { operations } from "../rest/schema/operations";
import { findApiKey, listApiKeys } from "./queries/api-keys";
import { listApiRequests } from "./queries/api-requests";
import { answersMatching, type LoggedOperation, loggedOperations, outcomes } from "./schema/request-log";

const PAGE_SIZE = 50;

export type RequestView = {
  keyId?: string;
  operation?: LoggedOperation;
  /** An outcome, a status or a code; see `answersMatching`. */
  answer?: string;
  withinMinutes?: number;
};

type ListInput = { newsletterId: string; view: RequestView; cursor?: string | null | undefined };

/** Returns a page of a newsletter's request log, newest first. */
export async function listRequests(
  { db }: Pick<ActorContext, "db">,
  { newsletterId, view, cursor }: ListInput,
) {
  const { keyId, operation, answer, withinMinutes } = view;
  const filter = {
    newsletterId,
    ...(keyId && { apiKeyId: keyId }),
    ...((operation || answer) && {
      among: {
        operations: operation ? [operation] : loggedOperations,
        answers: answer ? answersMatching(answer) : outcomes.flatMap(answersMatching),
      },
    }),
    ...(withinMinutes && { withinMinutes }),
  };
  const rows = await listApiRequests(db, filter, PAGE_SIZE + 1, cursor ?? null);
  const { items, next } = pageOf(rows, PAGE_SIZE, ({ id }) => id);
  return { items: items.map((row) => ({ ...row, call: callOf(row.operation) })), next };
}

/** Returns an operation's method and path; null for an operation that no longer exists. */
function callOf(operation: string) {
  if (!Object.hasOwn(operations, operation)) return null;
  const { method, path } = operations[operation as LoggedOperation];
  return { method, path };
}

type LockoutContext = Pick<ActorContext, "db"> & {
  limiter: Limiter;
  lockouts: Record<LockoutName, Lockout | null>;
};

/**
 * Lists the active locks on a newsletter's keys, and on the addresses that last used its keys. Locks on other addresses
 * belong to no newsletter and are not shown. While the shared store is unreachable, only this process's own locks are
 * known.
 */
export async function listLockouts(
  { db, limiter, lockouts }: LockoutContext,
  { newsletterId }: { newsletterId: string },
) {
  const keys = (await listApiKeys(db, newsletterId)).filter(({ revokedAt }) => revokedAt === null);
  const keyById = new Map(keys.map((key) => [key.id, key]));
  const keyByAddress = new Map(
    keys.flatMap((key) => (key.lastUsedFrom ? [[lockoutSubject(key.lastUsedFrom), key] as const] : [])),
  );
  const locks = await limiter.locked([
    ...[...keyById.keys()].map((subject) => ({ kind: "errors" as const, subject })),
    ...[...keyByAddress.keys()].map((subject) => ({ kind: "auth" as const, subject })),
  ]);
  return locks.map(({ kind, subject, until }) => {
    const key = (kind === "errors" ? keyById : keyByAddress).get(subject);
    return {
      kind,
      key: key ? { id: key.id, name: key.name } : null,
      address: kind === "auth" ? subject : null,
      secondsLeft: Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000)),
      limit: lockouts[kind]?.limit ?? null,
      windowSeconds: lockouts[kind]?.windowSeconds ?? null,
    };
  });
}

/** Ends a key's lock early. @throws AppError not_found */
export async function liftLockout(
  ctx: ActorContext & { limiter: Limiter },
  { newsletterId, keyId }: { newsletterId: string; keyId: string },
): Promise<void> {
  const key = await findApiKey(ctx.db, { id: keyId, newsletterId });
  if (!key) throw new AppError("not_found", "This key no longer exists, so there is no lockout to lift.");
  const { accountId } = key.newsletter;
  // Recorded first, because no transaction can undo the removal of the lock.
  await withTransaction(ctx, (tx) =>
    record(ctx, tx, {
      accountId,
      newsletterId,
      action: "api_key.lockout_lifted",
      subjectId: keyId,
      detail: { name: key.name },
    }),
  );
  await ctx.limiter.lift({ kind: "errors", subject: keyId });
}
