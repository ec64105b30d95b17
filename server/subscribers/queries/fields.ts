import { LOWEST_ID } from "../../kernel/ids";
import type { Db, Prisma, Tx } from "../../platform/db/client";
import type { FieldType } from "../field-values";

/** A custom field as its newsletter defines it. */
export type FieldRow = Omit<Prisma.FieldGetPayload<object>, "type"> & { type: FieldType };

/** The newsletter's fields, in their order. */
export function listFieldRows(db: Db | Tx, newsletterId: string): Promise<FieldRow[]> {
  return db.field.findMany({
    where: { newsletterId, deletedAt: null },
    orderBy: [{ position: "asc" }, { number: "asc" }],
  }) as Promise<FieldRow[]>;
}

/**
 * Numbers for fields and tags of a newsletter; until the transaction ends nobody else takes any.
 * @returns the last one; those before it are the caller's as well
 */
export async function takeNumbers(tx: Tx, newsletterId: string, count: number): Promise<number> {
  const { lastNumber } = await tx.newsletter.update({
    where: { id: newsletterId },
    data: { lastNumber: { increment: count } },
    select: { lastNumber: true },
  });
  return lastNumber;
}

/** @throws what `isUniqueViolation` recognises, when the key is another field's */
export async function insertField(tx: Tx, field: Prisma.FieldUncheckedCreateInput): Promise<FieldRow> {
  return (await tx.field.create({ data: field })) as FieldRow;
}

/** Changes a field. @param change position: others keep theirs */
export async function writeField(
  tx: Tx,
  { newsletterId, number }: Pick<FieldRow, "newsletterId" | "number">,
  change: Partial<Pick<FieldRow, "label" | "choices" | "required" | "position" | "deletedAt">>,
): Promise<void> {
  await tx.field.update({ where: { newsletterId_number: { newsletterId, number } }, data: change });
}

/** How many subscribers have a value in a field. */
export async function countFieldValues(db: Db, newsletterId: string, number: number): Promise<number> {
  // Whether a key is there is a question that no model call has.
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND fields IS NOT NULL AND fields ? ${String(number)}`;
  return row?.people ?? 0;
}

/** Takes the values of a deleted field out of the next subscribers: as no change, since to everybody the field is gone already. */
async function clearNextValues(
  db: Db,
  { newsletterId, number, after }: { newsletterId: string; number: number; after: string },
): Promise<string | null> {
  const [last] = await db.$queryRaw<{ id: string }[]>`
    WITH next AS (
      SELECT id FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id > ${after}::uuid ORDER BY id LIMIT 5000
    ), cleared AS (
      UPDATE subscribers s SET fields = nullif(s.fields - ${String(number)}::text, '{}') FROM next
      WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = next.id AND s.fields ? ${String(number)}
    )
    SELECT id::text FROM next ORDER BY next.id DESC LIMIT 1`;
  return last?.id ?? null;
}

/** Takes the values of deleted fields out of all subscribers, and then the fields. @returns how many fields */
export async function clearDeletedFields(db: Db): Promise<number> {
  const deleted = await db.field.findMany({ where: { deletedAt: { not: null } } });
  for (const { newsletterId, number } of deleted) {
    let after: string | null = LOWEST_ID;
    while (after !== null) after = await clearNextValues(db, { newsletterId, number, after });
    await db.field.deleteMany({ where: { newsletterId, number } });
  }
  return deleted.length;
}
