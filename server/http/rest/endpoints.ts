import { z } from "zod";
import { ActivityQuery, writeActivityCursor } from "../../contract/activities";
import { ListQuery, lastPage, pageBounds, writeCursor } from "../../contract/list-query";
import { BulkQuery, CreateQuery, type Me, type OperationId } from "../../contract/operations";
import { SuppressionsQuery } from "../../contract/suppressions";
import type { Quota } from "../../limits/quota";
import type { Ctx } from "../../services/context";
import * as creating from "../../services/create-subscribers";
import { type IdempotentRequest, idempotentRequest, once } from "../../services/idempotency";
import * as subscribers from "../../services/subscribers";
import * as suppressions from "../../services/suppressions";
import { listActivities } from "../../services/timeline";
import { type Answer, failure, replayed, success } from "./envelope";
import { readQuery } from "./query";
import { readBulk, readNewSubscriber, readPatch, readSuppressions } from "./read-subscriber";
import { newsletterOf, type RestContext, readBody } from "./rest-context";

/** The operations that need a key: all but the document itself. */
export type KeyedOperation = Exclude<OperationId, "getDocument">;

const origin = ({ principal }: RestContext): subscribers.Origin => ({
  newsletterId: principal.newsletterId,
  source: "api",
  sourceId: principal.id,
});

const NoQuery = z.object({});

/** The body, and what the request's head asks for: what is 400, 413 or 415 of it is answered before any rule. */
async function read<T extends z.ZodObject>(context: RestContext, querySchema: T) {
  const { request, url, principal } = context;
  const { bytes, value } = await readBody(context);
  const query = readQuery(querySchema, url);
  return { value, query, idempotent: idempotentRequest(request, url, principal.id, bytes) };
}

/** Answers at once, or once for all repeats where the request has an Idempotency-Key. */
function answerOnce(
  { ctx }: RestContext,
  idempotent: IdempotentRequest | null,
  work: (ctx: Ctx) => Promise<Answer>,
): Promise<Answer> {
  return idempotent
    ? once(ctx, idempotent, (tx) => work({ ...ctx, tx }), { replayed, failed: failure })
    : work(ctx);
}

async function createSubscriber(context: RestContext): Promise<Answer> {
  const { value, query, idempotent } = await read(context, CreateQuery);
  const input = readNewSubscriber(value);
  if (query.dry_run === "true") {
    await creating.checkSubscriber(context.ctx, origin(context), input);
    return success(200, { valid: true });
  }
  return answerOnce(context, idempotent, async (ctx) =>
    success(201, await creating.createSubscriber(ctx, origin(context), input)),
  );
}

async function createSubscribers(context: RestContext): Promise<Answer> {
  const { value, query, idempotent } = await read(context, BulkQuery);
  const bulk = { ...readBulk(value), onDuplicate: query.on_duplicate };
  // Only with on_duplicate=skip: without it `skipped` would always be empty.
  const answer = <T extends object>(status: 200 | 201, data: T, skipped: unknown[]) =>
    success(status, bulk.onDuplicate === "skip" ? { ...data, skipped } : data);
  if (query.dry_run === "true") {
    const { skipped } = await creating.checkSubscribers(context.ctx, origin(context), bulk);
    return answer(200, { valid: true }, skipped);
  }
  return answerOnce(context, idempotent, async (ctx) => {
    const { created, skipped } = await creating.createSubscribers(ctx, origin(context), bulk);
    return answer(201, { created }, skipped);
  });
}

async function listSubscribers({ ctx, url, principal }: RestContext): Promise<Answer> {
  const { status, email, limit = pageBounds.default, cursor, page } = readQuery(ListQuery, url);
  const filter = { newsletterId: principal.newsletterId, status, emailCanonical: email };
  const position = cursor !== undefined ? { after: cursor } : page !== undefined ? { page } : null;
  const { records, total, nextAfter } = await subscribers.listSubscribers(ctx, filter, { limit, position });
  const pagination = { limit, total, next_cursor: nextAfter && writeCursor(nextAfter) };
  const numbered = page === undefined ? {} : { page, pages: Math.min(Math.ceil(total / limit), lastPage) };
  return success(200, records, { pagination: { ...pagination, ...numbered } });
}

async function getSubscriber({ ctx, principal, id }: RestContext): Promise<Answer> {
  return success(200, await subscribers.getSubscriber(ctx, principal.newsletterId, id));
}

async function listActivity({ ctx, url, principal, id }: RestContext): Promise<Answer> {
  const { limit = pageBounds.default, cursor } = readQuery(ActivityQuery, url);
  const person = { newsletterId: principal.newsletterId, id };
  const { records, next } = await listActivities(ctx, person, { limit, after: cursor ?? null });
  return success(200, records, { pagination: { limit, next_cursor: next && writeActivityCursor(next) } });
}

async function updateSubscriber(context: RestContext): Promise<Answer> {
  const { ctx, principal, id } = context;
  const { value } = await readBody(context);
  const patch = readPatch(value);
  return success(200, await subscribers.updateSubscriber(ctx, principal.newsletterId, { id, patch }));
}

async function deleteSubscriber({ ctx, principal, id }: RestContext): Promise<Answer> {
  return success(200, await subscribers.unsubscribe(ctx, principal.newsletterId, id));
}

async function listSuppressions({ ctx, url, principal }: RestContext): Promise<Answer> {
  const { reason, email, limit = pageBounds.default, cursor = null } = readQuery(SuppressionsQuery, url);
  const filter = { newsletterId: principal.newsletterId, reason, emailCanonical: email };
  const page = await suppressions.listSuppressions(ctx, filter, { limit, after: cursor });
  const pagination = { limit, total: page.total, next_cursor: page.nextAfter && writeCursor(page.nextAfter) };
  return success(200, page.records, { pagination });
}

async function createSuppressions(context: RestContext): Promise<Answer> {
  const { value, idempotent } = await read(context, NoQuery);
  const items = readSuppressions(value);
  return answerOnce(context, idempotent, async (ctx) =>
    success(201, await suppressions.createSuppressions(ctx, newsletterOf(context), items)),
  );
}

async function deleteSuppression(context: RestContext): Promise<Answer> {
  const { ctx, id } = context;
  return success(200, await suppressions.removeSuppression(ctx, newsletterOf(context), { id }));
}

const windows = (quota: Quota) =>
  quota.windows.map(({ name, quota: allowed, windowSeconds, remaining, resetSeconds }) => ({
    name,
    quota: allowed,
    window_seconds: windowSeconds,
    remaining,
    reset_seconds: resetSeconds,
  }));

async function getMe({ app, principal }: RestContext): Promise<Answer> {
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
      expires_at: principal.expiresAt && subscribers.formatTime(principal.expiresAt),
    },
    rate_limits: { single: windows(single), bulk: windows(bulk) },
  } satisfies Me);
}

/** What answers each operation of the contract that takes a key. */
export const endpoints: Record<KeyedOperation, (context: RestContext) => Promise<Answer>> = {
  createSubscriber,
  createSubscribers,
  listSubscribers,
  getSubscriber,
  listActivity,
  updateSubscriber,
  deleteSubscriber,
  listSuppressions,
  createSuppressions,
  deleteSuppression,
  getMe,
};
