import type { Db, Tx } from "../../platform/db/client";

/** The longest wait of a batch before its next attempt. */
const maxRetrySeconds = 900;

/** How a batch ended; the mails of `divided` batches are in new batches. */
export type BatchOutcome = "accepted" | "rejected" | "divided" | "cancelled" | "uncertain";

export type NewBatch = { id: string; payload: string; size: number };

/** Writes a batch that is due at once, without a started attempt. */
export async function insertDue(tx: Tx, batch: NewBatch): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail_batches (id, payload, size, next_attempt_at)
    VALUES (${batch.id}::uuid, ${batch.payload}, ${batch.size}::int, date_trunc('milliseconds', now()))`;
}

export type DueBatch = NewBatch & {
  attempts: number;
  /** Seconds since the first attempt that the provider may have accepted; null when it certainly accepted none. */
  unsureSeconds: number | null;
};

/** Whether a batch may need another attempt, now or later. */
export async function isUnfinished(db: Db, id: string): Promise<boolean> {
  return (await db.mailBatch.count({ where: { id, finishedAt: null } })) > 0;
}

/** Locks a due batch. Returns null when the batch is finished, or when another lease or a wait is not over. */
export async function lockDue(tx: Tx, id: string): Promise<DueBatch | null> {
  const [row] = await tx.$queryRaw<DueBatch[]>`
    SELECT id, payload, size, attempts, extract(epoch FROM now() - unsure_since)::float8 AS "unsureSeconds"
    FROM mail_batches WHERE id = ${id}::uuid AND finished_at IS NULL
      AND next_attempt_at <= now()
    FOR UPDATE`;
  return row ?? null;
}

/**
 * Records the start of an attempt before the provider receives the batch: from now on it may have accepted the mails.
 * The attempt holds the batch for `leaseSeconds`.
 * @returns the number of the attempt, and when the lease ends
 */
export async function beginAttempt(
  tx: Tx,
  id: string,
  leaseSeconds: number,
): Promise<{ attempts: number; leaseEnds: Date }> {
  const [row] = await tx.$queryRaw<[{ attempts: number; leaseEnds: Date }]>`
    UPDATE mail_batches SET attempts = attempts + 1, unsure_since = coalesce(unsure_since, now()),
      next_attempt_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    WHERE id = ${id}::uuid
    RETURNING attempts, next_attempt_at AS "leaseEnds"`;
  return row;
}

/**
 * Schedules the next attempt of a batch. Does nothing when a later attempt has taken over.
 * @param sure the provider certainly accepted none of it, in this attempt or before
 * @returns when it is due again; null when another attempt holds it
 */
export async function postpone(
  tx: Tx,
  { id, attempts }: Pick<DueBatch, "id" | "attempts">,
  { seconds, sure }: { seconds: number; sure: boolean },
): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ due: Date }[]>`
    UPDATE mail_batches SET unsure_since = CASE WHEN ${sure} THEN NULL ELSE unsure_since END,
      next_attempt_at = date_trunc('milliseconds', now()) + ${Math.min(seconds, maxRetrySeconds)}::float8 * interval '1 second'
    WHERE id = ${id}::uuid AND finished_at IS NULL AND attempts = ${attempts}::int
    RETURNING next_attempt_at AS due`;
  return row?.due ?? null;
}

/**
 * Finishes a batch and deletes its bytes.
 * @param attempt the attempt that ended; null to finish the batch even while another attempt runs
 * @returns false when it was closed before, or another attempt has begun since
 */
export async function close(
  tx: Tx,
  id: string,
  outcome: BatchOutcome,
  attempt: number | null,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE mail_batches SET outcome = ${outcome}, finished_at = now(), payload = NULL
    WHERE id = ${id}::uuid AND finished_at IS NULL AND attempts = coalesce(${attempt}::int, attempts)`;
  return count > 0;
}

/** The backlog of sending, for monitoring. */
export type SendBacklog = {
  /** Batches that have been due for five minutes without a new attempt. */
  overdueSends: number;
  /** The age of the oldest mail that may leave at any time; null without one. */
  oldestWaitingSeconds: number | null;
};

export async function findSendBacklog(db: Db): Promise<SendBacklog> {
  const [row] = await db.$queryRaw<[SendBacklog]>`
    SELECT
      (SELECT count(*)::int FROM mail_batches
        WHERE finished_at IS NULL AND next_attempt_at < now() - interval '5 minutes') AS "overdueSends",
      (SELECT extract(epoch FROM now() - created_at)::int FROM mails
        WHERE state = 'waiting' ORDER BY id LIMIT 1) AS "oldestWaitingSeconds"`;
  return row;
}

/** Batches that have been due for `seconds` without a new attempt: their job was lost. */
export async function listOverdue(db: Db | Tx, seconds: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM mail_batches
    WHERE finished_at IS NULL AND next_attempt_at < now() - ${seconds}::float8 * interval '1 second'
    ORDER BY next_attempt_at LIMIT 1000`;
  return rows.map((row) => row.id);
}
