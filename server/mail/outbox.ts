import { newId } from "../kernel/ids";
import { confirmationLinkDays } from "../kernel/spans";
import { DAY_MS } from "../kernel/time";
import type { Db, Tx } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import { waitingFor } from "./delivery/reasons";
import { listOverdue } from "./queries/mail-batches";
import { takeMailAllowance } from "./queries/mail-throttle";
import type { Mailing } from "./queries/mailings";
import { insertPreferences, insertWaiting, insertWelcome, insertWritten } from "./queries/new-mails";
import { otherMailHash, recipientHash } from "./recipient-hash";

/** A mail to be sent to a person. `toEmail` is the address as given, `canonical` what makes it unique. */
export type NewMail = { newsletterId: string; subscriberId: string; toEmail: string; canonical: string };

/** A mail to the staff, with its final words. `toEmail` has its domain in ASCII. */
export type StaffMail = { toEmail: string; subject: string; html: string; text: string } & (
  | { kind: "test"; newsletterId: string; staffId: string }
  | { kind: "invitation"; invitationId: string; expiresAt: Date }
  | { kind: "notice"; staffId: string }
);

export interface Outbox {
  /**
   * Writes confirmations and what wakes their delivery, in the caller's transaction: both are there when it commits, neither when
   * it does not. Nothing is rendered and nobody is called here.
   * @param mailing what they leave together with; without one they may leave at once
   * @returns the mails' ids, in order
   * @throws what the database throws
   */
  post(tx: Tx, mails: NewMail[], mailing?: Mailing | null): Promise<string[]>;
  /** The same for the welcome of one person, unless their newsletter has none or they had one in 24 hours. */
  postWelcome(tx: Tx, mail: NewMail): Promise<void>;
  /**
   * The same for one person's link to their preferences, unless they had one in the last minute, or three in 24 hours: counted
   * apart from confirmations, over all newsletters and spellings of the address.
   */
  postPreferences(tx: Tx, mail: NewMail): Promise<void>;
  /**
   * The same for a link, mailed to a person's new address, which makes it theirs: as seldom for who asks as for who gets it.
   * `toEmail` has its domain in ASCII; `oldCanonical` is what they have now.
   */
  postNewAddress(tx: Tx, mail: NewMail & { oldCanonical: string }): Promise<void>;
  /** The same for one mail to the staff. @returns its id */
  postToStaff(tx: Tx, mail: StaffMail): Promise<string>;
  /** Only wakes their delivery, for mails that the caller has written into the outbox within the database. */
  wake(tx: Tx, mailing?: Mailing | null): Promise<void>;
}

const LINK_MS = confirmationLinkDays * DAY_MS;

/** An outbox for any process, whether or not it delivers. */
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

/** Adds jobs for what none may be left for: batches whose time came so many seconds ago, and all mails that are due. */
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
