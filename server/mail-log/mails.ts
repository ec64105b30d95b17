import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import type { NewsletterRow } from "../accounts/shared-queries";
import { pageOf } from "../kernel/cursor";
import { AppError } from "../kernel/errors";
import type { ReadMailService } from "../mail/delivery/provider";
import { getMailWording } from "../mail/mail-wording";
import type { MailFilter, PersonMailKind } from "../mail/schema/mail-states";
import { wordedMails } from "../mail/schema/mail-words";
import { type SignedLinks, withoutTokens } from "../mail/signed-links";
import { renderPersonMail } from "../mail/templates/render-person-mail";
import type { Ctx } from "../subscribers/context";
import { newestMatching, peopleWith } from "../subscribers/shared-queries";
import { findMail, listNewestMails, pageOfMails } from "./queries/mails";

const PAGE = 50;
/** A search of mails finds at most this many people. */
const MOST_FOUND = 1_000;

type LinkCtx = { links: Pick<SignedLinks, "confirmationUrl"> };
type LinkedMail = Omit<Awaited<ReturnType<typeof listNewestMails>>[number], "recipientHash">;

/**
 * The link of a logged confirmation. The link of a sent mail belongs to its reader alone, and a waiting mail may still
 * be sent.
 */
function linkOf({ links }: LinkCtx, mail: LinkedMail): string | null {
  const { id: mailId, newsletterId, subscriberId, linkExpiresAt: expiresAt } = mail;
  if (!newsletterId || !subscriberId || mail.kind !== "confirmation" || mail.state !== "logged") return null;
  return links.confirmationUrl({ newsletterId, subscriberId, mailId, expiresAt });
}

type MailListInput = {
  newsletterId: string;
  filter: MailFilter | undefined;
  /** Any part of the recipient's address or name. */
  search: string | undefined;
  /** Only mails to this person; absent or null: to all people. */
  person?: string | null;
  after: string | null;
};

/**
 * A page of a newsletter's mails, newest first.
 * @returns `most`: set when a search finds more people; the page then covers this many, the last added
 */
export async function listMails({ db }: Pick<Ctx, "db">, { search, person = null, ...input }: MailListInput) {
  const { newsletterId } = input;
  const matching = search && peopleWith(newsletterId, { about: "search", value: search });
  const found = matching ? await newestMatching(db, matching, MOST_FOUND + 1) : null;
  const named = search && found ? { search, people: found.slice(0, MOST_FOUND) } : null;
  const to = person === null ? named : { search: null, people: [person] };
  const rows = await pageOfMails(db, { ...input, to }, PAGE + 1);
  return {
    ...pageOf(rows, PAGE, ({ id }) => id),
    most: found && found.length > MOST_FOUND ? MOST_FOUND : null,
  };
}

const noMail = () =>
  new AppError("not_found", "This email no longer exists. Its person may have been erased.");

/** The text that would be sent now. Mails to the staff are rendered when requested, so they have no draft. */
function draftOf(
  { hiddenUrl }: Pick<SignedLinks, "hiddenUrl">,
  newsletter: NewsletterRow,
  { kind, reminderOf }: { kind: string; reminderOf: string | null },
) {
  const { name: newsletterName, language } = newsletter;
  const worded = wordedMails.find((one) => one === kind);
  const own = worded && getMailWording(newsletter, { kind: worded }).own;
  const mail = { kind: kind as PersonMailKind, newsletterName, language, own };
  return renderPersonMail({ ...mail, isReminder: reminderOf !== null }, hiddenUrl);
}

/**
 * Shows one mail without its link: the sent text or, before it is frozen, the text that would be sent now.
 * @throws AppError not_found, also for another newsletter's
 */
export async function getMail(
  { db, links }: Pick<Ctx, "db"> & { links: Pick<SignedLinks, "hiddenUrl"> },
  input: { newsletterId: string; id: string },
) {
  const found = await findMail(db, input.newsletterId, input.id);
  if (!found) throw noMail();
  const { newsletter, ...mail } = found;
  const draft = mail.html === null && newsletter ? await draftOf(links, newsletter, mail) : null;
  return {
    ...mail,
    frozen: mail.html !== null,
    subject: mail.subject ?? draft?.subject ?? "",
    html: withoutTokens(mail.html ?? draft?.html ?? ""),
    text: withoutTokens(mail.text ?? draft?.text ?? ""),
  };
}

/**
 * The link of a logged confirmation, so that staff can test it without a mail service. The audit log records the
 * reader: a confirmation through this link is the reader's act.
 * @throws AppError not_found; validation_error while mails are sent, or for a mail in another state
 */
export async function readLink(
  ctx: ActorContext & LinkCtx & { mailService: ReadMailService },
  { newsletterId, accountId, id }: OfNewsletter & { id: string },
): Promise<{ url: string }> {
  const { transport } = await ctx.mailService();
  return withTransaction(ctx, async (tx) => {
    const mail = await findMail(tx, newsletterId, id);
    if (!mail) throw noMail();
    const url = transport ? null : linkOf(ctx, mail);
    if (!url)
      throw new AppError(
        "validation_error",
        "The link of a sent confirmation email can't be copied. Only its reader may use it.",
      );
    const entry = { accountId, newsletterId, subjectId: mail.subscriberId, detail: { mail: id } };
    await record(ctx, tx, { ...entry, action: "people.link_read" });
    return { url };
  });
}

/** The newest mails of the installation, for an operator: state, reason, and the link of logged mails. */
export async function listAllMails(ctx: Pick<Ctx, "db"> & LinkCtx, { limit }: { limit: number }) {
  const mails = await listNewestMails(ctx.db, limit);
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
