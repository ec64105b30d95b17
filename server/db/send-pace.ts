import type { Db } from "./client";

/**
 * Reserves the next start of a request to Resend for the caller, over all processes. A clock that is set back strands nobody:
 * no start is further ahead than ten others.
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
