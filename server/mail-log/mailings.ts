import { record } from "../accounts/audit";
import { type OfNewsletter, withTransaction } from "../accounts/context";
import { endAsUndone } from "../bulk-actions/shared-queries";
import { AppError, invalidField } from "../kernel/errors";
import type { OpenMailing } from "../mail/schema/mailings";
import { cancelMailsOf, claimMailing, findMailingProgress } from "../mail/shared-queries";
import type { Ctx } from "../subscribers/context";

const mails = (n: number) => `${n} ${n === 1 ? "email" : "emails"}`;

/**
 * Cancels all mails of one action, including those not yet written. After the delay it cancels none. People stay as
 * they are. Mails that were to be sent again are failed again.
 * @returns how many were cancelled
 * @throws AppError not_found; validation_error when it is too late, with how many have left
 */
export function cancelMailing(
  ctx: Ctx,
  { newsletterId, accountId, id }: OfNewsletter & { id: string },
): Promise<{ kind: OpenMailing["kind"]; mails: number }> {
  const which = { newsletterId, id };
  return withTransaction(ctx, async (tx) => {
    // Locks the bulk action before its mailing, in the same order as adding mails, to prevent deadlocks.
    await endAsUndone(tx, newsletterId, id);
    const claimed = await claimMailing(tx, which);
    const found = await findMailingProgress(tx, which);
    if (!found) throw new AppError("not_found", "These emails can no longer be cancelled.");
    if (!claimed) throw tooLate(found);
    const cancelled = await cancelMailsOf(tx, which);
    const detail = { kind: found.kind, mails: cancelled };
    await record(ctx, tx, { accountId, newsletterId, action: "mails.taken_back", subjectId: id, detail });
    return { kind: found.kind, mails: cancelled };
  });
}

function tooLate({ state, sent, mails: all }: NonNullable<Awaited<ReturnType<typeof findMailingProgress>>>) {
  const message =
    state === "cancelled"
      ? "These emails are already cancelled. None of them was sent."
      : `Too late to cancel: ${sent} of ${mails(all)} ${sent === 1 ? "was" : "were"} already sent. Nothing was cancelled.`;
  return invalidField("mailing", message);
}
