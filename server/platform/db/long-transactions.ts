import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "./client";

/**
 * Prepares a transaction that takes seconds. It counts people in rows of its own, so that nobody waits for it, and its
 * connection discards its query plans: those of the foreign keys may stem from when the tables were empty, and made 2,000
 * deletes take more than 15 s.
 */
export async function openLongTransaction(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.counting', 'apart', true)`;
  await tx.$executeRaw`DISCARD PLANS`;
}

/**
 * Makes this transaction the only one, in all processes, that imports into the newsletter or undoes an import.
 * @param meanwhile before each try; what it throws ends the wait
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
