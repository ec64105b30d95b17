import type { ConfirmationClaims } from "../auth/signed-links";
import { groupTrouble, type MailFilter, pageOfMails } from "../db/mail-pages";
import { AppError } from "../errors";
import { renderConfirmation } from "../mail/templates/render-confirmation";
import type { Ctx } from "./context";

export { mailFilters } from "../db/mail-pages";

const PAGE = 50;

/** A page of a newsletter's mails, newest first. */
export async function pageOf(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  state: MailFilter | undefined,
  after: string | null,
) {
  const rows = await pageOfMails(ctx.db, newsletterId, state, PAGE + 1, after);
  const mails = rows.slice(0, PAGE);
  return { mails, after: rows.length > PAGE ? (mails.at(-1)?.id ?? null) : null };
}

/** What keeps a newsletter's mails from arriving. */
export function troubleOf(ctx: Pick<Ctx, "db">, newsletterId: string) {
  return groupTrouble(ctx.db, newsletterId);
}

type LinkMaker = (claims: ConfirmationClaims) => string;

/** States in which the link still is somebody's to follow. */
const LINKED = new Set(["waiting", "deferred", "logged", "sending", "sent", "failed", "uncertain"]);

/**
 * One mail as it looks: what was sent, or, before it is frozen, what would be sent now.
 * @throws AppError not_found, also for another newsletter's
 */
export async function getMail(ctx: Pick<Ctx, "db">, makeLink: LinkMaker, newsletterId: string, id: string) {
  const mail = await ctx.db.mail.findFirst({ where: { id, newsletterId }, include: { newsletter: true } });
  if (!mail)
    throw new AppError("not_found", "There is no such mail any more. Its person may have been erased.");
  const { newsletter, recipientHash: _, ...row } = mail;
  const { subscriberId } = mail;
  const link =
    subscriberId && LINKED.has(mail.state)
      ? makeLink({ newsletterId, subscriberId, mailId: id, expiresAt: mail.linkExpiresAt })
      : null;
  const draft =
    mail.html === null && newsletter
      ? await renderConfirmation({
          newsletterName: newsletter.name,
          confirmUrl: link ?? "https://example.invalid/taken-back",
          language: newsletter.language,
          own: { subject: newsletter.confirmSubject, intro: newsletter.confirmIntro },
        })
      : null;
  return {
    ...row,
    link,
    frozen: mail.html !== null,
    subject: mail.subject ?? draft?.subject ?? "",
    html: mail.html ?? draft?.html ?? "",
    text: mail.text ?? draft?.text ?? "",
  };
}
