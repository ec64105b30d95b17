import { type Db, Prisma } from "../../platform/db/client";

/** How often something may be tried: `free` times at once, then after waits that double from the first to the longest. */
export type Patience = {
  free: number;
  firstWaitSeconds: number;
  longestWaitSeconds: number;
  /** After so long without a try, those before it are forgotten. */
  forgottenAfterSeconds: number;
};

/** @returns how many tries there were, this one included; or the whole seconds to wait, for a try that was not counted */
export type Try = { tries: number } | { waitSeconds: number };

/**
 * Counts a try of something, unless it comes too early: before it is known how it ends, so that of many at once no more
 * are let through. One statement, by the database's clock: of the moment, since it may have waited for another of its kind.
 */
export async function countTry(db: Db, subject: string, patience: Patience): Promise<Try> {
  const { free, firstWaitSeconds, longestWaitSeconds, forgottenAfterSeconds } = patience;
  // The exponent is bounded, since a power of two that is none in floating point is an error.
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

/** Forgets the tries of something, once it has gone well. */
export async function forgetTries(db: Db, subject: string): Promise<void> {
  await db.staffTry.deleteMany({ where: { subject } });
}
