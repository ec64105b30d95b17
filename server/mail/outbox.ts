import { createHash } from "node:crypto";
import type { PgBoss } from "pg-boss";
import type { Tx } from "../db/client";
import { insertWaiting } from "../db/mails";
import { throttleKey } from "../domain/email";
import { newId } from "../domain/ids";
import { startQueues, wakePacker } from "./queues";

/** A confirmation to be sent. `toEmail` is the address as given, `canonical` what makes it unique. */
export type NewMail = { newsletterId: string; subscriberId: string; toEmail: string; canonical: string };

export interface Outbox {
  /**
   * Writes mails and what wakes their delivery, in the caller's transaction: both are there when it commits, neither when
   * it does not. Nothing is rendered and nobody is called here.
   * @throws what the database throws
   */
  post(tx: Tx, mails: NewMail[]): Promise<void>;
}

type Options = { databaseUrl: string; log: { warn(details: object, message: string): void } };

/** Names a person for throttling without keeping who they are: one key for all spellings of an address, hashed. */
export function personKey(canonical: string): string {
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
      if (mails.length === 0) return;
      const boss = await ready();
      await insertWaiting(
        tx,
        mails.map((mail) => ({
          id: newId(),
          newsletterId: mail.newsletterId,
          subscriberId: mail.subscriberId,
          toEmail: mail.toEmail,
          personKey: personKey(mail.canonical),
        })),
      );
      await wakePacker(boss, tx);
    },
  };
}
