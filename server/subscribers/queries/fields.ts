import { LOWEST_ID } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { FieldType } from "../field-values";

export type FieldRow = Omit<Prisma.FieldGetPayload<object>, "type"> & { type: FieldType };

export function listFieldRows(db: Db | Tx, newsletterId: string): Promise<FieldRow[]> {
  return db.field.findMany({
    where: { newsletterId, deletedAt: null },
    orderBy: [{ position: "asc" }, { number: "asc" }],
  }) as Promise<FieldRow[]>;
}

/**
 * Reserves numbers for fields and tags of a newsletter. Other transactions wait until this one ends.
 * @returns the last number; the `count - 1` numbers before it are reserved too
 */
export async function reserveNumbers(tx: Tx, newsletterId: string, count: number): Promise<number> {
  const { lastNumber } = await tx.newsletter.update({
    where: { id: newsletterId },
    data: { lastNumber: { increment: count } },
    select: { lastNumber: true },
  });
  return lastNumber;
}

/** @throws an error that `isUniqueViolation` recognises, when another field has the key */
export async function insertField(tx: Tx, field: Prisma.FieldUncheckedCreateInput): Promise<FieldRow> {
  return (await tx.field.create({ data: field })) as FieldRow;
}

/** Changes a field. @param change position: the other fields keep theirs */
export async function writeField(
  tx: Tx,
  { newsletterId, number }: Pick<FieldRow, "newsletterId" | "number">,
  change: Partial<Pick<FieldRow, "label" | "choices" | "required" | "position" | "deletedAt">>,
): Promise<void> {
  await tx.field.update({ where: { newsletterId_number: { newsletterId, number } }, data: change });
}

export async function countFieldValues(db: Db, newsletterId: string, number: number): Promise<number> {
  // Raw: Prisma can't ask whether a JSON object has a key.
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND fields IS NOT NULL AND fields ? ${String(number)}`;
  return row?.people ?? 0;
}

/**
 * Removes the values of a deleted field or tag from all subscribers, a limited number of rows at a time. This is not
 * logged as a change, because readers no longer see the values.
 * @param cleared.set the assignment, and `cleared.of` the condition on rows `s` that it changes
 */
export async function clearValues(
  db: Db,
  newsletterId: string,
  cleared: { set: Prisma.Sql; of: Prisma.Sql },
): Promise<void> {
  let after: string | undefined = LOWEST_ID;
  while (after !== undefined) {
    const last: { id: string }[] = await db.$queryRaw<{ id: string }[]>`
      WITH next AS (
        SELECT id FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id > ${after}::uuid ORDER BY id LIMIT 5000
      ), cleared AS (
        UPDATE subscribers s SET ${cleared.set} FROM next
        WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = next.id AND ${cleared.of}
      )
      SELECT id::text FROM next ORDER BY next.id DESC LIMIT 1`;
    after = last[0]?.id;
  }
}

/** Removes the values of deleted fields from all subscribers, and then the fields. @returns the number of fields */
export async function clearDeletedFields(db: Db): Promise<number> {
  const deleted = await db.field.findMany({ where: { deletedAt: { not: null } } });
  for (const { newsletterId, number } of deleted) {
    const key = String(number);
    const set = Prisma.sql`fields = nullif(s.fields - ${key}::text, '{}')`;
    await clearValues(db, newsletterId, { set, of: Prisma.sql`s.fields ? ${key}` });
    await db.field.deleteMany({ where: { newsletterId, number } });
  }
  return deleted.length;
}
