import { createHash } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { Tx } from "../db/client";
import { insertWaiting, insertWritten } from "../db/mails";
import { throttleKey } from "../domain/email";
import { newId } from "../domain/ids";
import { startQueues, wakePacker } from "./queues";

/** A confirmation to be sent. `toEmail` is the address as given, `canonical` what makes it unique. */
export type NewMail = { newsletterId: string; subscriberId: string; toEmail: string; canonical: string };

/** A mail to the staff, with its final words. `toEmail` has its domain in ASCII. */
export type StaffMail = { toEmail: string; subject: string; html: string; text: string } & (
  | { kind: "test"; newsletterId: string; staffId: string }
  | { kind: "invitation"; invitationId: string; expiresAt: Date }
);

export interface Outbox {
  /**
   * Writes mails and what wakes their delivery, in the caller's transaction: both are there when it commits, neither when
   * it does not. Nothing is rendered and nobody is called here.
   * @returns the mails' ids, in order
   * @throws what the database throws
   */
  post(tx: Tx, mails: NewMail[]): Promise<string[]>;
  /** The same for one mail to the staff. @returns its id */
  postToStaff(tx: Tx, mail: StaffMail): Promise<string>;
  /** Only wakes their delivery, for mails that the caller has written into the outbox within the database. */
  wake(tx: Tx): Promise<void>;
}

type Options = { databaseUrl: string; log: { warn(details: object, message: string): void } };

/** Names a person for throttling without keeping who they are: one key for all spellings of an address, hashed. */
export function recipientHash(canonical: string): string {
  return createHash("sha256").update(throttleKey(canonical)).digest("hex");
}

/** An outbox for any process, whether or not it delivers. Connects with the first post. */
export function openOutbox({ databaseUrl, log }: Options): Outbox {
  let queues: Promise<PgBoss> | undefined;

  /**
   * Sees once that the queue's tables exist, on a connection of its own: the caller's pool may be used up by callers that
   * wait for this. Afterwards pg-boss is only asked to write its insert into callers' transactions, for which it need not run.
   */
  function ready(): Promise<PgBoss> {
    queues ??= startQueues(
      databaseUrl,
      "poster",
      (err) => log.warn({ err }, "mail: the queue's connection was lost"),
      log,
    )
      .then(async (boss) => {
        await boss.stop({ graceful: false });
        return boss;
      })
      .catch((error) => {
        queues = undefined;
        throw error;
      });
    return queues;
  }

  return {
    async post(tx, mails) {
      if (mails.length === 0) return [];
      const boss = await ready();
      const rows = mails.map((mail) => ({
        id: newId(),
        newsletterId: mail.newsletterId,
        subscriberId: mail.subscriberId,
        toEmail: mail.toEmail,
        recipientHash: recipientHash(mail.canonical),
      }));
      await insertWaiting(tx, rows);
      await wakePacker(boss, tx);
      return rows.map((row) => row.id);
    },

    async postToStaff(tx, mail) {
      const boss = await ready();
      const { kind, toEmail, subject, html, text } = mail;
      const id = newId();
      const about =
        kind === "test"
          ? { newsletterId: mail.newsletterId, staffId: mail.staffId, invitationId: null }
          : { newsletterId: null, staffId: null, invitationId: mail.invitationId };
      const expiresAt = kind === "invitation" ? mail.expiresAt : null;
      const row = { id, kind, ...about, toEmail, recipientHash: recipientHash(toEmail), subject, html, text };
      await insertWritten(tx, row, expiresAt);
      await wakePacker(boss, tx);
      return id;
    },

    async wake(tx) {
      await wakePacker(await ready(), tx);
    },
  };
}
