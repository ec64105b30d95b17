import { withTransaction } from "../accounts/context";
import { getAccountWithNewsletters } from "../accounts/newsletters";
import { hasNewsletter } from "../api-keys/api-key-cache";
import { listChanges as readChanges } from "../events/changes";
import { ChangesQuery, writeChangePosition } from "../events/schema/changes";
import { parse } from "../kernel/errors";
import { foreseeQueued, noteConfirmations } from "../mail/confirmation-states";
import { readJsonBytes } from "../platform/http/request-body";
import type { Quota } from "../platform/limits/counters";
import type { Ctx } from "../subscribers/context";
import * as creating from "../subscribers/create-subscribers";
import { eraseSubscriber } from "../subscribers/erase-subscriber";
import { includeMembers } from "../subscribers/include-members";
import { resendConfirmation } from "../subscribers/resend-confirmation";
import { ActivityQuery, writeActivityCursor } from "../subscribers/schema/activities";
import type { Include } from "../subscribers/schema/fields";
import { pageBounds, writeIdCursor } from "../subscribers/schema/list-query";
import { StatsQuery, statsSpan } from "../subscribers/schema/stats";
import { NewSubscriber, SubscriberPatch, type SubscriberRecord } from "../subscribers/schema/subscriber";
import { listSegmentRecords } from "../subscribers/segments";
import { getStats as readStats } from "../subscribers/stats";
import * as subscribers from "../subscribers/subscribers";
import { listActivities } from "../subscribers/timeline";
import { SuppressionsQuery } from "../suppressions/schema/suppressions";
import * as suppressions from "../suppressions/suppressions";
import { type Answer, confirmationMailHeader, relatedOptOutHeader, success } from "./envelope";
import { fieldEndpoints } from "./field-endpoints";
import { type Given, once, parseOnce, readOnce } from "./idempotency";
import { importEndpoints } from "./import-endpoints";
import { linkEndpoints } from "./link-endpoints";
import { answerSubscriberList } from "./list-subscribers";
import {
  type KeyContext,
  type RestContext,
  readBody,
  readBulk,
  readChange,
  readQuery,
  readSuppressions,
  readUpsert,
} from "./read-request";
import type { KeyPolicy } from "./schema/operation";
import { BulkQuery, CreateQuery, DeleteQuery, type Me, RecordQuery } from "./schema/operation-schemas";
import type { KeyOperation, OperationId } from "./schema/operations";
import { webhookEndpoints } from "./webhook-endpoints";

/** The operations that act in one newsletter. */
export type NewsletterOperation = Exclude<OperationId, KeyOperation | "getDocument">;

const origin = ({ of, principal }: RestContext): subscribers.Origin => ({
  newsletterId: of.newsletterId,
  source: "api",
  sourceId: principal.id,
});

async function answerRecord(
  ctx: Ctx,
  { of }: RestContext,
  { status, record, include }: { status: 200 | 201; record: SubscriberRecord; include: Include | undefined },
): Promise<Answer> {
  const [shown] = await includeMembers(ctx, { ...of, records: [record], include });
  return success(status, shown);
}

/** Runs `work`, and tells in the header of its answer what happens to the confirmation emails that it queues. */
async function confirmationsOf(
  { of }: RestContext,
  ctx: Ctx,
  { isBulk, work }: { isBulk: boolean; work(ctx: Ctx): Promise<Answer> },
): Promise<Answer> {
  const { outbox, queued } = noteConfirmations(ctx.outbox);
  const answer = await work({ ...ctx, outbox });
  const holds = await foreseeQueued(ctx, of.newsletterId, [...queued.values()]);
  return { ...answer, headers: { ...answer.headers, ...confirmationMailHeader(holds, isBulk) } };
}

/** `relatedOptOuts`: the number of added people whose mailbox has opted out under another spelling. */
type Written = { relatedOptOuts: number };

/**
 * Adds or changes subscribers and answers with `show`. With `dry_run`, rolls the changes back and answers with
 * `showCheck`.
 */
