import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import { lockAndGetNewsletter } from "../accounts/newsletters";
import {
  insertAudit,
  listNewsletters,
  listOwners,
  lockAccount,
  type NewsletterRow,
} from "../accounts/shared-queries";
import { announceKeyChange } from "../api-keys/shared-queries";
import { invalidField } from "../kernel/errors";
import type { NotifyStaff } from "../mail/notices";
import { cancelNewsletterMails } from "../mail/shared-queries";
import type { Db, Tx } from "../platform/db/client";
import { hasWork } from "../work/shared-queries";
import {
  closeNewsletter,
  deleteNewsletterRow,
  listToRemove,
  removeParts,
  reopenNewsletter,
} from "./queries/newsletter-removal";

/** Closes a newsletter: revokes access for its keys and cancels its queued emails. @returns the removal date */
async function close(
  ctx: ActorContext,
  tx: Tx,
  { id: newsletterId, accountId, name }: NewsletterRow,
  removed: boolean,
): Promise<Date | null> {
  if (await hasWork(tx, newsletterId))
    throw invalidField(
      "newsletter",
      "An import or bulk action is running. Wait until it is done, or cancel it. Nothing was changed.",
    );
  const removeAt = await closeNewsletter(tx, newsletterId, removed);
  await cancelNewsletterMails(tx, newsletterId);
  await announceKeyChange(tx);
  const action = removed ? "newsletter.deleted" : "newsletter.archived";
  await record(ctx, tx, { accountId, newsletterId, action, subjectId: newsletterId, detail: { name } });
  return removeAt;
}

/**
 * Archives a newsletter. It takes no new people and sends no email; its API keys and sign-up page are closed. Its
 * people can still be viewed and exported, and the links in their emails work. A deleted newsletter becomes an archived
 * one and is no longer removed.
 * @throws AppError not_found; validation_error while an import or a bulk action is running
 */
export function archiveNewsletter(ctx: ActorContext, { newsletterId }: OfNewsletter): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const newsletter = await lockAndGetNewsletter(tx, newsletterId);
    if (newsletter.archivedAt === null || newsletter.removeAt !== null)
      await close(ctx, tx, newsletter, false);
  });
}

/**
 * Deletes a newsletter: archives it now and removes it with all its data in 30 days. All owners get an email.
 * @param name the name as typed by the person who deletes it
 * @returns the removal date
 * @throws AppError not_found; validation_error for a wrong name, for the account's last newsletter, or while an import
 * or a bulk action is running
 */
export function deleteNewsletter(
  ctx: ActorContext & { notify: NotifyStaff },
  { name, ...of }: OfNewsletter & { name: string },
): Promise<{ removeAt: Date }> {
  return withTransaction(ctx, async (tx) => {
    await lockAccount(tx, of.accountId);
    const newsletter = await lockAndGetNewsletter(tx, of.newsletterId);
    if (newsletter.removeAt !== null) return { removeAt: newsletter.removeAt };
    if (newsletter.name.trim() !== name.trim())
      throw invalidField("name", `Enter the name of the newsletter: ${newsletter.name}.`);
    const others = await listNewsletters(tx, of.accountId);
    if (!others.some(({ id, removeAt }) => id !== of.newsletterId && removeAt === null))
      throw invalidField(
        "newsletter",
        "An account needs at least one newsletter. Create another one first, then delete this one.",
      );
    const removeAt = (await close(ctx, tx, newsletter, true)) as Date;
    const deleted = { newsletterId: newsletter.id, newsletter: newsletter.name, removeAt };
    for (const owner of await listOwners(tx, of.accountId))
      await ctx.notify(tx, owner, { kind: "newsletter_deleted", ...deleted });
    return { removeAt };
  });
}

/**
 * Restores an archived newsletter, or a deleted newsletter before its removal. Cancelled emails stay cancelled.
 * @throws AppError not_found; validation_error while the newsletter is being removed
 */
export function reopen(ctx: ActorContext, { newsletterId }: OfNewsletter): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const { accountId, name, archivedAt } = await lockAndGetNewsletter(tx, newsletterId);
    if (archivedAt === null) return;
    if (!(await reopenNewsletter(tx, newsletterId)))
      throw invalidField(
        "newsletter",
        "The 30 days are over. The newsletter is being removed and can't be restored.",
      );
    await announceKeyChange(tx);
    const action = "newsletter.reopened";
    await record(ctx, tx, { accountId, newsletterId, action, subjectId: newsletterId, detail: { name } });
  });
}

/**
 * Removes deleted newsletters after their 30 days, in parts. After a crash the next run continues. A deadlock, as with
 * another process that removes the same newsletter, is retried.
 */
export async function removeNewsletters({ db }: { db: Db }, closing?: AbortSignal): Promise<void> {
  for (const { id, accountId, name } of await listToRemove(db)) {
    if (!(await removeParts(db, id, closing))) return;
    await withTransaction({ db }, async (tx) => {
      if (!(await deleteNewsletterRow(tx, id))) return;
      const entry = { accountId, newsletterId: id, subjectId: id, detail: { name } };
      await insertAudit(tx, { ...entry, actorKind: "system", action: "newsletter.removed" });
    });
  }
}
