import type { Db, Tx } from "./client";

/**
 * Returns the database's time, which is the clock that all processes share. In a transaction this is its start time.
 */
export async function databaseNow(db: Db | Tx): Promise<Date> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  return (rows[0] as { now: Date }).now;
}
