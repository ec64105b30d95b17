import { bulkUndoHours } from "../../kernel/durations";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import type { Tag } from "../schema/fields";
import { clearValues, reserveNumbers } from "./fields";

export type TagRow = Prisma.TagGetPayload<object>;

export function listTagRows(db: Db, newsletterId: string): Promise<TagRow[]> {
  return db.tag.findMany({ where: { newsletterId, deletedAt: null }, orderBy: { canonical: "asc" } });
}

export function countTagRows(tx: Db | Tx, newsletterId: string): Promise<number> {
  return tx.tag.count({ where: { newsletterId, deletedAt: null } });
}

export function findTags(db: Db | Tx, newsletterId: string, canonicals: string[]): Promise<TagRow[]> {
  return db.tag.findMany({ where: { newsletterId, canonical: { in: canonicals }, deletedAt: null } });
}

/** The numbers by which people have a tag: its own, and those of the tags that were merged into it. */
export async function numbersOfTags(
  db: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<Map<string, number[]>> {
  if (canonicals.length === 0) return new Map();
  const rows = await findTags(db, newsletterId, canonicals);
  const merged = await db.tag.findMany({
    where: { newsletterId, mergedInto: { in: rows.map(({ number }) => number) } },
  });
  return new Map(
    rows.map(({ canonical, number }) => {
      const into = merged.filter(({ mergedInto }) => mergedInto === number);
      return [canonical, [number, ...into.map((one) => one.number)]];
    }),
  );
}

/** The names of tags by number, of deleted ones too. */
export async function storedTagNames(
  db: Db | Tx,
  newsletterId: string,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.tag.findMany({ where: { newsletterId, number: { in: numbers } } });
  return new Map(rows.map(({ number, name }) => [number, name]));
}

/** The names that people see, by number. A merged tag has the name of the other tag, and a deleted one has none. */
export async function tagNames(
  db: Db | Tx,
  newsletterId: string,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.tag.findMany({ where: { newsletterId, number: { in: numbers } } });
  const targets = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
  const into =
    targets.length === 0
      ? []
      : await db.tag.findMany({ where: { newsletterId, number: { in: targets }, deletedAt: null } });
  const targetNames = new Map(into.map(({ number, name }) => [number, name]));
  return new Map(
    rows.flatMap(({ number, name, deletedAt, mergedInto }) => {
      const seen = deletedAt === null ? name : targetNames.get(mergedInto ?? 0);
      return seen === undefined ? [] : [[number, seen] as const];
    }),
  );
}

/** Adds tags. Tags that another transaction added in the meantime stay unchanged. */
export async function insertTags(tx: Tx, newsletterId: string, tags: Tag[]): Promise<void> {
  const last = await reserveNumbers(tx, newsletterId, tags.length);
  // createMany takes seconds for thousands of tags.
  await tx.$executeRaw`
    INSERT INTO tags (newsletter_id, number, name, canonical)
    SELECT ${newsletterId}::uuid, ${last}::int + 1 - n, name, canonical
    FROM unnest(${textArray(tags.map(({ name }) => name))}::text[], ${textArray(tags.map(({ canonical }) => canonical))}::text[])
      WITH ORDINALITY AS new (name, canonical, n)
    ON CONFLICT DO NOTHING`;
}

/** A tag with the number of people who have it. `merging`: of those, who have a tag that was merged into it. */
type CountedTag = { name: string; createdAt: Date; people: number; merging: number };

async function countByNumber(db: Db, newsletterId: string): Promise<Map<number, number>> {
  // unnest stands in the SELECT: as a table of the FROM it takes three times as long.
  const rows = await db.$queryRaw<{ number: number; people: number }[]>`
    SELECT number, count(*)::int AS people FROM (
      SELECT unnest(s.tags) AS number FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND s.tags IS NOT NULL
    ) AS tagged GROUP BY number`;
  return new Map(rows.map(({ number, people }) => [number, people]));
}

/** The people who have any of the merged numbers. `others`: of those, who do not have the other tag as well. */
async function countMerging(db: Db, { newsletterId, number }: TagRow, merged: number[]) {
  const [counted = { merging: 0, others: 0 }] = await db.$queryRaw<{ merging: number; others: number }[]>`
    SELECT count(*)::int AS merging, count(*) FILTER (WHERE NOT s.tags @> ARRAY[${number}::int])::int AS others
    FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND s.tags && ${merged}::int[]`;
  return counted;
}

export async function countTags(db: Db, newsletterId: string): Promise<CountedTag[]> {
  // Joined here: without fresh statistics, PostgreSQL may count everybody again for each tag.
  const rows = await db.tag.findMany({ where: { newsletterId }, orderBy: { canonical: "asc" } });
  const held = await countByNumber(db, newsletterId);
  const merged = new Map<number, number[]>();
  for (const { number, mergedInto } of rows)
    if (mergedInto !== null && held.has(number))
      merged.set(mergedInto, [...(merged.get(mergedInto) ?? []), number]);
  const counted: CountedTag[] = [];
  for (const row of rows.filter(({ deletedAt }) => deletedAt === null)) {
    const { number, name, createdAt } = row;
    const from = merged.get(number);
    const { merging, others } = from ? await countMerging(db, row, from) : { merging: 0, others: 0 };
    counted.push({ name, createdAt, people: (held.get(number) ?? 0) + others, merging });
  }
  return counted;
}

/** Renames a tag. @throws an error that `isUniqueViolation` recognises, when another tag has the name */
export async function renameTagRow(
  tx: Tx,
  { newsletterId, number }: Pick<TagRow, "newsletterId" | "number">,
  { name, canonical }: Tag,
): Promise<void> {
  await tx.tag.update({
    where: { newsletterId_number: { newsletterId, number } },
    data: { name, canonical },
  });
}

/**
 * Deletes a tag, or merges it into another one. People keep its number.
 * @returns the numbers of the tags that were merged into it before; these are merged into the other tag now
 */
export async function retireTag(
  tx: Tx,
  { newsletterId, number }: Pick<TagRow, "newsletterId" | "number">,
  mergedInto: number | null,
): Promise<number[]> {
  await tx.tag.update({
    where: { newsletterId_number: { newsletterId, number } },
    data: { deletedAt: new Date(), mergedInto },
  });
  if (mergedInto === null) return [];
  const moved = await tx.tag.updateManyAndReturn({
    where: { newsletterId, mergedInto: number },
    data: { mergedInto },
  });
  return moved.map((row) => row.number);
}

/** Reverts `retireTag`. @param merged what it returned @throws an error that `isUniqueViolation` recognises, when the name is taken */
export async function restoreTag(
  tx: Tx,
  { newsletterId, number }: Pick<TagRow, "newsletterId" | "number">,
  merged: number[],
): Promise<void> {
  await tx.tag.update({
    where: { newsletterId_number: { newsletterId, number } },
    data: { deletedAt: null, mergedInto: null },
  });
  if (merged.length > 0)
    await tx.tag.updateMany({
      where: { newsletterId, number: { in: merged }, mergedInto: { not: null } },
      data: { mergedInto: number },
    });
}

/** The name of a tag, deleted or not. */
export function findTagByNumber(
  tx: Tx,
  { newsletterId, number }: Pick<TagRow, "newsletterId" | "number">,
): Promise<TagRow | null> {
  return tx.tag.findUnique({ where: { newsletterId_number: { newsletterId, number } } });
}

/** A bulk action can still run, or be undone. An undo that has begun may take longer than the time to begin it. */
const isOpen = Prisma.sql`a.state IN ('running', 'undoing') OR a.ended_at > now() - make_interval(hours => ${bulkUndoHours + 1}::int)`;

type DeletedTag = { newsletterId: string; number: number; mergedInto: number | null };

/**
 * Removes the numbers of deleted tags from all subscribers, and then the tags, when no bulk action needs them any more.
 * Subscribers who still have the number of a merged tag get that of the other tag.
 * @returns the number of tags
 */
export async function clearDeletedTags(db: Db): Promise<number> {
  const deleted = await db.$queryRaw<DeletedTag[]>`
    SELECT t.newsletter_id AS "newsletterId", t.number, t.merged_into AS "mergedInto" FROM tags t
    WHERE t.deleted_at < now() - make_interval(hours => ${bulkUndoHours}::int)
      AND NOT EXISTS (SELECT FROM bulk_actions a WHERE a.newsletter_id = t.newsletter_id AND a.change -> 'tags' @> to_jsonb(t.number) AND (${isOpen}))
    ORDER BY t.deleted_at`;
  for (const { newsletterId, number, mergedInto: into } of deleted) {
    const replaced = Prisma.sql`CASE WHEN s.tags @> ARRAY[${into}::int] THEN s.tags ELSE array_replace(s.tags, ${number}::int, ${into}::int) END`;
    const kept = into === null ? Prisma.sql`s.tags` : replaced;
    const set = Prisma.sql`tags = nullif(array_remove(${kept}, ${number}::int), '{}')`;
    await clearValues(db, newsletterId, { set, of: Prisma.sql`s.tags @> ARRAY[${number}::int]` });
    await db.tag.deleteMany({ where: { newsletterId, number } });
  }
  return deleted.length;
}
