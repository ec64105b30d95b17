import type { Db } from "./client";

/** Whether a job is due or under way, in any process; those of pg-boss itself apart. */
export async function hasDueJobs(db: Db): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pgboss.job WHERE state <= 'active' AND start_after <= now() AND name NOT LIKE '\_\_pgboss%' LIMIT 1`;
  return rows.length > 0;
}
