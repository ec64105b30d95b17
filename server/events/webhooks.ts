import { randomBytes } from "node:crypto";
import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { lockNewsletter } from "../accounts/shared-queries";
import { pageOf } from "../kernel/cursor";
import type { Secrets } from "../kernel/derived-keys";
import { AppError, invalidField, noLongerExists } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { parse } from "../kernel/parse";
import { seal } from "../kernel/sealed";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { readLog } from "./changes";
import {
  countMessagesWaiting,
  deleteEndpoint,
  findEndpoint,
  findFirstWaiting,
  findMessage,
  insertEndpoint,
  listEndpointRows,
  pageOfMessages,
  repeatMessages,
  type StoredEndpoint,
  skipMessage,
  updateEndpoint,
} from "./queries/webhook-endpoints";
import {
  maxWebhookEndpoints,
  WebhookEndpointInput,
  type WebhookEvent,
  type WebhookOffReason,
  type WebhookState,
  webhookOverlapHours,
  webhookPageSize,
} from "./schema/webhooks";
import { messageId, sealedFor, sendTestMessage, sentenceOf } from "./webhook-delivery";
import { type Guard, urlProblem } from "./webhook-request";

export type WebhookCtx = ActorContext & Pick<Ctx, "jobs"> & { authSecrets: Secrets; webhookGuard: Guard };
type OfEndpoint = OfNewsletter & { id: string };

async function getEndpoint(db: Tx | Ctx["db"], { id, newsletterId }: OfEndpoint): Promise<StoredEndpoint> {
  const found = await findEndpoint(db, { id, newsletterId });
  if (!found) throw noLongerExists("webhook");
  return found;
}

/** A secret in the form of Standard Webhooks: whsec_ and 32 random bytes in base64. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The position after the end of the log. */
async function presentPlace(ctx: Pick<Ctx, "db">, newsletterId: string) {
  const { next } = await readLog(ctx, { newsletterId, after: "now", limit: 1 });
  return { epoch: next.epoch, xid: BigInt(next.xid), subscriberId: next.id };
}

/** A newsletter's endpoints, oldest first. */
export async function listEndpoints({ db }: Pick<Ctx, "db">, { newsletterId }: { newsletterId: string }) {
  const [rows, waiting] = await Promise.all([
    listEndpointRows(db, newsletterId),
    countMessagesWaiting(db, newsletterId),
  ]);
  return rows.map((row) => ({
    ...row,
    events: row.events as WebhookEvent[],
    offReason: row.offReason as WebhookOffReason | null,
    /** Messages that are numbered and not delivered; 1,000 means at least 1,000. */
    waiting: waiting.get(row.id) ?? 0,
  }));
}

type Act = OfEndpoint & { action: AuditAction; url: string; messages?: number };

/** Writes an audit entry and starts the deliveries. The entry has only the URL's host: the path may be a secret. */
async function finish(
  ctx: WebhookCtx,
  tx: Tx,
  { accountId, newsletterId, action, ...act }: Act,
): Promise<void> {
  const detail = { name: new URL(act.url).host, ...(act.messages && { messages: act.messages }) };
  await record(ctx, tx, { accountId, newsletterId, action, subjectId: act.id, detail });
  await ctx.jobs.add(tx, "webhooks", [{ data: null }]);
}

function validated(guard: Guard, endpoint: WebhookEndpointInput): WebhookEndpointInput {
  const given = parse(WebhookEndpointInput, endpoint);
  const problem = urlProblem(guard, given.url);
  if (problem) throw invalidField("url", problem);
  return { ...given, url: new URL(given.url).href, events: [...new Set(given.events)] };
}

/**
 * Creates an endpoint for events from now on.
 * @returns its secret, which is shown only once
 * @throws AppError validation_error
 */
export async function createEndpoint(
  ctx: WebhookCtx,
  of: OfNewsletter & { endpoint: WebhookEndpointInput },
): Promise<{ id: string; secret: string }> {
  const { newsletterId } = of;
  const { url, description, events } = validated(ctx.webhookGuard, of.endpoint);
  const id = newId();
  const secret = newSecret();
  const place = await presentPlace(ctx, newsletterId);
  return withTransaction(ctx, async (tx) => {
    await lockNewsletter(tx, newsletterId);
    if ((await listEndpointRows(tx, newsletterId)).length >= maxWebhookEndpoints)
      throw invalidField(
        "url",
        `A newsletter has at most ${maxWebhookEndpoints} webhooks. Remove one first.`,
      );
    const sealed = seal(ctx.authSecrets, sealedFor, secret);
    await insertEndpoint(tx, { id, newsletterId, url, description, events, secret: sealed, ...place });
    await finish(ctx, tx, { ...of, action: "webhook.created", id, url });
    return { id, secret };
  });
}

const working = { attempts: 0, nextTryAt: null, failingSince: null, failure: null };

/**
 * Changes an endpoint. Queued messages go to the new address. The new selection of events applies to log entries that
 * are not read yet.
 * @throws AppError not_found, validation_error, also on `version` after a concurrent edit
 */
export function saveEndpoint(
  ctx: WebhookCtx,
  of: OfEndpoint & { version: number; endpoint: WebhookEndpointInput },
): Promise<void> {
  const { id, version } = of;
  const { url, description, events } = validated(ctx.webhookGuard, of.endpoint);
  return withTransaction(ctx, async (tx) => {
    const before = await getEndpoint(tx, of);
    const changes = { url, description, events, version: version + 1, ...(before.url !== url && working) };
    if (!(await updateEndpoint(tx, { id, version }, changes)))
      throw invalidField(
        "version",
        "This webhook was changed since you opened it. Your changes were not saved. Close it and open it again.",
      );
    await finish(ctx, tx, { ...of, action: "webhook.changed", url });
  });
}

