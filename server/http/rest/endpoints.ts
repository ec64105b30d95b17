import type { z } from "zod";
import type { AppContext } from "../../app";
import type { Principal } from "../../auth/api-key-cache";
import { ListQuery, lastPage, pageBounds, writeCursor } from "../../contract/list-query";
import { BulkQuery, CreateQuery, type Me, type OperationId } from "../../contract/operations";
import type { Tx } from "../../db/client";
import type { IdempotentRequest } from "../../db/idempotency";
import type { Quota } from "../../limits/quota";
import type { Ctx } from "../../services/context";
import { unsubscribe, update } from "../../services/subscriber-changes";
import { get, list } from "../../services/subscriber-lists";
import {
  checkBulk,
  checkCreate,
  create,
  createBulk,
  formatTime,
  type Origin,
} from "../../services/subscribers";
import { readJson } from "./body";
import { type Answer, success } from "./envelope";
import { idempotentRequest, once } from "./idempotency";
import { readQuery } from "./query";
import { readBulk, readNewSubscriber, readPatch } from "./read-subscriber";

/** One request whose key has been admitted. `id` is the path's, where it has one. */
export type Call = {
  app: AppContext;
  request: Request;
  url: URL;
  id: string;
  ctx: Ctx;
  principal: Principal;
};

/** Those that a key is needed for: all but the document itself. */
export type KeyedOperation = Exclude<OperationId, "getDocument">;

const origin = ({ principal }: Call): Origin => ({
  newsletterId: principal.newsletterId,
  source: "api",
  sourceId: principal.id,
});

/** The body, and what the request's head asks for: whatever of it is 400, 413 or 415 answers before any rule. */
async function read<T extends z.ZodObject>({ request, url, principal }: Call, querySchema: T) {
  const { bytes, value } = await readJson(request);
  const query = readQuery(querySchema, url);
  return { value, query, idempotent: idempotentRequest(request, url, principal.id, bytes) };
}

/** Answers at once, or once and for all where the request has an Idempotency-Key. */
function answerOnce({ ctx }: Call, idempotent: IdempotentRequest | null, work: (tx?: Tx) => Promise<Answer>) {
  return idempotent ? once(ctx, idempotent, work) : work();
}

async function createSubscriber(call: Call): Promise<Answer> {
  const { value, query, idempotent } = await read(call, CreateQuery);
  const input = readNewSubscriber(value);
  if (query.dry_run === "true") {
    await checkCreate(call.ctx, origin(call), input);
    return success(200, { valid: true });
  }
  return answerOnce(call, idempotent, async (tx) =>
    success(201, await create(call.ctx, origin(call), input, tx)),
  );
}

async function createSubscribers(call: Call): Promise<Answer> {
  const { value, query, idempotent } = await read(call, BulkQuery);
  const options = { onDuplicate: query.on_duplicate };
  const { items, faults } = readBulk(value);
  // Only who asked for skipping is told of it: for others `skipped` would always be empty.
  const answer = <T extends object>(status: 200 | 201, data: T, skipped: unknown[]) =>
    success(status, options.onDuplicate === "skip" ? { ...data, skipped } : data);
  if (query.dry_run === "true") {
    const { skipped } = await checkBulk(call.ctx, origin(call), items, faults, options);
    return answer(200, { valid: true }, skipped);
  }
  return answerOnce(call, idempotent, async (tx) => {
    const { created, skipped } = await createBulk(call.ctx, origin(call), items, faults, options, tx);
    return answer(201, { created }, skipped);
  });
}

async function listSubscribers({ ctx, url, principal }: Call): Promise<Answer> {
  const { status, email, limit = pageBounds.default, cursor, page } = readQuery(ListQuery, url);
  const filter = { newsletterId: principal.newsletterId, status, emailCanonical: email };
  const position = cursor !== undefined ? { after: cursor } : page !== undefined ? { page } : null;
  const { records, total, nextAfter } = await list(ctx, filter, limit, position);
  const pagination = { limit, total, next_cursor: nextAfter && writeCursor(nextAfter) };
  const numbered = page === undefined ? {} : { page, pages: Math.min(Math.ceil(total / limit), lastPage) };
  return success(200, records, { pagination: { ...pagination, ...numbered } });
}

async function getSubscriber({ ctx, principal, id }: Call): Promise<Answer> {
  return success(200, await get(ctx, principal.newsletterId, id));
}

async function updateSubscriber({ ctx, request, principal, id }: Call): Promise<Answer> {
  const { value } = await readJson(request);
  return success(200, await update(ctx, principal.newsletterId, id, readPatch(value)));
}

async function deleteSubscriber({ ctx, principal, id }: Call): Promise<Answer> {
  return success(200, await unsubscribe(ctx, principal.newsletterId, id));
}

const windows = (quota: Quota) =>
  quota.windows.map(({ name, quota: allowed, windowSeconds, remaining, resetSeconds }) => ({
    name,
    quota: allowed,
    window_seconds: windowSeconds,
    remaining,
    reset_seconds: resetSeconds,
  }));

async function getMe({ app, principal }: Call): Promise<Answer> {
  const [single, bulk] = await Promise.all([
    app.limiter.peek("single", principal.id),
    app.limiter.peek("bulk", principal.id),
  ]);
  return success(200, {
    newsletter: { id: principal.newsletterId, name: principal.newsletterName },
    key: {
      id: principal.id,
      name: principal.name,
      permissions: principal.permissions as Me["key"]["permissions"],
      expires_at: principal.expiresAt && formatTime(principal.expiresAt),
    },
    rate_limits: { single: windows(single), bulk: windows(bulk) },
  } satisfies Me);
}

/** The sentence behind each operation of the contract that takes a key. */
export const answers: Record<KeyedOperation, (call: Call) => Promise<Answer>> = {
  createSubscriber,
  createSubscribers,
  listSubscribers,
  getSubscriber,
  updateSubscriber,
  deleteSubscriber,
  getMe,
};
