import type { PgBoss } from "pg-boss";
import type { Db, Tx } from "../db/client";
import { close, type DueSend, insertDue, lockDue, postpone, type SendOutcome } from "../db/mail-batches";
import { cancel, listOpen, type MailResult, moveToSend, noteDelay, settle } from "../db/mails";
import { newId } from "../domain/ids";
import { type BegunSend, begin } from "./packing";
import { wakeSender } from "./queues";
import { cancelReasons, delay, MISMATCH, rejection, UNCERTAIN } from "./reasons";
import type { Outcome } from "./resend";

export type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

export type Sending = {
  db: Db;
  boss: PgBoss;
  log: Log;
  leaseSeconds: number;
  /** The first wait after an attempt that may or may not have worked; it doubles from one to the next, up to 15 minutes. */
  backoffMs: number;
  /** How long a send of which nobody knows is tried again: less than the 24 hours that Resend remembers its key. */
  uncertainAfterSeconds: number;
};

const MAX_BACKOFF_MS = 15 * 60_000;

/** Milliseconds before the attempt after the `failures`-th, a fifth more or less, so that processes don't march in step. */
export function backoff(backoffMs: number, failures: number): number {
  return Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** Math.min(failures - 1, 20)) * (0.8 + 0.4 * Math.random());
}

/**
 * Begins another attempt of a send, if it is due: otherwise it is settled, or someone else has it.
 * A send that the provider may have taken leaves with the same bytes as before, whoever was erased or confirmed meanwhile, or
 * not at all. One that it surely did not take is looked through again, and whoever is no longer wanted is left out.
 */
export async function resume(sending: Sending, tx: Tx, batchId: string): Promise<BegunSend | null> {
  const send = await lockDue(tx, batchId);
  if (!send) return null;
  if (send.unsureSeconds === null) {
    const wanted = await stillWanted(tx, send);
    if (wanted.length === 0) return end(tx, send, "cancelled", []);
    if (wanted.length < send.size) {
      const [rest] = await divide(tx, send, [wanted]);
      return rest ? begin(sending, tx, rest, true) : null;
    }
  } else if (send.unsureSeconds > sending.uncertainAfterSeconds) {
    sending.log.error(
      { batchId, mails: send.size },
      "mail: gave up on a send; nobody knows whether Resend took it",
    );
    return end(tx, send, "uncertain", same(send.size, "uncertain", "uncertain", UNCERTAIN));
  }
  return begin(sending, tx, send, send.unsureSeconds === null);
}

/**
 * Writes down what came of an attempt: the mails' ends, or when the next one is due.
 * @returns milliseconds until the next attempt, or null when there is none
 */
export async function conclude(sending: Sending, send: BegunSend, outcome: Outcome): Promise<number | null> {
  const { log, db, boss } = sending;
  const { id: batchId, size, attempt } = send;
  const about = {
    batchId,
    mails: size,
    attempt,
    outcome: outcome.kind,
    ...("code" in outcome && { code: outcome.code }),
  };
  return db.$transaction(async (tx) => {
    switch (outcome.kind) {
      case "accepted":
        await end(tx, ended(send), "accepted", accepted(outcome));
        log.info({ ...about, rejected: outcome.rejections.length }, "mail: handed over to Resend");
        return null;
      case "rejected":
        if (size > 1 && outcome.code !== "invalid_from_address") {
          // One address may have condemned them all; the others leave in halves, until it is alone.
          const halves = await splitInHalf(tx, send);
          await wakeSender(
            boss,
            tx,
            halves.map((half) => ({ batchId: half.id })),
          );
        } else {
          await end(
            tx,
            ended(send),
            "rejected",
            same(size, "failed", outcome.code, rejection(outcome.message)),
          );
        }
        log.warn(about, "mail: rejected by Resend");
        return null;
      case "mismatch":
        await end(tx, ended(send), "uncertain", same(size, "uncertain", outcome.code, MISMATCH));
        log.error(about, "mail: Resend knows this send with other bytes, which must never happen");
        return null;
      default: {
        const ms =
          outcome.kind === "throttled"
            ? outcome.waitMs
            : outcome.kind === "busy"
              ? sending.backoffMs * 2
              : backoff(sending.backoffMs, attempt);
        // A 429 or 401 says nothing of an earlier attempt whose answer was lost.
        const sure = send.sure && (outcome.kind === "throttled" || outcome.kind === "blocked");
        const due = await postpone(tx, batchId, { attempt, seconds: ms / 1000, sure });
        if (!due) return null;
        await noteDelay(tx, batchId, attempt, outcome.code, delay(outcome));
        await wakeSender(boss, tx, [{ batchId, at: due }]);
        log.warn({ ...about, nextAttemptAt: due }, "mail: to be tried again");
        return ms;
      }
    }
  });
}

