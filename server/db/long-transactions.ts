import type { Tx } from "./client";

/** Makes the transaction count people in rows of its own, so that nobody waits for it; see the migration of imports. */
export async function countApart(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.counting', 'apart', true)`;
}

/** Makes this transaction the only one, in all processes, that imports into the newsletter or takes an import back. */
export async function tryLockImports(tx: Tx, newsletterId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${newsletterId}, 1886676844)) AS taken`;
  return row?.taken === true;
}
