import type { Db, Tx } from "./client";

/** The database's time, in a transaction that of its beginning: the one clock that all processes share. */
export async function databaseNow(db: Db | Tx): Promise<Date> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  return (rows[0] as { now: Date }).now;
}