/** Gives a send back untried, for later: nothing of it has reached the provider in this attempt. */
export async function giveBack({ db, boss }: Sending, send: BegunSend, waitMs: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const due = await postpone(tx, send.id, {
      attempt: send.attempt,
      seconds: waitMs / 1000,
      sure: send.sure,
    });
    if (due) await wakeSender(boss, tx, [{ batchId: send.id, at: due }]);
  });
}

type Ending = { id: string; attempts: number };
const ended = (send: BegunSend): Ending => ({ id: send.id, attempts: send.attempt });

/** The send before its mails, as everywhere, so that two who settle it never wait in a circle. */
async function end(tx: Tx, send: Ending, outcome: SendOutcome, results: MailResult[]): Promise<null> {
  const closed = await close(tx, send.id, outcome, outcome === "accepted" ? null : send.attempts);
  // That mails were accepted is true whoever else is at it, and even after they were given up.
  if (closed || outcome === "accepted") await settle(tx, send.id, send.attempts, results);
  return null;
}

function same(size: number, state: "failed" | "uncertain", code: string, message: string): MailResult[] {
  return Array.from({ length: size }, (_, position) => ({
    position,
    state,
    providerId: null,
    code,
    message,
  }));
}

function accepted({ ids, rejections }: Outcome & { kind: "accepted" }): MailResult[] {
  const rejected = new Map(rejections.map(({ position, message }) => [position, message]));
  return ids.map((providerId, position) =>
    providerId === null
      ? {
          position,
          state: "failed",
          providerId,
          code: "validation_error",
          message: rejection(rejected.get(position) ?? ""),
        }
      : { position, state: "sent", providerId, code: null, message: null },
  );
}

/** Cancels the mails of a send that nobody wants any more. @returns the positions of the others */
async function stillWanted(tx: Tx, send: DueSend): Promise<number[]> {
  const open = await listOpen(tx, send.id);
  const unwanted = open.flatMap(({ id, cancelReason }) =>
    cancelReason ? [{ id, code: cancelReason, message: cancelReasons[cancelReason] }] : [],
  );
  await cancel(tx, unwanted);
  return open.filter((mail) => mail.cancelReason === null).map((mail) => mail.position);
}

async function splitInHalf(tx: Tx, send: BegunSend): Promise<{ id: string }[]> {
  const open = (await listOpen(tx, send.id)).map((mail) => mail.position);
  const middle = Math.ceil(open.length / 2);
  return divide(tx, { ...ended(send), payload: send.payload }, [open.slice(0, middle), open.slice(middle)]);
}

/** Puts mails that were surely not taken into new sends, which are due at once; the bytes of each mail stay what they were. */
async function divide(tx: Tx, send: Ending & { payload: string }, groups: number[][]) {
  const mails = JSON.parse(send.payload) as unknown[];
  // Only the latest attempt may: while another runs with these mails they must not leave elsewhere.
  if (!(await close(tx, send.id, "divided", send.attempts))) return [];
  const parts = [];
  for (const positions of groups.filter((group) => group.length > 0)) {
    const part = {
      id: newId(),
      payload: JSON.stringify(positions.map((at) => mails[at])),
      size: positions.length,
    };
    await insertDue(tx, part);
    await moveToSend(tx, send.id, part.id, positions);
    parts.push(part);
  }
  return parts;
}