async function write<Result extends Written>(
  context: RestContext,
  { value, idempotent }: Given,
  steps: {
    dryRun: "true" | "false";
    /** The people to add. Without a pending one, no confirmation email is queued. */
    added: Pick<NewSubscriber, "status">[];
    perform(ctx: Ctx): Promise<Result>;
    show(ctx: Ctx, result: Result): Promise<Answer>;
    showCheck?(result: Result): Answer;
  },
): Promise<Answer> {
  const { dryRun, added, perform, show, showCheck = () => success(200, { valid: true }) } = steps;
  const withOptOuts = (answer: Answer, { relatedOptOuts }: Written): Answer => ({
    ...answer,
    headers: { ...answer.headers, ...relatedOptOutHeader(relatedOptOuts) },
  });
  if (dryRun === "true") {
    const result = await creating.dryRun(context.ctx, perform);
    return withOptOuts(showCheck(result), result);
  }
  const work = async (ctx: Ctx) => {
    const result = await perform(ctx);
    return withOptOuts(await show(ctx, result), result);
  };
  const asks = added.some(({ status }) => status === "pending");
  return once(context, idempotent, (ctx) => {
    if (!asks) return work(ctx);
    // After the commit, the answer would wait until this process has rendered the emails.
    const isBulk = Array.isArray(value);
    return withTransaction(ctx, (tx) => confirmationsOf(context, { ...ctx, tx }, { isBulk, work }));
  });
}

async function createSubscriber(context: RestContext): Promise<Answer> {
  const given = await readOnce(context);
  const { include, on_duplicate, dry_run: dryRun } = readQuery(CreateQuery, context.url);
  const input = parse(NewSubscriber, given.value);
  const patch = on_duplicate === "update" ? readChange(SubscriberPatch, given.value) : null;
  return write(context, given, {
    dryRun,
    added: [input],
    perform: (ctx) => creating.createSubscriber(ctx, { origin: origin(context), input, patch }),
    show: (ctx, { record, isNew }) =>
      answerRecord(ctx, context, { status: isNew ? 201 : 200, record, include }),
  });
}

async function createSubscribers(context: RestContext): Promise<Answer> {
  // Read before the turn, which a slow upload must not hold.
  const bytes = await readJsonBytes(context.request);
  return context.app.bulkCreates(() => createBulk(context, parseOnce(context, bytes)));
}

async function createBulk(context: RestContext, given: Given): Promise<Answer> {
  const { on_duplicate: onDuplicate, include, dry_run: dryRun } = readQuery(BulkQuery, context.url);
  const readItems = onDuplicate === "update" ? readUpsert : readBulk;
  const bulk = { ...readItems(given.value), onDuplicate };
  // By default every such item is an error, so `skipped` would always be empty.
  const withSkipped = ({ skipped }: creating.BulkResult) => (onDuplicate === "error" ? {} : { skipped });
  return write(context, given, {
    dryRun,
    added: bulk.items.map((item) => item.input),
    perform: (ctx) => creating.createSubscribers(ctx, { origin: origin(context), ...bulk }),
    async show(ctx, result) {
      const shown = (records: SubscriberRecord[]) => includeMembers(ctx, { ...context.of, records, include });
      return success(201, {
        created: await shown(result.created),
        ...(onDuplicate === "update" && { updated: await shown(result.updated) }),
        ...withSkipped(result),
      });
    },
    showCheck: (result) => success(200, { valid: true, ...withSkipped(result) }),
  });
}

async function listSegments({ ctx, of }: RestContext): Promise<Answer> {
  return success(200, await listSegmentRecords(ctx, of));
}

async function getStats({ ctx, url, of }: RestContext): Promise<Answer> {
  const span = statsSpan(readQuery(StatsQuery, url));
  return success(200, await readStats(ctx, { ...of, ...span }));
}

async function getSubscriber(context: RestContext): Promise<Answer> {
  const { ctx, url, of, id } = context;
  const { include } = readQuery(RecordQuery, url);
  const record = await subscribers.getSubscriber(ctx, { ...of, id });
  return answerRecord(ctx, context, { status: 200, record, include });
}

async function listActivity({ ctx, url, of, id }: RestContext): Promise<Answer> {
  const { limit = pageBounds.default, cursor = null } = readQuery(ActivityQuery, url);
  const { items: records, next } = await listActivities(ctx, { ...of, id, limit, after: cursor });
  return success(200, records, { pagination: { limit, next_cursor: next && writeActivityCursor(next) } });
}

async function listChanges({ app, ctx, request, url, principal }: RestContext): Promise<Answer> {
  const { after = null, limit = pageBounds.default, wait = 0, include } = readQuery(ChangesQuery, url);
  const { id: keyId, newsletterId } = principal;
  const read = () => readChanges(ctx, { newsletterId, after, limit, include });
  let page = await read();
  let waitedMs = 0;
  if (wait > 0 && after !== "now" && page.records.length === 0) {
    const begunAt = performance.now();
    const { signal } = request;
    await app.changeWaits.wait({ newsletterId, keyId, after: page.next, seconds: wait, signal });
    waitedMs = performance.now() - begunAt;
    if (!signal.aborted) page = await read();
  }
  const pagination = { limit, next: writeChangePosition(page.next) };
  return { ...success(200, page.records, { pagination }), waitedMs };
}

