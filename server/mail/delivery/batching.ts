import { newId } from "../../kernel/ids";
import type { Tx } from "../../platform/db/client";
import type { Jobs } from "../../platform/jobs/jobs";
import { type ClaimedMail, claimDue, lockBatching } from "../queries/due-mails";
import { beginAttempt, type DueBatch, insertDue, type NewBatch } from "../queries/mail-batches";
import { cancelWithReasons, type FrozenMail, freezeMails } from "../queries/mail-state-changes";
import { releaseDueMailings } from "../queries/mailings";
import { personMailKinds } from "../schema/mail-states";
import { formatSender, headerLine } from "../sender";
import type { SignedLinks } from "../signed-links";
import type { RenderedMail } from "../templates/render-letter";
import { renderPersonMail } from "../templates/render-person-mail";
import { allowMails } from "./allowance";
import type { OutgoingMail, ProviderLimits } from "./provider";

export type Links = Pick<
  SignedLinks,
  "confirmationUrl" | "preferencesUrl" | "newAddressUrl" | "unsubscribeUrl"
>;

export type Batching = {
  jobs: Jobs;
  links: Links;
  /** The sender for newsletters without their own. */
  mailFrom: string;
  /** False without a provider: mails are written and logged, and never sent. */
  sends: boolean;
} & Pick<ProviderLimits, "leaseSeconds" | "maxMails">;

/** A batch with a started attempt: the provider may receive it at any moment. */
export type BegunBatch = Omit<DueBatch, "unsureSeconds"> & {
  /** The provider certainly accepted none of it in earlier attempts. */
  sure: boolean;
};

/**
 * Puts as many due mails as the provider accepts at once into one batch, and starts its first attempt. Runs in the
 * given transaction. Cancels mails that are no longer wanted, and defers mails over a person's limit or a daily budget.
 * Adds a job if more mails may be due.
 * @returns what to send after the commit, or null
 */
export async function batchDueMails(batching: Batching, tx: Tx): Promise<BegunBatch | null> {
  await lockBatching(tx);
  await releaseDueMailings(tx);
  const claimed = await claimDue(tx, batching.maxMails);
  if (claimed.length === batching.maxMails) await batching.jobs.add(tx, "mail-batch", [{ data: null }]);
  await cancelWithReasons(tx, claimed, ["waiting", "deferred"]);
  const wanted = claimed.filter((mail) => mail.cancelReason === null);
  const allowed = batching.sends ? await allowMails(batching.jobs, tx, wanted) : wanted;
  if (allowed.length === 0) return null;

  const written = await Promise.all(allowed.map((mail) => write(batching, mail)));
  const frozen = written.map((one) => one.frozen);
  if (!batching.sends) {
    await freezeMails(tx, frozen, null);
    return null;
  }
  const payload = JSON.stringify(written.map((one) => one.mail));
  const batch = { id: newId(), payload, size: written.length };
  await freezeMails(tx, frozen, batch.id);
  await insertDue(tx, batch);
  return startBatch(batching, tx, batch, true);
}

/**
 * Starts an attempt. The record of the attempt is committed before the provider receives the batch. The same
 * transaction adds the job that lets another process continue if this one dies.
 */
export async function startBatch(
  { jobs, leaseSeconds }: Pick<Batching, "jobs" | "leaseSeconds">,
  tx: Tx,
  { id, payload, size }: NewBatch,
  sure: boolean,
): Promise<BegunBatch> {
  const { attempts, leaseEnds } = await beginAttempt(tx, id, leaseSeconds);
  await jobs.add(tx, "mail-send", [{ data: { batchId: id }, at: leaseEnds }]);
  return { id, payload, size, attempts, sure };
}

type MailToPerson = Extract<ClaimedMail, { subscriberId: string }>;
const isToPerson = (mail: ClaimedMail): mail is MailToPerson =>
  personMailKinds.some((kind) => kind === mail.kind);

/** Returns the subject and text of a mail. Mails to people are rendered now, with the newsletter's current words. */
function wordsFor({ links }: Batching, mail: ClaimedMail): Promise<RenderedMail> | RenderedMail {
  if (!isToPerson(mail)) return { subject: mail.subject, html: mail.html, text: mail.text };
  const { newsletterId, subscriberId, id: mailId, linkExpiresAt: expiresAt } = mail;
  const urlOf = {
    confirmation: links.confirmationUrl,
    welcome: links.unsubscribeUrl,
    preferences: links.preferencesUrl,
    new_address: links.newAddressUrl,
  }[mail.kind];
  const own = { subject: mail.ownSubject, intro: mail.ownIntro };
  return renderPersonMail({ ...mail, own }, urlOf({ newsletterId, subscriberId, mailId, expiresAt }));
}

/**
 * `Auto-Submitted` keeps holiday notices from replying (RFC 3834). The unsubscribe headers let mail programs offer
 * one-click unsubscribe (RFC 8058). Confirmations have them too: an unwanted confirmation then gets an unsubscribe
 * instead of a spam report. The headers are frozen with the batch, so each attempt sends the same bytes.
 */
function headersOf({ links }: Batching, mail: ClaimedMail): Record<string, string> {
  const own = { "Auto-Submitted": "auto-generated" };
  if (!isToPerson(mail)) return own;
  return {
    ...own,
    "List-Unsubscribe": `<${links.unsubscribeUrl(mail)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

async function write(
  batching: Batching,
  mail: ClaimedMail,
): Promise<{ frozen: FrozenMail; mail: OutgoingMail }> {
  const { subject, html, text } = await wordsFor(batching, mail);
  const from = formatSender(mail.sender ?? batching.mailFrom, mail.newsletterName ?? "Rollcall");
  const replyTo = mail.replyTo ? headerLine(mail.replyTo, 320) : null;
  return {
    frozen: { id: mail.id, linkExpiresAt: mail.linkExpiresAt, sender: from, replyTo, subject, html, text },
    mail: {
      from,
      to: [mail.deliverTo],
      ...(replyTo && { reply_to: replyTo }),
      subject,
      html,
      text,
      headers: headersOf(batching, mail),
    },
  };
}
