import type { Tx } from "../../platform/db/client";
import { updateSubscribers } from "./subscribers";

/**
 * Keeps the status of subscribers who chose it themselves: no undo of a bulk action or an import reverts it. People
 * that an import added as unsubscribed count as changed since the import.
 */
export async function forgetUndo(tx: Tx, newsletterId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.bulkActionChange.deleteMany({ where: { subscriberId: { in: ids } } });
  const brought = await tx.subscriber.findMany({
    where: { newsletterId, id: { in: ids }, source: "import", version: 1, status: "unsubscribed" },
    select: { id: true },
  });
  const changed = brought.map(({ id }) => id);
  if (changed.length > 0) await updateSubscribers(tx, newsletterId, changed, {});
}
