import type { PgBoss } from "pg-boss";
import type { Tx } from "../db/client";
import { beginAttempt, insertDue } from "../db/mail-batches";
import { grant, nextGrants } from "../db/mail-throttle";
import { type ClaimedMail, cancel, claimDue, type FrozenMail, freeze, hold, lockPacking } from "../db/mails";
import { newId } from "../domain/ids";
import { wakePacker, wakeSender } from "./queues";
import { cancelReasons, holds } from "./reasons";
import type { ResendMail } from "./resend";
import { formatSender, oneLine } from "./sender";
import { renderConfirmation } from "./templates/render-confirmation";
import type { RenderedMail } from "./templates/render-letter";

/** Resend takes at most 100 mails in a batch, and its SDK does not check. */
export const MAX_MAILS = 100;

export type Claims = { newsletterId: string; subscriberId: string; mailId: string; expiresAt: Date };
/** What packing needs of the signed links. */
export type Links = { confirmationUrl(claims: Claims): string };

export type Packing = {
  boss: PgBoss;
  links: Links;
  /** Sender of newsletters that have none of their own. */
  mailFrom: string;
  /** False without a Resend key: mails are written and kept, and nobody is called. */
  sends: boolean;
  leaseSeconds: number;
};

/** A send whose attempt has begun: the provider may hear of it any moment. */
export type BegunSend = {
  id: string;
  payload: string;
  size: number;
  /** Counts from 1. */
  attempt: number;
  /** The provider has surely taken none of it in earlier attempts. */
  sure: boolean;
};

/**
 * Packs up to 100 mails that are due into one send, in the given transaction, and begins its first attempt; sorts out those
 * that are no longer wanted and puts those aside that would be too many for one person. Wakes another packer if there may be more.
 * @returns what to send after the commit, or null
 */
export async function pack(packing: Packing, tx: Tx): Promise<BegunSend | null> {
  await lockPacking(tx);
  const claimed = await claimDue(tx, MAX_MAILS);
  if (claimed.length === MAX_MAILS) await wakePacker(packing.boss, tx);
  const unwanted = claimed.flatMap(({ id, cancelReason }) =>
    cancelReason ? [{ id, code: cancelReason, message: cancelReasons[cancelReason] }] : [],
  );
  await cancel(tx, unwanted);
  const wanted = claimed.filter((mail) => mail.cancelReason === null);
  const granted = packing.sends ? await throttle(packing, tx, wanted) : wanted;
  if (granted.length === 0) return null;

  const written = await Promise.all(granted.map((mail) => write(packing, mail)));
  const frozen = written.map((one) => one.frozen);
  if (!packing.sends) {
    await freeze(tx, frozen, null);
    return null;
  }
  const send = {
    id: newId(),
    payload: JSON.stringify(written.map((one) => one.mail)),
    size: written.length,
  };
  await freeze(tx, frozen, send.id);
  await insertDue(tx, send);
  return begin(packing, tx, send, true);
}

/**
 * Begins an attempt: the note that it may have reached the provider is committed before it does, and so is what wakes somebody
 * else should this process die over it.
 */
export async function begin(
  { boss, leaseSeconds }: Pick<Packing, "boss" | "leaseSeconds">,
  tx: Tx,
  { id, payload, size }: { id: string; payload: string; size: number },
  sure: boolean,
): Promise<BegunSend> {
  const { attempt, leaseEnds } = await beginAttempt(tx, id, leaseSeconds);
  await wakeSender(boss, tx, [{ batchId: id, at: leaseEnds }]);
  return { id, payload, size, attempt, sure };
}

/**
 * Those whose person may be mailed now, one for each, the oldest; the others are held, to be woken when their time comes.
 * Mails to the staff are not asked for by strangers, and are counted where they are asked for.
 */
async function throttle({ boss }: Packing, tx: Tx, mails: ClaimedMail[]): Promise<ClaimedMail[]> {
  const first = new Map<string, ClaimedMail>();
  for (const mail of mails)
    if (mail.kind === "confirmation" && !first.has(mail.recipientHash)) first.set(mail.recipientHash, mail);
  const may = await grant(tx, [...first.keys()]);
  const isGranted = (mail: ClaimedMail) =>
    mail.kind !== "confirmation" || (may.has(mail.recipientHash) && first.get(mail.recipientHash) === mail);
  const rejected = mails.filter((mail) => !isGranted(mail));
  const next = await nextGrants(tx, [...new Set(rejected.map((mail) => mail.recipientHash))]);
  const held = rejected.map((mail) => {
    const { at, dayIsFull } = next.get(mail.recipientHash) ?? { at: new Date(), dayIsFull: false };
    const code = dayIsFull ? "person_day" : "person_minute";
    return { id: mail.id, until: at, code, message: holds[code] };
  });
  await hold(tx, held);
  const times = new Map(held.map(({ until }) => [until.getTime(), until]));
  await wakePacker(boss, tx, [...times.values()]);
  return mails.filter(isGranted);
}

/** What a mail says: a confirmation's words are those of now. */
function wordsFor({ links }: Packing, mail: ClaimedMail): Promise<RenderedMail> | RenderedMail {
  if (mail.kind !== "confirmation") return { subject: mail.subject, html: mail.html, text: mail.text };
  return renderConfirmation({
    newsletterName: mail.newsletterName,
    language: mail.language,
    own: { subject: mail.ownSubject, intro: mail.ownIntro },
    confirmUrl: links.confirmationUrl({
      newsletterId: mail.newsletterId,
      subscriberId: mail.subscriberId,
      mailId: mail.id,
      expiresAt: mail.linkExpiresAt,
    }),
  });
}

async function write(packing: Packing, mail: ClaimedMail): Promise<{ frozen: FrozenMail; mail: ResendMail }> {
  const { subject, html, text } = await wordsFor(packing, mail);
  const from = formatSender(mail.sender ?? packing.mailFrom, mail.newsletterName ?? "Rollcall");
  const replyTo = mail.replyTo ? oneLine(mail.replyTo, 320) : null;
  return {
    frozen: { id: mail.id, linkExpiresAt: mail.linkExpiresAt, sender: from, replyTo, subject, html, text },
    mail: {
      from,
      to: [mail.deliverTo],
      ...(replyTo && { reply_to: replyTo }),
      subject,
      html,
      text,
      // So that nobody's holiday notice answers it (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
    },
  };
}
