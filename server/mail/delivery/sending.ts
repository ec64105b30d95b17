import { newId } from "../../kernel/ids";
import type { Db, Tx } from "../../platform/db/client";
import type { Jobs } from "../../platform/jobs/jobs";
import { listSending } from "../queries/due-mails";
import {
  type BatchOutcome,
  close,
  type DueBatch,
  insertDue,
  lockDue,
  postpone,
} from "../queries/mail-batches";
import {
  cancelWithReasons,
  finishMails,
  type MailResult,
  moveToBatch,
  noteDelay,
} from "../queries/mail-state-changes";
import { type BegunBatch, startBatch } from "./batching";
import type { DeliveryOutcome } from "./provider";
import { type Delay, delay, MISMATCH, rejection, uncertainReason } from "./reasons";

export type MailLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

export type Sending = {
  db: Db;
  jobs: Jobs;
  log: MailLog;
  leaseSeconds: number;
  /** The first wait after an ambiguous attempt. The wait doubles after each further one, up to 15 minutes. */
  backoffMs: number;
  /** See `ProviderLimits`. */
  uncertainAfterSeconds: number;
};

const MAX_BACKOFF_MS = 15 * 60_000;

/**
 * Milliseconds to wait after the `failures`-th failure. Random by 20% either way, so that processes don't retry in
 * step.
 */
export function backoff(backoffMs: number, failures: number): number {
  return Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** Math.min(failures - 1, 20)) * (0.8 + 0.4 * Math.random());
}

/**
 * Starts another attempt of a batch if it is due, unless it is finished or another process holds it. A batch that the
 * provider may have accepted is resent with the same bytes or not at all. This holds even if people in it were erased
 * or confirmed meanwhile. A batch that was certainly not accepted is checked again, and mails no longer wanted are
 * removed.
 */
export async function resumeBatch(sending: Sending, tx: Tx, batchId: string): Promise<BegunBatch | null> {
  const batch = await lockDue(tx, batchId);
  if (!batch) return null;
  if (batch.unsureSeconds === null) {
    const wanted = await stillWanted(tx, batch);
    if (wanted.length === 0) return closeBatch(tx, batch, "cancelled", []);
    if (wanted.length < batch.size) {
      const [rest] = await splitBatch(tx, batch, [wanted]);
      return rest ? startBatch(sending, tx, rest, true) : null;
    }
  } else if (batch.unsureSeconds > sending.uncertainAfterSeconds) {
    sending.log.error(
      { batchId, mails: batch.size },
      "mail: gave up on a batch; it may or may not have been accepted",
    );
    const uncertain = same(batch.size, "uncertain", "uncertain", uncertainReason(sending));
    return closeBatch(tx, batch, "uncertain", uncertain);
  }
  return startBatch(sending, tx, batch, batch.unsureSeconds === null);
}

/**
 * Writes the outcome of an attempt: the final state of the mails, or the time of the next attempt.
 * @returns milliseconds until the next attempt, or null when there is none
 */
export async function finish(
  sending: Sending,
  batch: BegunBatch,
  outcome: DeliveryOutcome,
): Promise<number | null> {
  const { log, db } = sending;
  const about = {
    batchId: batch.id,
    mails: batch.size,
    attempt: batch.attempts,
    outcome: outcome.kind,
    ...("code" in outcome && { code: outcome.code }),
  };
  return db.$transaction(async (tx) => {
    if (outcome.kind === "ambiguous" && sending.uncertainAfterSeconds === 0) {
      const uncertain = same(batch.size, "uncertain", outcome.code, uncertainReason(sending));
      await closeBatch(tx, batch, "uncertain", uncertain);
      log.error(about, "mail: it may or may not have been accepted, and can't be repeated");
      return null;
    }
    switch (outcome.kind) {
      case "accepted":
        await closeBatch(tx, batch, "accepted", accepted(outcome));
        log[outcome.rejections.length > 0 ? "warn" : "info"](
          { ...about, rejected: outcome.rejections.length },
          "mail: accepted by the provider",
        );
        return null;
      case "rejected":
        await reject(sending, tx, batch, outcome);
        log.warn(about, "mail: rejected");
        return null;
      case "mismatch":
        await closeBatch(tx, batch, "uncertain", same(batch.size, "uncertain", outcome.code, MISMATCH));
        log.error(about, "mail: the provider has this batch with different content, which must never happen");
        return null;
      default: {
        const next = await retryLater(sending, tx, batch, outcome);
        if (next) log.warn({ ...about, nextAttemptAt: next.due }, "mail: will be retried");
        return next?.ms ?? null;
      }
    }
  });
}

