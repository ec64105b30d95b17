import type { Db, Prisma, Tx } from "../../platform/db/client";
import type { Tag } from "../schema/fields";
import { reserveNumbers } from "./fields";

export type TagRow = Prisma.TagGetPayload<object>;

/** All tags of a newsletter, by name. */
export function listTagRows(db: Db, newsletterId: string): Promise<TagRow[]> {
  return db.tag.findMany({ where: { newsletterId }, orderBy: { canonical: "asc" } });
}

export function countTagRows(tx: Db | Tx, newsletterId: string): Promise<number> {
  return tx.tag.count({ where: { newsletterId } });
}

/** The existing tags with these canonical names. */
export function findTags(db: Db | Tx, newsletterId: string, canonicals: string[]): Promise<TagRow[]> {
  return db.tag.findMany({ where: { newsletterId, canonical: { in: canonicals } } });
}

/** The names of tags by number. */
export async function tagNames(
  db: Db | Tx,
  newsletterId: string,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.tag.findMany({ where: { newsletterId, number: { in: numbers } } });
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/** Adds tags. Tags that another transaction added in the meantime stay unchanged. */
export async function insertTags(tx: Tx, newsletterId: string, tags: Tag[]): Promise<void> {
  const last = await reserveNumbers(tx, newsletterId, tags.length);
  await tx.tag.createMany({
    data: tags.map(({ name, canonical }, i) => ({ newsletterId, number: last - i, name, canonical })),
    skipDuplicates: true,
  });
}