async function updateSubscriber(context: RestContext): Promise<Answer> {
  const { url, of, id } = context;
  const value = await readBody(context);
  const { include } = readQuery(RecordQuery, url);
  const patch = readChange(SubscriberPatch, value);
  return confirmationsOf(context, context.ctx, {
    isBulk: false,
    async work(ctx) {
      const record = await subscribers.updateSubscriber(ctx, { ...of, id, patch });
      return answerRecord(ctx, context, { status: 200, record, include });
    },
  });
}

async function deleteSubscriber(context: RestContext): Promise<Answer> {
  const { ctx, url, of, id } = context;
  const { include, erase } = readQuery(DeleteQuery, url);
  if (erase === "true") return success(200, await eraseSubscriber(ctx, { ...of, id, include }));
  const record = await subscribers.unsubscribe(ctx, { ...of, id });
  return answerRecord(ctx, context, { status: 200, record, include });
}

async function askSubscriber(context: RestContext): Promise<Answer> {
  const person = { ...context.of, id: context.id };
  return confirmationsOf(context, context.ctx, {
    isBulk: false,
    work: async (ctx) => success(200, await resendConfirmation(ctx, person)),
  });
}

async function listSuppressions({ ctx, url, of }: RestContext): Promise<Answer> {
  const { reason, email, limit = pageBounds.default, cursor = null } = readQuery(SuppressionsQuery, url);
  const filter = { newsletterId: of.newsletterId, reason, emailCanonical: email };
  const page = await suppressions.listSuppressions(ctx, { filter, limit, after: cursor });
  const pagination = { limit, total: page.total, next_cursor: page.next && writeIdCursor(page.next) };
  return success(200, page.items, { pagination });
}

async function createSuppressions(context: RestContext): Promise<Answer> {
  const { value, idempotent } = await readOnce(context);
  const items = readSuppressions(value);
  return once(context, idempotent, async (ctx) =>
    success(201, await suppressions.createSuppressions(ctx, { ...context.of, ...items })),
  );
}

async function deleteSuppression({ ctx, of, id }: RestContext): Promise<Answer> {
  return success(200, await suppressions.removeSuppression(ctx, { ...of, id }));
}

const windows = (quota: Quota) =>
  quota.windows.map(({ name, quota: allowed, windowSeconds, remaining, resetSeconds }) => ({
    name,
    quota: allowed,
    window_seconds: windowSeconds,
    remaining,
    reset_seconds: resetSeconds,
  }));

async function listNewsletters({ app, key }: KeyContext): Promise<Answer> {
  const { accountId, newsletterId } = key;
  const { newsletters } = await getAccountWithNewsletters(app, { accountId });
  const records = newsletters
    .filter(({ id, removeAt }) => !removeAt && (newsletterId === null || id === newsletterId))
    .map(({ id, name, archivedAt }) => ({ id, name, archived: archivedAt !== null }));
  return success(200, records);
}

async function getMe({ app, key }: KeyContext): Promise<Answer> {
  const { id, name, permissions, networks, expiresAt } = key;
  const left = async (policy: KeyPolicy) => windows(await app.limiter.peek(policy, id));
  const [read, write, bulk, stream] = await Promise.all([
    left("read"),
    left("write"),
    left("bulk"),
    left("stream"),
  ]);
  return success(200, {
    newsletter: hasNewsletter(key) ? { id: key.newsletterId, name: key.newsletterName } : null,
    key: {
      ...{ id, name, permissions: permissions as Me["key"]["permissions"], networks },
      expires_at: expiresAt && subscribers.formatTime(expiresAt),
    },
    rate_limits: { read, write, bulk, stream, single: write },
  } satisfies Me);
}

/** The endpoint of each operation that is about the key. */
export const keyEndpoints: Record<KeyOperation, (context: KeyContext) => Promise<Answer>> = {
  listNewsletters,
  getMe,
};

export const isAboutKey = (operationId: OperationId): operationId is KeyOperation =>
  Object.hasOwn(keyEndpoints, operationId);

/** The endpoint of each operation that acts in one newsletter. */
export const endpoints: Record<NewsletterOperation, (context: RestContext) => Promise<Answer>> = {
  createSubscriber,
  createSubscribers,
  listSubscribers: answerSubscriberList,
  getSubscriber,
  listActivity,
  listChanges,
  updateSubscriber,
  deleteSubscriber,
  askSubscriber,
  ...linkEndpoints,
  listSuppressions,
  createSuppressions,
  deleteSuppression,
  ...fieldEndpoints,
  listSegments,
  ...importEndpoints,
  ...webhookEndpoints,
  getStats,
};