/** Fails a rejected batch, or splits it to find the mail that caused the rejection. */
async function reject(
  { jobs }: Sending,
  tx: Tx,
  batch: BegunBatch,
  { code, message }: DeliveryOutcome & { kind: "rejected" },
): Promise<void> {
  if (batch.size === 1 || code === "invalid_from_address") {
    await closeBatch(tx, batch, "rejected", same(batch.size, "failed", code, rejection(message)));
    return;
  }
  // One bad address can fail the whole batch. The batch is halved until that mail is alone.
  const halves = await splitInHalf(tx, batch);
  await jobs.add(
    tx,
    "mail-send",
    halves.map(({ id }) => ({ data: { batchId: id } })),
  );
}

/** Delays a batch and records why. @returns null when another attempt has taken over */
async function retryLater(
  sending: Sending,
  tx: Tx,
  batch: BegunBatch,
  outcome: Delay,
): Promise<{ ms: number; due: Date } | null> {
  const { id, attempts } = batch;
  const ms = outcome.kind === "throttled" ? outcome.waitMs : backoff(sending.backoffMs, attempts);
  // A 429 or 401 does not show the result of an earlier attempt with a lost answer.
  const sure = batch.sure && ["throttled", "blocked", "later"].includes(outcome.kind);
  const due = await delayBatch(sending, tx, { ...batch, sure }, ms);
  if (!due) return null;
  await noteDelay(tx, id, { attempts, code: outcome.code, message: delay(outcome) });
  return { ms, due };
}

/** Releases a batch for later. The provider has received none of it in this attempt. */
export async function releaseBatch(sending: Sending, batch: BegunBatch, waitMs: number): Promise<void> {
  await sending.db.$transaction((tx) => delayBatch(sending, tx, batch, waitMs));
}

/** Schedules the next attempt of a batch, with a job for it. @returns null when another attempt has taken over */
async function delayBatch({ jobs }: Sending, tx: Tx, batch: BegunBatch, ms: number): Promise<Date | null> {
  const due = await postpone(tx, batch, { seconds: ms / 1000, sure: batch.sure });
  if (due) await jobs.add(tx, "mail-send", [{ data: { batchId: batch.id }, at: due }]);
  return due;
}

type Ending = Pick<DueBatch, "id" | "attempts">;

/** Locks the batch before its mails, as everywhere, to prevent deadlocks between two processes that finish it. */
async function closeBatch(
  tx: Tx,
  batch: Ending,
  outcome: BatchOutcome,
  results: MailResult[],
): Promise<null> {
  const closed = await close(tx, batch.id, outcome, outcome === "accepted" ? null : batch.attempts);
  // An acceptance is recorded even while another attempt runs, and even after the mails were given up.
  if (closed || outcome === "accepted") await finishMails(tx, batch.id, batch.attempts, results);
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

function accepted({ ids, rejections }: DeliveryOutcome & { kind: "accepted" }): MailResult[] {
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

/** Cancels the mails of a batch that are no longer wanted. @returns the positions of the others */
async function stillWanted(tx: Tx, batch: DueBatch): Promise<number[]> {
  const open = await listSending(tx, batch.id);
  await cancelWithReasons(tx, open, ["sending"]);
  return open.filter((mail) => mail.cancelReason === null).map((mail) => mail.position);
}

async function splitInHalf(tx: Tx, batch: BegunBatch): Promise<{ id: string }[]> {
  const open = (await listSending(tx, batch.id)).map((mail) => mail.position);
  const middle = Math.ceil(open.length / 2);
  return splitBatch(tx, batch, [open.slice(0, middle), open.slice(middle)]);
}

/** Moves mails that were certainly not accepted into new batches, due at once. Each mail keeps its bytes. */
async function splitBatch(tx: Tx, batch: Ending & { payload: string }, groups: number[][]) {
  const mails = JSON.parse(batch.payload) as unknown[];
  // Only the latest attempt may split the batch. Another running attempt could still send these mails.
  if (!(await close(tx, batch.id, "divided", batch.attempts))) return [];
  const parts = [];
  for (const positions of groups.filter((group) => group.length > 0)) {
    const part = {
      id: newId(),
      payload: JSON.stringify(positions.map((at) => mails[at])),
      size: positions.length,
    };
    await insertDue(tx, part);
    await moveToBatch(tx, batch.id, part.id, positions);
    parts.push(part);
  }
  return parts;
}
