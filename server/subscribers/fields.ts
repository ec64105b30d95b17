import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { lockNewsletter } from "../accounts/shared-queries";
import { AppError, invalidField } from "../kernel/errors";
import { type Db, isUniqueViolation, type Tx } from "../platform/db/client";
import {
  countFieldValues,
  type FieldRow,
  insertField,
  listFieldRows,
  reserveNumbers,
  writeField,
} from "./queries/fields";
import { choicesError, type FieldPatch, type FieldRecord, maxFields, type NewField } from "./schema/fields";
import { checkSegmentsWithout } from "./segments";
import { formatTime } from "./subscribers";

const presentField = ({ key, label, type, choices, required, createdAt }: FieldRow): FieldRecord => ({
  key,
  label,
  type,
  choices,
  required,
  created_at: formatTime(createdAt),
});

type OfField = OfNewsletter & { key: string };

const note = (
  ctx: ActorContext,
  tx: Tx,
  { newsletterId, accountId }: OfNewsletter,
  { action, key: name }: { action: AuditAction; key: string },
) => record(ctx, tx, { accountId, newsletterId, action, detail: { name } });

export async function listFields(
  { db }: Pick<ActorContext, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<FieldRecord[]> {
  return (await listFieldRows(db, newsletterId)).map(presentField);
}

/** Adds a field after the others. @throws AppError validation_error on `key` if it is taken or there are too many fields */
export async function createField(
  ctx: ActorContext,
  of: OfNewsletter & { field: NewField },
): Promise<FieldRecord> {
  const { newsletterId } = of;
  try {
    return await withTransaction(ctx, async (tx) => {
      // The lock keeps the count and the position correct until the commit.
      const number = await reserveNumbers(tx, newsletterId, 1);
      const rows = await listFieldRows(tx, newsletterId);
      if (rows.length >= maxFields)
        throw invalidField(
          "key",
          `A newsletter has at most ${maxFields} fields. Delete one that is not needed.`,
        );
      const { key, label = key, type, choices = [], required = false } = of.field;
      const position = (rows.at(-1)?.position ?? 0) + 1;
      const field = { newsletterId, number, key, label, type, choices, required, position };
      const row = await insertField(tx, field);
      await note(ctx, tx, of, { action: "field.created", key: row.key });
      return presentField(row);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidField("key", "A field with this key already exists.");
    throw error;
  }
}

async function getRow(db: Db | Tx, { newsletterId, key }: Omit<OfField, "accountId">): Promise<FieldRow> {
  const row = (await listFieldRows(db, newsletterId)).find((one) => one.key === key);
  if (!row) throw new AppError("not_found", `This newsletter has no field with the key ${key.slice(0, 64)}.`);
  return row;
}

/**
 * Changes a field's label and choices. Subscribers keep their current value when a choice is removed.
 * @throws AppError not_found, validation_error
 */
export function updateField(
  ctx: ActorContext,
  { patch, ...of }: OfField & { patch: FieldPatch },
): Promise<FieldRecord> {
  return withTransaction(ctx, async (tx) => {
    const row = await getRow(tx, of);
    if (patch.choices && (row.type === "choice") !== patch.choices.length > 0)
      throw invalidField("choices", choicesError);
    await writeField(tx, row, patch);
    await note(ctx, tx, of, { action: "field.changed", key: row.key });
    return presentField({ ...row, ...patch });
  });
}

/** Reorders the fields. @param input keys: all keys @throws AppError validation_error if a key is missing or unknown */
export function orderFields(
  ctx: ActorContext,
  { newsletterId, keys }: { newsletterId: string; keys: string[] },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const rows = await listFieldRows(tx, newsletterId);
    if (rows.length !== keys.length || rows.some(({ key }) => !keys.includes(key)))
      throw invalidField(
        "keys",
        "The fields were changed since you opened them. Reload to see the current fields.",
      );
    for (const row of rows) await writeField(tx, row, { position: keys.indexOf(row.key) + 1 });
  });
}

/** Counts the people with a value in a field. @throws AppError not_found */
export async function countPeopleWithField(
  { db }: Pick<ActorContext, "db">,
  of: Omit<OfField, "accountId">,
): Promise<number> {
  const { number } = await getRow(db, of);
  return countFieldValues(db, of.newsletterId, number);
}

/**
 * Deletes a field and its values. The key becomes free.
 * @throws AppError not_found; validation_error when a segment uses the field
 */
export function deleteField(ctx: ActorContext, of: OfField): Promise<FieldRecord> {
  return withTransaction(ctx, async (tx) => {
    await lockNewsletter(tx, of.newsletterId);
    const row = await getRow(tx, of);
    await checkSegmentsWithout(tx, of.newsletterId, {
      at: "key",
      noun: "field",
      is: (one) => one.about === "field" && one.key === of.key,
    });
    await writeField(tx, row, { deletedAt: new Date() });
    await note(ctx, tx, of, { action: "field.deleted", key: row.key });
    return presentField(row);
  });
}
