import { Prisma, type Tx } from "../../platform/db/client";
import type { FieldValue } from "../../subscribers/field-values";
import type { LockedSubscriber, StoredFields } from "../../subscribers/shared-queries";

/** The change of a bulk action, by number: tags to add or remove, or the value of a field. */
export type StoredChange = { tags?: number[]; fields?: Record<string, FieldValue | null> };

/** Stores fields and tags of subscribers before they change. */
export async function storeAttributes(tx: Tx, id: string, people: LockedSubscriber[]): Promise<void> {
  await tx.bulkActionChange.createMany({
    data: people.map(({ id: subscriberId, status, version, fields, tags }) => ({
      bulkActionId: id,
      subscriberId,
      was: status,
      version: version + 1,
      fieldsWas: fields ?? Prisma.DbNull,
      tagsWas: tags ?? [],
    })),
  });
}

type RememberedAttributes = { version: number; fields: StoredFields | null; tags: number[] };

/** The values of these subscribers before the action, and their version after it. */
export async function findUndoData(
  tx: Tx,
  id: string,
  ids: string[],
): Promise<Map<string, RememberedAttributes>> {
  const rows = await tx.bulkActionChange.findMany({ where: { bulkActionId: id, subscriberId: { in: ids } } });
  return new Map(
    rows.map(({ subscriberId, version, fieldsWas, tagsWas }) => [
      subscriberId,
      { version, fields: fieldsWas as StoredFields | null, tags: tagsWas },
    ]),
  );
}
