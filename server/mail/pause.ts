import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { listAccounts } from "../accounts/shared-queries";
import { invalidField } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import type { MailContext } from "./context";
import { wakeDelivery } from "./outbox";
import { cancelRestored, countWaiting } from "./queries/mail-state-changes";
import { beginSendPause, endSendPause, findSendPause } from "./queries/send-pace";

async function recordEverywhere(
  ctx: ActorContext,
  tx: Tx,
  entry: { action: "mails.paused" | "mails.resumed"; detail?: { cancelled: number } },
): Promise<void> {
  for (const { id } of await listAccounts(tx)) await record(ctx, tx, { ...entry, accountId: id });
}

/** Pauses sending in all processes until `resumeMails`. Running requests to Resend finish. */
export function pauseMails(ctx: ActorContext): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    if (await beginSendPause(tx)) await recordEverywhere(ctx, tx, { action: "mails.paused" });
  });
}

/**
 * Resumes sending.
 * @param older what to do with mails that a restored backup holds as waiting; they may have been sent after the backup
 * @returns how many were cancelled
 * @throws AppError validation_error on `older` when that choice is required
 */
export function resumeMails(
  ctx: ActorContext & Pick<MailContext, "jobs">,
  { older }: { older?: "send" | "cancel" | undefined },
): Promise<{ cancelled: number }> {
  return withTransaction(ctx, async (tx) => {
    const pause = await findSendPause(tx);
    if (!pause) return { cancelled: 0 };
    const waiting = await countWaiting(tx, pause.at);
    if (pause.by === "restore" && waiting > 0 && !older) {
      const message =
        `${waiting} emails were queued when the backup was made and may have been sent since. Use --older cancel to cancel ` +
        "them, or --older send to send them again. Nothing was changed. Sending is still paused.";
      throw invalidField("older", message);
    }
    const cancelled = older === "cancel" ? await cancelRestored(tx, pause.at) : 0;
    await endSendPause(tx);
    await wakeDelivery(tx, ctx.jobs, 0);
    await recordEverywhere(ctx, tx, { action: "mails.resumed", detail: { cancelled } });
    return { cancelled };
  });
}
