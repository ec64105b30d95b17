import type { SignedLinks } from "../auth/signed-links";
import { linkedStates, type MailFilter } from "../contract/mail-states";
import { countKept, findMail, groupIssues, listNewestMails, pageOfMails } from "../db/mail-pages";
import { AppError } from "../errors";
import { renderConfirmation } from "../mail/templates/render-confirmation";
import type { Ctx } from "./context";

export { countKept };

const PAGE = 50;
const MAX_NEWEST = 1_000;

type MailCtx = Pick<Ctx, "db"> & { links: Pick<SignedLinks, "confirmationUrl"> };
type LinkedMail = {
  id: string;
  state: string;
  newsletterId: string | null;
  subscriberId: string | null;
  linkExpiresAt: Date;
};

/** The link of a confirmation, while it is somebody's to follow; else null. */
function linkOf({ links }: MailCtx, mail: LinkedMail): string | null {
  const { id: mailId, newsletterId, subscriberId, linkExpiresAt: expiresAt } = mail;
  if (!newsletterId || !subscriberId || !linkedStates.includes(mail.state)) return null;
  return links.confirmationUrl({ newsletterId, subscriberId, mailId, expiresAt });
}

/** A page of a newsletter's mails, newest first. */
export async function listMails(
  ctx: Pick<Ctx, "db">,
  input: { newsletterId: string; filter: MailFilter | undefined; after: string | null },
) {
  const rows = await pageOfMails(ctx.db, input, PAGE + 1);
  const mails = rows.slice(0, PAGE);
  return { mails, after: rows.length > PAGE ? (mails.at(-1)?.id ?? null) : null };
}

/** What keeps a newsletter's mails from arriving. */
export function listMailIssues(ctx: Pick<Ctx, "db">, input: { newsletterId: string }) {
  return groupIssues(ctx.db, input.newsletterId);
}

/**
 * One mail as it looks: what was sent, or, before it is frozen, what would be sent now.
 * @throws AppError not_found, also for another newsletter's
 */
export async function getMail(ctx: MailCtx, input: { newsletterId: string; id: string }) {
  const found = await findMail(ctx.db, input.newsletterId, input.id);
  if (!found)
    throw new AppError("not_found", "There is no such mail any more. Its person may have been erased.");
  const { newsletter, ...mail } = found;
  const link = linkOf(ctx, mail);
  const draft =
    mail.html === null && newsletter
      ? await renderConfirmation({
          newsletterName: newsletter.name,
          confirmUrl: link ?? "https://example.invalid/cancelled",
          language: newsletter.language,
          own: { subject: newsletter.confirmSubject, intro: newsletter.confirmIntro },
        })
      : null;
  return {
    ...mail,
    link,
    frozen: mail.html !== null,
    subject: mail.subject ?? draft?.subject ?? "",
    html: mail.html ?? draft?.html ?? "",
    text: mail.text ?? draft?.text ?? "",
  };
}

/** The newest mails of the installation, for an operator: the state of each, why, and its link. */
export async function listAllMails(ctx: MailCtx, input: { limit: number }) {
  const mails = await listNewestMails(ctx.db, Math.min(Math.max(input.limit, 1), MAX_NEWEST));
  return mails.map((mail) => ({
    id: mail.id,
    kind: mail.kind,
    to: mail.toEmail,
    state: mail.state,
    reason: mail.errorMessage,
    created_at: mail.createdAt,
    link: linkOf(ctx, mail),
  }));
}
