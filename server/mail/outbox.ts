import { confirmationLinkDays } from "../kernel/durations";
import { newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import type { Db, Tx } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import { waitingFor } from "./delivery/reasons";
import { listOverdue } from "./queries/mail-batches";
import { takeMailAllowance } from "./queries/mail-throttle";
import type { Mailing } from "./queries/mailings";
import { insertPreferences, insertWaiting, insertWelcome, insertWritten } from "./queries/new-mails";
import { otherMailHash, recipientHash } from "./recipient-hash";

/** A new mail to a person. `toEmail` is the address as given; `canonical` is its unique form. */
export type NewMail = { newsletterId: string; subscriberId: string; toEmail: string; canonical: string };

/** A rendered mail to the staff. The domain of `toEmail` is in ASCII. */
export type StaffMail = { toEmail: string; subject: string; html: string; text: string } & (
  | { kind: "test"; newsletterId: string; staffId: string }
  | { kind: "invitation"; invitationId: string; expiresAt: Date }
  | { kind: "notice"; staffId: string }
);

export interface Outbox {
  /**
   * Writes confirmations and the job for their delivery in the caller's transaction, so that both commit or neither.
   * Nothing is rendered or sent here.
   * @param mailing the mailing that they leave with; without one they may leave at once
   * @returns the mails' ids, in order
   * @throws what the database throws
   */
  post(tx: Tx, mails: NewMail[], mailing?: Mailing | null): Promise<string[]>;
  /**
   * Writes one person's welcome in the same way. Writes none if the newsletter has no welcome or the person had one in
   * the last 24 hours.
   */
  postWelcome(tx: Tx, mail: NewMail): Promise<void>;
  /**
   * Writes one person's preferences link in the same way. Writes none if the person had one in the last minute or three
   * in 24 hours. The limit is separate from that of confirmations, and covers all newsletters and spellings of the
   * address.
   */
  postPreferences(tx: Tx, mail: NewMail): Promise<void>;
  /**
   * Writes a link to a person's new address in the same way; the link makes the address theirs. The limit counts both
   * the requester and the new address. `toEmail` has its domain in ASCII; `oldCanonical` is the current address.
   */
  postNewAddress(tx: Tx, mail: NewMail & { oldCanonical: string }): Promise<void>;
  /** Writes one mail to the staff in the same way. @returns its id */
  postToStaff(tx: Tx, mail: StaffMail): Promise<string>;
  /** Only adds the delivery job, for mails that the caller has written into the outbox in the database. */
  wake(tx: Tx, mailing?: Mailing | null): Promise<void>;
}

const LINK_MS = confirmationLinkDays * DAY_MS;

/** An outbox for any process, including one that does not deliver. */
export function openOutbox(jobs: Pick<Jobs, "add">): Outbox {
  const wake = (tx: Tx, mailing?: Mailing | null) =>
    jobs.add(tx, "mail-batch", [{ data: null, at: mailing?.dueAt }]);
  return {
    async post(tx, mails, mailing = null) {
      if (mails.length === 0) return [];
      const rows = mails.map(({ canonical, ...mail }) => ({
        id: newId(),
        ...mail,
        recipientHash: recipientHash(canonical),
      }));
      await insertWaiting(tx, rows, mailing && waitingFor(mailing));
      await wake(tx, mailing);
      return rows.map((row) => row.id);
    },

    async postWelcome(tx, { canonical, ...mail }) {
      const row = { id: newId(), ...mail, recipientHash: recipientHash(canonical) };
      if (await insertWelcome(tx, row)) await wake(tx);
    },

    async postPreferences(tx, { canonical, ...mail }) {
      const hash = otherMailHash("preferences", canonical);
      if (!(await takeMailAllowance(tx, [hash])).has(hash)) return;
      const row = { id: newId(), ...mail, recipientHash: recipientHash(canonical) };
      await insertPreferences(tx, { ...row, kind: "preferences" });
      await wake(tx);
    },

    async postNewAddress(tx, { canonical, oldCanonical, ...mail }) {
      for (const hash of [otherMailHash("address of", oldCanonical), otherMailHash("address to", canonical)])
        if (!(await takeMailAllowance(tx, [hash])).has(hash)) return;
      const row = { id: newId(), ...mail, recipientHash: recipientHash(oldCanonical) };
      await insertPreferences(tx, { ...row, kind: "new_address" });
      await wake(tx);
    },

    async postToStaff(tx, mail) {
      const id = newId();
      const nobody = { newsletterId: null, staffId: null, invitationId: null };
      const { kind, toEmail, subject, html, text } = mail;
      const about =
        mail.kind === "invitation"
          ? { invitationId: mail.invitationId, linkExpiresAt: mail.expiresAt }
          : {
              newsletterId: mail.kind === "test" ? mail.newsletterId : null,
              staffId: mail.staffId,
              linkExpiresAt: new Date(Date.now() + LINK_MS),
            };
      const row = { id, kind, toEmail, recipientHash: recipientHash(toEmail), subject, html, text };
      await insertWritten(tx, { ...row, ...nobody, ...about });
      await wake(tx);
      return id;
    },

    wake,
  };
}

/** Adds jobs for overdue batches, due since this many seconds, and for all due mails, in case their jobs were lost. */
export async function wakeDelivery(
  tx: Db | Tx,
  jobs: Pick<Jobs, "add">,
  overdueSeconds: number,
): Promise<void> {
  const overdue = await listOverdue(tx, overdueSeconds);
  await jobs.add(
    tx,
    "mail-send",
    overdue.map((batchId) => ({ data: { batchId } })),
  );
  await jobs.add(tx, "mail-batch", [{ data: null }]);
}
