import { withTransaction } from "../accounts/context";
import { pageOf } from "../kernel/cursor";
import { AppError } from "../kernel/errors";
import type { Ctx } from "../subscribers/context";
import {
  findEndpoint,
  findFirstWaiting,
  findMessage,
  pageOfMessages,
  repeatMessages,
  skipMessage,
  updateEndpoint,
} from "./queries/webhook-endpoints";
import { type WebhookEvent, type WebhookState, webhookPageSize } from "./schema/webhooks";
import { messageId } from "./webhook-delivery";
import { getEndpoint, type OfEndpoint, recordAct, type WebhookCtx } from "./webhooks";

type MessagePage = OfEndpoint & {
  cursor?: number | null | undefined;
  state: WebhookState | null;
  limit?: number;
};

/** A page of an endpoint's log, newest first. A removed endpoint has no messages: an open page may still ask for them. */
export async function listMessages(
  { db }: Pick<Ctx, "db">,
  { cursor, state, limit = webhookPageSize, id, newsletterId }: MessagePage,
) {
  const endpoint = await findEndpoint(db, { id, newsletterId });
  const page = { endpointId: id, before: cursor ?? null, state, limit: limit + 1 };
  const rows = endpoint ? await pageOfMessages(db, page) : [];
  return pageOf(rows.map(presentMessage), limit, ({ number }) => number);
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
  { db, tx }: Pick<Ctx, "db" | "tx">,
  { number, ...of }: OfEndpoint & { number: number },
) {
  const { id } = await getEndpoint(tx ?? db, of);
  const found = await findMessage(tx ?? db, id, number);
  if (!found) throw new AppError("not_found", "This message is no longer stored.");
  return presentMessage(found);
}

/**
 * Sends one message again. If it waits already, the endpoint's next attempt is made at once.
 * @throws AppError not_found
 */
export function retryMessage(ctx: WebhookCtx, of: OfEndpoint & { number: number }) {
  const { id, number } = of;
  return withTransaction(ctx, async (tx) => {
    const inTx = { ...ctx, tx };
    const { state } = await getMessage(inTx, of);
    if (state !== "waiting") await repeat(inTx, { ...of, from: number, to: number });
    else await updateEndpoint(tx, { id }, { nextTryAt: null });
    return getMessage(inTx, of);
  });
}

/** Sends messages again, in order, with their old ids and numbers. @throws AppError not_found */
export function repeat(
  ctx: WebhookCtx,
  { from, to, ...of }: OfEndpoint & { from: number; to: number },
): Promise<{ count: number }> {
  return withTransaction(ctx, async (tx) => {
    const { id, url } = await getEndpoint(tx, of);
    const count = await repeatMessages(tx, id, { from, to });
    if (count > 0) await recordAct(ctx, tx, { ...of, action: "webhook.repeated", url, messages: count });
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
    await recordAct(ctx, tx, { ...of, action: "webhook.skipped", url, messages: 1 });
  });
}
