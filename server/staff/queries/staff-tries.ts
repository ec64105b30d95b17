import { type Db, Prisma } from "../../platform/db/client";

/** A limit on tries: `free` tries at once, then waits that double from the first to the longest. */
export type TryLimits = {
  free: number;
  firstWaitSeconds: number;
  longestWaitSeconds: number;
  /** The time without a try after which earlier tries are forgotten. */
  forgottenAfterSeconds: number;
};

/**
 * The result of a try. `tries`: the number of tries, including this one. `waitSeconds`: the seconds to wait; the try is
 * not counted.
 */
export type Try = { tries: number } | { waitSeconds: number };

/**
 * Counts a try before its outcome is known, unless the try comes too early. So simultaneous tries can't exceed the
 * limit.
 * One statement with `clock_timestamp()`, because it may have waited for another try's lock.
 */
export async function countTry(db: Db, subject: string, tryLimits: TryLimits): Promise<Try> {
  const { free, firstWaitSeconds, longestWaitSeconds, forgottenAfterSeconds } = tryLimits;
  // The exponent is bounded: PostgreSQL raises an error when a power of two overflows floating point.
  const nextAt = (
    tries: Prisma.Sql,
  ) => Prisma.sql`clock_timestamp() + make_interval(secs => CASE WHEN ${tries} < ${free}::int THEN 0
    ELSE least(${longestWaitSeconds}::float8, ${firstWaitSeconds}::float8 * 2 ^ least(${tries} - ${free}::int, 30)) END)`;
  const tries = Prisma.sql`(CASE WHEN t.tried_at < clock_timestamp() - make_interval(secs => ${forgottenAfterSeconds}::float8)
    THEN 1 ELSE t.tries + 1 END)`;
  const counted = await db.$queryRaw<{ tries: number }[]>`
    INSERT INTO staff_tries AS t (subject, tries, tried_at, next_at) VALUES (${subject}, 1, clock_timestamp(), ${nextAt(Prisma.sql`1`)})
    ON CONFLICT (subject) DO UPDATE SET tries = ${tries}, tried_at = clock_timestamp(), next_at = ${nextAt(tries)}
    WHERE t.next_at <= clock_timestamp()
    RETURNING tries`;
  if (counted[0]) return counted[0];
  const waiting = await db.$queryRaw<{ seconds: number }[]>`
    SELECT ceil(extract(epoch FROM next_at - clock_timestamp()))::int AS seconds FROM staff_tries WHERE subject = ${subject}`;
  return { waitSeconds: Math.max(1, waiting[0]?.seconds ?? 1) };
}

export async function forgetTries(db: Db, subject: string): Promise<void> {
  await db.staffTry.deleteMany({ where: { subject } });
}
