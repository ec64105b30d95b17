import type { Db, Tx } from "../../platform/db/client";

/** The longest that a batch waits for its next attempt, whatever for. */
const maxRetrySeconds = 900;

/** How a batch ended; `divided` ones live on in others. */
export type BatchOutcome = "accepted" | "rejected" | "divided" | "cancelled" | "uncertain";

export type NewBatch = { id: string; payload: string; size: number };

/** Writes a batch that is due at once, whose first attempt has not begun. */
export async function insertDue(tx: Tx, batch: NewBatch): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mail_batches (id, payload, size, next_attempt_at)
    VALUES (${batch.id}::uuid, ${batch.payload}, ${batch.size}::int, date_trunc('milliseconds', now()))`;
}

export type DueBatch = NewBatch & {
  attempts: number;
  /** Seconds since the first attempt that the provider may have taken; null when it surely took none. */
  unsureSeconds: number | null;
};

/** Whether a batch may have to be sent again, now or later. */
export async function isUnfinished(db: Db, id: string): Promise<boolean> {
  return (await db.mailBatch.count({ where: { id, finishedAt: null } })) > 0;
}

/** Locks a batch whose time has come; null when it is finished, or when somebody else's lease or a wait is not over. */
export async function lockDue(tx: Tx, id: string): Promise<DueBatch | null> {
  const [row] = await tx.$queryRaw<DueBatch[]>`
    SELECT id, payload, size, attempts, extract(epoch FROM now() - unsure_since)::float8 AS "unsureSeconds"
    FROM mail_batches WHERE id = ${id}::uuid AND finished_at IS NULL
      AND next_attempt_at <= now()
    FOR UPDATE`;
  return row ?? null;
}

/**
 * Notes that an attempt begins, before the provider hears of it: from now on it may have taken the mails. The attempt has
 * the batch to itself for `leaseSeconds`.
 * @returns the number of the attempt, and when the lease ends
 */
export async function beginAttempt(
  tx: Tx,
  id: string,
  leaseSeconds: number,
): Promise<{ attempt: number; leaseEnds: Date }> {
  const [row] = await tx.$queryRaw<[{ attempt: number; leaseEnds: Date }]>`
    UPDATE mail_batches SET attempts = attempts + 1, unsure_since = coalesce(unsure_since, now()),
      next_attempt_at = now() + ${leaseSeconds}::float8 * interval '1 second'
    WHERE id = ${id}::uuid
    RETURNING attempts AS attempt, next_attempt_at AS "leaseEnds"`;
  return row;
}

/**
 * Lets a batch wait. Does nothing when a later attempt has taken over since `attempt`.
 * @param sure the provider surely took none of it, in this attempt or before
 * @returns when it is due again; null when it is no longer ours
 */
export async function postpone(
  tx: Tx,
  id: string,
  { attempt, seconds, sure }: { attempt: number; seconds: number; sure: boolean },
): Promise<Date | null> {
  const [row] = await tx.$queryRaw<{ due: Date }[]>`
    UPDATE mail_batches SET unsure_since = CASE WHEN ${sure} THEN NULL ELSE unsure_since END,
      next_attempt_at = date_trunc('milliseconds', now()) + ${Math.min(seconds, maxRetrySeconds)}::float8 * interval '1 second'
    WHERE id = ${id}::uuid AND finished_at IS NULL AND attempts = ${attempt}::int
    RETURNING next_attempt_at AS due`;
  return row?.due ?? null;
}

/**
 * Finishes a batch and deletes its bytes.
 * @param attempt the attempt that came to this end; null when the end holds whoever else is trying
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

/** How sending does, for whoever watches it. */
export type SendBacklog = {
  /** Batches whose time came five minutes ago, and that nobody has taken up. */
  overdueSends: number;
  /** How long the oldest mail has waited that may leave at any time; null without one. */
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

/** Batches whose time came `seconds` ago and that nobody has taken up since: their job was lost. */
export async function listOverdue(db: Db | Tx, seconds: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM mail_batches
    WHERE finished_at IS NULL AND next_attempt_at < now() - ${seconds}::float8 * interval '1 second'
    ORDER BY next_attempt_at LIMIT 1000`;
  return rows.map((row) => row.id);
}
