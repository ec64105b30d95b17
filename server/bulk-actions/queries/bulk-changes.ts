import { Prisma, type Tx } from "../../platform/db/client";
import type { FieldValue } from "../../subscribers/field-values";
import type { LockedSubscriber, StoredFields } from "../../subscribers/shared-queries";
import type { Status } from "../../subscribers/status-moves";
import type { Retired } from "../../subscribers/tag-changes";

/**
 * The change of a bulk action, by number: tags to add or remove, or the value of a field. retag: the tag and, if it was
 * merged, the one that replaces it.
 */
export type StoredChange = {
  tags?: number[];
  fields?: Record<string, FieldValue | null>;
  /** Everything besides people that the undo of a retag restores. */
  retired?: Retired;
};

/** Stores people before they change. @param mailIds the confirmation that is written to each, in order */
export async function storeUndoData(
  tx: Tx,
  id: string,
  people: LockedSubscriber[],
  mailIds: string[] = [],
): Promise<void> {
  await tx.bulkActionChange.createMany({
    data: people.map((person, i) => ({
      bulkActionId: id,
      subscriberId: person.id,
      was: person.status,
      hadLeft: person.unsubscribedAt !== null,
      version: person.version + 1,
      mailId: mailIds[i] ?? null,
      fieldsWas: person.fields ?? Prisma.DbNull,
      tagsWas: person.tags ?? [],
    })),
  });
}

/** Locked people as they were before an action. People who changed since are left out. */
type Before = { was: Status; hadLeft: boolean; fields: StoredFields | null; tags: number[] };

export async function findUnchanged(
  tx: Tx,
  id: string,
  people: LockedSubscriber[],
): Promise<Map<string, Before>> {
  const versions = new Map(people.map((person) => [person.id, person.version]));
  const rows = await tx.bulkActionChange.findMany({
    where: { bulkActionId: id, subscriberId: { in: [...versions.keys()] } },
  });
  const unchanged = rows.filter(({ subscriberId, version }) => versions.get(subscriberId) === version);
  return new Map(
    unchanged.map(({ subscriberId, was, hadLeft, fieldsWas, tagsWas }) => [
      subscriberId,
      { was: was as Status, hadLeft, fields: fieldsWas as StoredFields | null, tags: tagsWas },
    ]),
  );
}