/**
 * Switches an endpoint on or off. When switched on, it continues at its old place. If the log no longer has that place,
 * it continues with the present.
 * @returns missed: whether some events will never be delivered
 * @throws AppError not_found
 */
export async function switchEndpoint(
  ctx: WebhookCtx,
  of: OfEndpoint & { on: boolean },
): Promise<{ missed: boolean }> {
  const { id, on } = of;
  const { newsletterId, url, epoch, xid, subscriberId } = await getEndpoint(ctx.db, of);
  const after = { epoch, xid: String(xid), id: subscriberId };
  const missed = on && (await readLog(ctx, { newsletterId, after, limit: 1 })).problem !== null;
  const place = missed ? await presentPlace(ctx, newsletterId) : {};
  const offReason: WebhookOffReason | null = on ? null : "staff";
  return withTransaction(ctx, async (tx) => {
    const changes = { offReason, ...(on && working), ...place };
    if (!(await updateEndpoint(tx, { id }, changes))) throw noLongerExists("webhook");
    await finish(ctx, tx, { ...of, action: on ? "webhook.on" : "webhook.off", url });
    return { missed };
  });
}

/** Rotates an endpoint's secret. The old secret also signs for a day. @throws AppError not_found */
export function rotateSecret(ctx: WebhookCtx, of: OfEndpoint): Promise<{ secret: string }> {
  const secret = newSecret();
  return withTransaction(ctx, async (tx) => {
    const { id, url, secret: oldSecret } = await getEndpoint(tx, of);
    const oldSecretUntil = new Date(Date.now() + webhookOverlapHours * 3_600_000);
    const sealed = seal(ctx.authSecrets, sealedFor, secret);
    await updateEndpoint(tx, { id }, { secret: sealed, oldSecret, oldSecretUntil });
    await finish(ctx, tx, { ...of, action: "webhook.rotated", url });
    return { secret };
  });
}

/** Removes an endpoint with its log. @throws AppError not_found */
export function removeEndpoint(ctx: WebhookCtx, of: OfEndpoint): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { id, url } = await getEndpoint(tx, of);
    await deleteEndpoint(tx, id);
    await finish(ctx, tx, { ...of, action: "webhook.removed", url });
  });
}

/**
 * Sends a test at once, outside the queue, whether the endpoint is on or off. Tests are not logged.
 * @throws AppError not_found
 */
export async function testEndpoint(ctx: WebhookCtx, of: OfEndpoint) {
  const outcome = await sendTestMessage(ctx, await getEndpoint(ctx.db, of));
  const answered = sentenceOf(outcome);
  const says = outcome.delivered ? `The test was delivered: ${answered}` : `The test failed. ${answered}`;
  return { delivered: outcome.delivered, says };
}

type MessagePage = OfEndpoint & { cursor?: number | null | undefined; state: WebhookState | null };

/** A page of an endpoint's log, newest first. A removed endpoint has no messages: an open page may still ask for them. */
export async function listMessages(
  { db }: Pick<Ctx, "db">,
  { cursor, state, id, newsletterId }: MessagePage,
) {
  const endpoint = await findEndpoint(db, { id, newsletterId });
  const page = { endpointId: id, before: cursor ?? null, state, limit: webhookPageSize + 1 };
  const rows = endpoint ? await pageOfMessages(db, page) : [];
  return pageOf(rows.map(presentMessage), webhookPageSize, ({ number }) => number);
}

type MessageRow = Pick<Awaited<ReturnType<typeof pageOfMessages>>[number], "id" | "type" | "state">;

/** `number` counts from 1 for each endpoint, without gaps, in the order of delivery. `id` is the `webhook-id` header. */
const presentMessage = <Row extends MessageRow>(row: Row) => ({
  ...row,
  id: messageId(row.id),
  type: row.type as WebhookEvent,
  state: row.state as WebhookState,
});

/** One message with its body. @throws AppError not_found */
export async function getMessage(
  { db }: Pick<Ctx, "db">,
  { number, ...of }: OfEndpoint & { number: number },
) {
  const { id } = await getEndpoint(db, of);
  const found = await findMessage(db, id, number);
  if (!found) throw new AppError("not_found", "This message is no longer stored.");
  return presentMessage(found);
}

/** Sends messages again, in order, with their old ids and numbers. @throws AppError not_found */
export function repeat(
  ctx: WebhookCtx,
  { from, to, ...of }: OfEndpoint & { from: number; to: number },
): Promise<{ count: number }> {
  return withTransaction(ctx, async (tx) => {
    const { id, url } = await getEndpoint(tx, of);
    const count = await repeatMessages(tx, id, { from, to });
    if (count > 0) await finish(ctx, tx, { ...of, action: "webhook.repeated", url, messages: count });
    return { count };
  });
}

/**
 * Removes the first message from the queue, so that the next ones are sent.
 * @throws AppError not_found, validation_error
 */
export function skip(ctx: WebhookCtx, { number, ...of }: OfEndpoint & { number: number }): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { id, url } = await getEndpoint(tx, of);
    const isFirst = (await findFirstWaiting(tx, id))?.number === number;
    if (!isFirst || !(await skipMessage(tx, id, number)))
      throw new AppError(
        "validation_error",
        "This message is no longer the first in the queue. Nothing was changed.",
      );
    await updateEndpoint(tx, { id }, { attempts: 0, nextTryAt: null });
    await finish(ctx, tx, { ...of, action: "webhook.skipped", url, messages: 1 });
  });
}
