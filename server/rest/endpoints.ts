import type { Principal } from "../auth/key-ring";
import type { Ctx } from "../context";
import type { Tx } from "../db/client";
import type { IdempotentRequest } from "../db/idempotency";
import { AppError } from "../errors";
import type { PolicyName } from "../limits/policies";
import { checkBulk, checkCreate, create, createBulk, type Origin } from "../services/subscribers";
import { readJson } from "./body";
import { type Answer, success } from "./envelope";
import { idempotentRequest, once } from "./idempotency";
import { readBulk, readNewSubscriber } from "./read-subscriber";

/** One request whose key has been admitted. */
export type Call = { request: Request; url: URL; ctx: Ctx; principal: Principal };

export type Permission = "subscribers:read" | "subscribers:write";

/** What may be called: what a key needs for it, which rate limit counts it, and the sentence that answers it. */
export type Endpoint = {
  operation: string;
  permission: Permission;
  policy: PolicyName;
  answer(call: Call): Promise<Answer>;
};

/** A query parameter with a few allowed values. @throws AppError malformed_request naming them */
function choice<const T extends string>(url: URL, name: string, allowed: readonly [T, ...T[]]): T {
  const given = url.searchParams.getAll(name);
  if (given.length === 0) return allowed[0];
  const value = allowed.find((candidate) => candidate === given[0]);
  if (value === undefined || given.length > 1) {
    const message = `The query parameter ${name} must be ${allowed.join(" or ")}, once.`;
    throw new AppError("malformed_request", message, { errors: { [name]: [message] } });
  }
  return value;
}

const origin = ({ principal }: Call): Origin => ({
  newsletterId: principal.newsletterId,
  source: "api",
  sourceId: principal.id,
});

/** The body, and what the request's head asks for: whatever of it is 400, 413 or 415 answers before any rule. */
async function read({ request, url, principal }: Call) {
  const { bytes, value } = await readJson(request);
  const dryRun = choice(url, "dry_run", ["false", "true"]) === "true";
  return { value, dryRun, idempotent: idempotentRequest(request, url, principal.id, bytes) };
}

/** Answers at once, or once and for all where the request has an Idempotency-Key. */
function answerOnce({ ctx }: Call, idempotent: IdempotentRequest | null, work: (tx?: Tx) => Promise<Answer>) {
  return idempotent ? once(ctx, idempotent, work) : work();
}

const createOne: Endpoint = {
  operation: "createSubscriber",
  permission: "subscribers:write",
  policy: "single",
  async answer(call) {
    const { value, dryRun, idempotent } = await read(call);
    const input = readNewSubscriber(value);
    if (dryRun) {
      await checkCreate(call.ctx, origin(call), input);
      return success(200, { valid: true });
    }
    return answerOnce(call, idempotent, async (tx) =>
      success(201, await create(call.ctx, origin(call), input, tx)),
    );
  },
};

const createMany: Endpoint = {
  operation: "createSubscribers",
  permission: "subscribers:write",
  policy: "bulk",
  async answer(call) {
    const { value, dryRun, idempotent } = await read(call);
    const onDuplicate = choice(call.url, "on_duplicate", ["error", "skip"]);
    const { items, faults } = readBulk(value);
    // Only who asked for skipping is told of it: for others `skipped` would always be empty.
    const withSkips = <T extends object>(data: T, skipped: unknown[]) =>
      onDuplicate === "skip" ? { ...data, skipped } : data;
    if (dryRun) {
      const { skipped } = await checkBulk(call.ctx, origin(call), items, faults, { onDuplicate });
      return success(200, withSkips({ valid: true }, skipped));
    }
    return answerOnce(call, idempotent, async (tx) => {
      const { created, skipped } = await createBulk(
        call.ctx,
        origin(call),
        items,
        faults,
        { onDuplicate },
        tx,
      );
      return success(201, withSkips({ created }, skipped));
    });
  },
};

/** Every path of the API and what its verbs do. */
export const endpoints: Record<string, Record<string, Endpoint>> = {
  "/api/v1/subscribers": { POST: createOne },
  "/api/v1/subscribers/bulk": { POST: createMany },
};
