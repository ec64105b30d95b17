import type { Db, Tx } from "../../platform/db/client";

/**
 * Reserves the next start of a request to Resend, over all processes. A clock that is set back blocks no process: the
 * wait is at most ten gaps.
 * @param gapMs between two starts
 * @returns milliseconds until the start
 */
export async function reserveSend(db: Db, gapMs: number): Promise<number> {
  const [reserved] = await db.$queryRaw<{ ms: number }[]>`
    UPDATE send_pace
    SET next_at = least(greatest(next_at, clock_timestamp()), clock_timestamp() + ${10 * gapMs} * interval '1 ms') + ${gapMs} * interval '1 ms'
    RETURNING (extract(epoch FROM next_at - clock_timestamp()) * 1000 - ${gapMs})::float8 AS ms`;
  return Math.max(0, reserved?.ms ?? 0);
}

/** Since when sending is paused, and why: an operator paused it, or the database was restored from a backup. */
export type SendPause = { at: Date; by: "operator" | "restore" };

export async function findSendPause(db: Db | Tx): Promise<SendPause | null> {
  const rows = await db.$queryRaw<SendPause[]>`
    SELECT paused_at AS at, paused_by AS by FROM send_pace WHERE paused_at IS NOT NULL`;
  return rows[0] ?? null;
}

/** Pauses sending until `endSendPause`. @returns false when sending was already paused */
export async function beginSendPause(tx: Tx): Promise<boolean> {
  const rows = await tx.$executeRaw`
    UPDATE send_pace SET paused_at = now(), paused_by = 'operator' WHERE paused_at IS NULL`;
  return rows > 0;
}

export async function endSendPause(tx: Tx): Promise<void> {
  await tx.$executeRaw`UPDATE send_pace SET paused_at = NULL, paused_by = NULL`;
}
