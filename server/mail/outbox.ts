import { confirmationLinkDays } from "../kernel/durations";
import { newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import type { Db, Tx } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import { listOverdue } from "./queries/mail-batches";
import { takeMailAllowance } from "./queries/mail-throttle";
import type { Mailing } from "./queries/mailings";
import {
  insertPreferences,
  insertWaiting,
  insertWelcome,
  insertWritten,
  type StaffMail,
} from "./queries/new-mails";
import { otherMailHash, recipientHash } from "./recipient-hash";
import type { ownMailKinds } from "./schema/mail-states";

/** A new mail to a person. `toEmail` is the address as given; `canonical` is its unique form. */
export type NewMail = { newsletterId: string; subscriberId: string; toEmail: string; canonical: string };

const LINK_MS = confirmationLinkDays * DAY_MS;

const rowOf = ({ canonical, ...mail }: NewMail) => ({
  id: newId(),
  ...mail,
  recipientHash: recipientHash(canonical),
});

type OwnMail = NewMail & { kind: (typeof ownMailKinds)[number] };

/** Writes a mail that a person requested. @returns false, without a mail, when one of these limits is reached */
async function insertWithin(tx: Tx, mail: OwnMail, limits: string[]): Promise<boolean> {
  for (const hash of limits) if (!(await takeMailAllowance(tx, [hash])).has(hash)) return false;
  await insertPreferences(tx, { ...rowOf(mail), kind: mail.kind });
  return true;
}

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * An outbox for any process, including one that does not deliver. Each verb writes mails and the job for their delivery
 * in the caller's transaction, so that both commit or neither. Nothing is rendered or sent here.
 * @param hasProvider the environment sets a mail provider; otherwise staff may have set one on the dashboard
 */
export function openOutbox(jobs: Pick<Jobs, "add">, hasProvider = false) {
  /** Only adds the delivery job, for mails that the caller has written into the outbox in the database. */
  const wake = (tx: Tx, mailing?: Mailing | null): Promise<void> =>
    jobs.add(tx, "mail-batch", [{ data: null, at: mailing?.dueAt }]);
  const postOwn = async (tx: Tx, mail: OwnMail, limits: string[]): Promise<void> => {
    if (await insertWithin(tx, mail, limits)) await wake(tx);
  };

  return {
    /**
     * Writes confirmations.
     * @param mailing the mailing that they leave with; without one they may leave at once
     * @returns the mails' ids, in order
     */
    async post(tx: Tx, mails: NewMail[], mailing: Mailing | null = null): Promise<string[]> {
      if (mails.length === 0) return [];
      const rows = mails.map(rowOf);
      await insertWaiting(tx, rows, mailing);
      await wake(tx, mailing);
      return rows.map((row) => row.id);
    },

    /** Writes one person's welcome, unless the newsletter has none or the person had one in the last 24 hours. */
    async postWelcome(tx: Tx, mail: NewMail): Promise<void> {
      if (await insertWelcome(tx, rowOf(mail))) await wake(tx);
    },

    /**
     * Writes one person's preferences link, at most one a minute and three in 24 hours. The limit is separate from that
     * of confirmations, and covers all newsletters and spellings of the address.
     */
    postPreferences: (tx: Tx, mail: NewMail): Promise<void> =>
      postOwn(tx, { ...mail, kind: "preferences" }, [otherMailHash("preferences", mail.canonical)]),

    /**
     * Writes a link to a person's new address; the link makes the address theirs. The limit counts both the requester
     * and the new address. `toEmail` has its domain in ASCII; `oldCanonical` is the current address.
     */
    postNewAddress(tx: Tx, { oldCanonical, ...mail }: NewMail & { oldCanonical: string }): Promise<void> {
      const limits = [otherMailHash("address of", oldCanonical), otherMailHash("address to", mail.canonical)];
      return postOwn(tx, { ...mail, canonical: oldCanonical, kind: "new_address" }, limits);
    },

    /** Writes one mail to the staff. @returns its id */
    async postToStaff(tx: Tx, mail: StaffMail): Promise<string> {
      const id = newId();
      const linkExpiresAt = new Date(Date.now() + LINK_MS);
      await insertWritten(tx, { id, recipientHash: recipientHash(mail.toEmail), linkExpiresAt, ...mail });
      await wake(tx);
      return id;
    },

    wake,
    hasProvider,
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
