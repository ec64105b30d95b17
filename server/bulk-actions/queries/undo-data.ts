import type { Tx } from "../../platform/db/client";

/** Deletes what bulk actions stored to undo their changes of these subscribers. */
export async function deleteUndoData(tx: Tx, subscriberIds: string[]): Promise<void> {
  await tx.bulkActionChange.deleteMany({ where: { subscriberId: { in: subscriberIds } } });
}
