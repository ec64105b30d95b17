import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "./client";

/**
 * Prepares a transaction that takes seconds. It counts people in its own rows, so that no other transaction waits for
 * it. Its connection discards cached query plans: foreign key plans from when the tables were empty made 2,000 deletes
 * take more than 15 s.
 */
export async function openLongTransaction(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.counting', 'apart', true)`;
  await tx.$executeRaw`DISCARD PLANS`;
}

/**
 * Locks the newsletter against other imports and undos of imports in all processes, until the transaction ends.
 * @param meanwhile called before each try; an error ends the wait
 */
export async function waitForImports(
  tx: Tx,
  newsletterId: string,
  meanwhile: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await meanwhile();
    const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${newsletterId}, 1886676844)) AS taken`;
    if (row?.taken) return;
    await sleep(100);
  }
}
