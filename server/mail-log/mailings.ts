import { record } from "../accounts/audit";
import { type NewsletterRef, withTransaction } from "../accounts/context";
import { endAsUndone } from "../bulk-actions/shared-queries";
import { AppError, invalidField } from "../kernel/errors";
import { cancelReasons } from "../mail/delivery/reasons";
import type { OpenMailing } from "../mail/schema/mailings";
import {
  cancelMailsOf,
  claimMailing,
  findMailingProgress,
  listOpenMailings,
  takeBackRelease,
} from "../mail/shared-queries";
import type { Ctx } from "../subscribers/context";

/** Mails to many people that can still be cancelled, anybody's. */
export function listMailings(
  ctx: Pick<Ctx, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<OpenMailing[]> {
  return listOpenMailings(ctx.db, newsletterId);
}

const mails = (n: number) => `${n} ${n === 1 ? "email" : "emails"}`;

/**
 * Cancels all mails that one action causes, also those that it has not written yet: all of them or, once the delay is over,
 * none. People stay as they are, mails that were to be sent again are failed ones again, and released ones wait again.
 * @returns how many were cancelled
 * @throws AppError not_found; validation_error when it is too late, with how many have left
 */
export function cancelMailing(
  ctx: Ctx,
  newsletter: NewsletterRef,
  id: string,
): Promise<{ kind: OpenMailing["kind"]; mails: number }> {
  const which = { newsletterId: newsletter.id, id };
  return withTransaction(ctx, async (tx) => {
    // The bulk action before its mailing, as where it adds mails to it, so that the two never wait in a circle.
    await endAsUndone(tx, newsletter.id, id);
    const claimed = await claimMailing(tx, which);
    const found = await findMailingProgress(tx, which);
    if (!found) throw new AppError("not_found", "These emails can no longer be cancelled.");
    if (!claimed) throw tooLate(found);
    const reason = { code: "taken_back", message: cancelReasons.taken_back };
    const isRelease = found.kind === "release";
    const cancelled = isRelease ? await takeBackRelease(tx, id) : await cancelMailsOf(tx, which, reason);
    // What waits for a budget again is given its time.
    if (isRelease) await ctx.outbox.wake(tx);
    const { accountId } = newsletter;
    const detail = { kind: found.kind, mails: cancelled };
    await record(ctx, tx, {
      ...{ accountId, newsletterId: newsletter.id, action: "mails.taken_back" },
      subjectId: id,
      detail,
    });
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
