import { randomBytes } from "node:crypto";
import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { lockNewsletter } from "../accounts/shared-queries";
import { invalidField, noLongerExists, parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { type Secrets, seal } from "../kernel/secrets";
import { HOUR_MS } from "../kernel/time";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { findFeedPlace } from "./changes";
import {
  countMessagesWaiting,
  deleteEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpointRows,
  lockEndpoint,
  placeColumns,
  placeOf,
  type StoredEndpoint,
  updateEndpoint,
} from "./queries/webhook-endpoints";
import type { ChangePlace } from "./schema/changes";
import { WebhookEndpointInput, type WebhookPatch } from "./schema/webhook-records";
import {
  maxWebhookEndpoints,
  type WebhookEvent,
  type WebhookOffReason,
  webhookOverlapHours,
} from "./schema/webhooks";
import { sealedFor, sendTestMessage, sentenceOf } from "./webhook-delivery";
import { type Guard, urlProblem } from "./webhook-request";

export type WebhookCtx = ActorContext & { authSecrets: Secrets; webhookGuard: Guard };
export type OfEndpoint = OfNewsletter & { id: string };

/** @throws AppError not_found, also for another newsletter's endpoint */
export async function getEndpoint(
  db: Tx | Ctx["db"],
  { id, newsletterId }: OfEndpoint,
): Promise<StoredEndpoint> {
  const found = await findEndpoint(db, { id, newsletterId });
  if (!found) throw noLongerExists("webhook");
  return found;
}

/** A secret in the form of Standard Webhooks: whsec_ and 32 random bytes in base64. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** A newsletter's endpoints, oldest first. */
export async function listEndpoints(
  { db, tx }: Pick<Ctx, "db" | "tx">,
  { newsletterId }: { newsletterId: string },
) {
  const rows = await listEndpointRows(tx ?? db, newsletterId);
  const waiting = await countMessagesWaiting(tx ?? db, newsletterId);
  return rows.map((row) => ({
    ...row,
    events: row.events as WebhookEvent[],
    offReason: row.offReason as WebhookOffReason | null,
    /** Messages that are numbered and not delivered; 1,000 means at least 1,000. */
    waiting: waiting.get(row.id) ?? 0,
  }));
}

type EndpointAct = OfEndpoint & { action: AuditAction; url: string; messages?: number };

/** Writes an audit entry with the URL's host only: the path may be a secret. */
export async function recordAct(
  ctx: WebhookCtx,
  tx: Tx,
  { accountId, newsletterId, action, ...act }: EndpointAct,
): Promise<void> {
  const detail = { name: new URL(act.url).host, ...(act.messages && { messages: act.messages }) };
  await record(ctx, tx, { accountId, newsletterId, action, subjectId: act.id, detail });
}

function validated(guard: Guard, endpoint: WebhookEndpointInput): WebhookEndpointInput {
  const given = parse(WebhookEndpointInput, endpoint);
  const problem = urlProblem(guard, given.url);
  if (problem) throw invalidField("url", problem);
  return { ...given, url: new URL(given.url).href, events: [...new Set(given.events)] };
}

type ToCreate = OfNewsletter & { endpoint: WebhookEndpointInput; after?: ChangePlace | "now" };

/**
 * Creates an endpoint. It gets the changes after a position, and other events from now on.
 * @param of after: a position of the change feed; by default the present
 * @returns its secret, which is shown only once
 * @throws AppError validation_error, on `after` for a position after which changes are no longer complete
 */
export async function createEndpoint(
  ctx: WebhookCtx,
  { after = "now", ...of }: ToCreate,
): Promise<{ id: string; secret: string }> {
  const { newsletterId } = of;
  const { url, description, events } = validated(ctx.webhookGuard, of.endpoint);
  const id = newId();
  const secret = newSecret();
  return withTransaction(ctx, async (tx) => {
    await lockNewsletter(tx, newsletterId);
    const { place, problem } = await findFeedPlace(tx, { newsletterId, after });
    if (problem) throw invalidField("after", `${problem} Use a newer position, or now.`);
    if ((await listEndpointRows(tx, newsletterId)).length >= maxWebhookEndpoints)
      throw invalidField(
        "url",
        `A newsletter has at most ${maxWebhookEndpoints} webhooks. Remove one first.`,
      );
    const row = { id, newsletterId, url, description, events, ...placeColumns(place) };
    await insertEndpoint(tx, { ...row, secret: seal(ctx.authSecrets, sealedFor, secret) });
    await recordAct(ctx, tx, { ...of, action: "webhook.created", id, url });
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
    await recordAct(ctx, tx, { ...of, action: "webhook.changed", url });
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
  const offReason: WebhookOffReason | null = on ? null : "staff";
  return withTransaction(ctx, async (tx) => {
    const endpoint = await getEndpoint(tx, of);
    const { newsletterId, url } = endpoint;
    const { place, problem } = await findFeedPlace(tx, { newsletterId, after: placeOf(endpoint) });
    const missed = on && problem !== null;
    const changes = { offReason, ...(on && working), ...(missed && placeColumns(place)) };
    if (!(await updateEndpoint(tx, { id }, changes))) throw noLongerExists("webhook");
    await recordAct(ctx, tx, { ...of, action: on ? "webhook.on" : "webhook.off", url });
    return { missed };
  });
}

type ToPatch = OfEndpoint & { patch: WebhookPatch };

/** Changes some members of an endpoint, and switches it on or off. The rest stays. @throws AppError not_found, validation_error */
export function patchEndpoint(ctx: WebhookCtx, { patch, ...of }: ToPatch): Promise<void> {
  const { enabled, ...changes } = patch;
  return withTransaction(ctx, async (tx) => {
    await lockEndpoint(tx, of.id);
    const { url, description, events, version, offReason } = await getEndpoint(tx, of);
    const endpoint = { url, description, events: events as WebhookEvent[], ...changes };
    const inTx = { ...ctx, tx };
    if (Object.keys(changes).length > 0) await saveEndpoint(inTx, { ...of, version, endpoint });
    if (enabled !== undefined && enabled !== (offReason === null))
      await switchEndpoint(inTx, { ...of, on: enabled });
  });
}

/** Rotates an endpoint's secret. The old secret also signs for a day. @throws AppError not_found */
export function rotateSecret(ctx: WebhookCtx, of: OfEndpoint): Promise<{ secret: string }> {
  const secret = newSecret();
  return withTransaction(ctx, async (tx) => {
    const { id, url, secret: oldSecret } = await getEndpoint(tx, of);
    const oldSecretUntil = new Date(Date.now() + webhookOverlapHours * HOUR_MS);
    const sealed = seal(ctx.authSecrets, sealedFor, secret);
    await updateEndpoint(tx, { id }, { secret: sealed, oldSecret, oldSecretUntil });
    await recordAct(ctx, tx, { ...of, action: "webhook.rotated", url });
    return { secret };
  });
}

/** Removes an endpoint with its log. @throws AppError not_found */
export function removeEndpoint(ctx: WebhookCtx, of: OfEndpoint): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { id, url } = await getEndpoint(tx, of);
    await deleteEndpoint(tx, id);
    await recordAct(ctx, tx, { ...of, action: "webhook.removed", url });
  });
}

/**
 * Sends a test at once, outside the queue, whether the endpoint is on or off. Tests are not logged.
 * @throws AppError not_found
 */
export async function testEndpoint(ctx: WebhookCtx, of: OfEndpoint) {
  const outcome = await sendTestMessage(ctx, await getEndpoint(ctx.db, of));
  const answered = sentenceOf(outcome);
  const { delivered, status } = outcome;
  const says = delivered ? `The test was delivered: ${answered}` : `The test failed. ${answered}`;
  return { delivered, status, says };
}
