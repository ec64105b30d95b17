import type { Tx } from "./client";

/**
 * Readies a transaction that goes on for seconds. It counts people in rows of its own, so that nobody waits for it (see the
 * migration of imports), and its connection forgets its plans: the foreign keys' own may stem from when the tables were
 * empty, and made 2,000 deletes take more than 15 s.
 */
export async function openLongTransaction(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.counting', 'apart', true)`;
  await tx.$executeRaw`DISCARD PLANS`;
}

/** Makes this transaction the only one, in all processes, that imports into the newsletter or takes an import back. */
export async function tryLockImports(tx: Tx, newsletterId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${newsletterId}, 1886676844)) AS taken`;
  return row?.taken === true;
}
