import { AppError, customField } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "./context";
import { type FieldValue, parseFieldValue, valueOfText } from "./field-values";
import type { ChangeDetail } from "./queries/activities";
import { type FieldRow, listFieldRows } from "./queries/fields";
import type { ResolvedCondition } from "./queries/filter-conditions";
import type { StoredFields, SubscriberRow } from "./queries/subscribers";
import { storedTagNames, tagNames } from "./queries/tags";
import type { Include } from "./schema/fields";
import type { NewSubscriber, SubscriberRecord } from "./schema/subscriber";
import { resolveTagIds } from "./tags";

/** Field values and tags in a request. */
export type AttributeInput = Pick<NewSubscriber, "fields" | "tags">;
export type AttributeFault = { field: string; code: string; message: string };

/**
 * Parses the field conditions of a list query.
 * @param given values by key, as in the query string
 * @throws AppError validation_error on `field` for an unknown key or a value of the wrong type
 */
export async function resolveFieldFilter(
  { db }: Pick<Ctx, "db">,
  { newsletterId, given }: { newsletterId: string; given: Record<string, string> },
): Promise<ResolvedCondition[]> {
  const rules = await listFieldRows(db, newsletterId);
  const typed = Object.entries(given).map(([key, text]) => {
    const rule = rules.find((one) => one.key === key);
    return [key, rule ? valueOfText(rule, text) : text] as const;
  });
  const { faults, values } = resolveFields(Object.fromEntries(typed), rules);
  if (faults.length === 0)
    return Object.entries(values).map(([key, value]): ResolvedCondition => {
      const number = Number(key);
      if (value === null) return { about: "field", number, test: "not_set" };
      return { about: "field", number, test: "equals", value };
    });
  const messages = faults.map(
    ({ field, message }) => `${field.replace(/^fields\.(.*)$/, "field[$1]")}: ${message}`,
  );
  throw new AppError("validation_error", messages.join(" "), { errors: { field: messages } });
}

/** Values by field number, null for a removed value, and all tags by number. Absent columns stay unchanged. */
export type AttributeChange = { fields?: Record<string, FieldValue | null>; tags?: number[] };

type Resolved = { faults: AttributeFault[]; change: AttributeChange };

/** Whether a request has fields or tags. Most requests have none and skip the lookups. */
export const hasAttributes = ({ fields, tags }: AttributeInput) => fields !== undefined || tags !== undefined;

/** Does not list the existing fields: with 100 unknown keys in each of 100 items, the response would take megabytes. */
const unknownField = (key: string): AttributeFault => ({
  field: customField(key),
  code: "unknown_field",
  message: `This newsletter has no field with the key ${JSON.stringify(key.slice(0, 64))}. GET /api/v1/fields lists its fields.`,
});

function resolveFields(given: Record<string, unknown>, rules: FieldRow[]) {
  const faults: AttributeFault[] = [];
  const values: Record<string, FieldValue | null> = {};
  for (const [key, input] of Object.entries(given)) {
    const rule = rules.find((one) => one.key === key);
    const parsed = rule && parseFieldValue(rule, input);
    if (!parsed) faults.push(unknownField(key));
    else if (parsed.ok) values[rule.number] = parsed.value;
    else faults.push({ field: `fields.${key}`, code: parsed.code, message: parsed.message });
  }
  return { faults, values };
}

/**
 * Resolves the field values and tags of inputs to stored values, each with its faults. Without any fault it adds new tags
 * to the newsletter, except in a dry run.
 */
export async function resolveAttributes(
  ctx: Pick<Ctx, "db" | "tx">,
  newsletterId: string,
  { inputs, dryRun = false }: { inputs: AttributeInput[]; dryRun?: boolean },
): Promise<Resolved[]> {
  const needsRules = inputs.some(({ fields }) => fields !== undefined);
  const rules = needsRules ? await listFieldRows(ctx.tx ?? ctx.db, newsletterId) : [];
  const resolved = inputs.map(({ fields }): Resolved => {
    if (fields === undefined) return { faults: [], change: {} };
    const { faults, values } = resolveFields(fields, rules);
    return { faults, change: { fields: values } };
  });
  const tags = inputs.flatMap((input) => input.tags ?? []);
  if (dryRun || resolved.some(({ faults }) => faults.length > 0)) return resolved;
  const numbers = tags.length > 0 ? await resolveTagIds(ctx, newsletterId, tags) : new Map<string, number>();
  for (const [i, input] of inputs.entries()) {
    const change = resolved[i]?.change;
    if (input.tags && change)
      change.tags = input.tags.flatMap(({ canonical }) => numbers.get(canonical) ?? []);
  }
  return resolved;
}

/** Resolves one subscriber's attributes. @throws AppError validation_error with messages by `fields.KEY` */
export async function resolveOwnAttributes(
  ctx: Pick<Ctx, "db" | "tx">,
  newsletterId: string,
  input: AttributeInput,
): Promise<AttributeChange> {
  if (!hasAttributes(input)) return {};
  const [resolved] = await resolveAttributes(ctx, newsletterId, { inputs: [input] });
  const { faults = [], change = {} } = resolved ?? {};
  if (faults.length === 0) return change;
  const errors = Object.fromEntries(faults.map(({ field, message }) => [field, [message]]));
  throw new AppError("validation_error", faults.map(({ message }) => message).join(" "), { errors });
}

type Stored = Pick<SubscriberRow, "fields" | "tags">;

/** The stored values after a change; only the columns that the change names. */
export function applyAttributes(before: Stored, { fields, tags }: AttributeChange): Partial<Stored> {
  const merged: StoredFields = {};
  for (const [number, value] of Object.entries({ ...before.fields, ...fields }))
    if (value !== null) merged[number] = value;
  return {
    ...(fields && { fields: Object.keys(merged).length > 0 ? merged : null }),
    ...(tags && { tags: tags.length > 0 ? tags : null }),
  };
}

/** A subscriber before a change, and the columns that it changes. */
type Changed = { before: Stored; after: Partial<Stored> };

const fieldText = (row: Partial<Stored>, number: string | number) => String(row.fields?.[number] ?? "");

/** Programs mostly send the stored values again. Then no query is needed. */
const changesFields = ({ before, after }: Changed) =>
  after.fields !== undefined &&
  Object.keys({ ...before.fields, ...after.fields }).some(
    (number) => fieldText(before, number) !== fieldText(after, number),
  );

const changesTags = ({ before, after }: Changed) =>
  after.tags !== undefined && (before.tags ?? []).join() !== (after.tags ?? []).join();

/** The differences of each subscriber, for the activities: fields by `fields.KEY`, and the tags. */
export async function describeAttributes(
  tx: Tx,
  newsletterId: string,
  changes: Changed[],
): Promise<ChangeDetail[]> {
  const rules = changes.some(changesFields) ? await listFieldRows(tx, newsletterId) : [];
  const numbers = changes
    .filter(changesTags)
    .flatMap(({ before, after }) => [...(before.tags ?? []), ...(after.tags ?? [])]);
  const names = await storedTagNames(tx, newsletterId, [...new Set(numbers)]);
  const listed = (tags: number[] | null = null) =>
    (tags ?? []).flatMap((number) => names.get(number) ?? []).join(", ");
  return changes.map((change) => {
    const { before, after } = change;
    const detail: ChangeDetail = {};
    for (const { key, number } of changesFields(change) ? rules : []) {
      const [was, is] = [fieldText(before, number), fieldText(after, number)];
      if (was !== is) detail[`fields.${key}`] = [was, is];
    }
    if (changesTags(change)) detail.tags = [listed(before.tags), listed(after.tags)];
    return detail;
  });
}

/** Fields by key and tags by name, for rows of one newsletter. */
export async function presentAttributes(
  { db, tx }: Pick<Ctx, "db" | "tx">,
  {
    newsletterId,
    rows,
    include,
  }: { newsletterId: string; rows: Stored[]; include: Pick<Include, "fields" | "tags"> },
): Promise<Pick<SubscriberRecord, "fields" | "tags">[]> {
  const from = tx ?? db;
  const rules = include.fields ? await listFieldRows(from, newsletterId) : [];
  const numbers = include.tags ? rows.flatMap(({ tags }) => tags ?? []) : [];
  const names = await tagNames(from, newsletterId, [...new Set(numbers)]);
  return rows.map(({ fields, tags }) => ({
    ...(include.fields && {
      fields: Object.fromEntries(
        rules.flatMap(({ key, number }) => {
          const value = fields?.[number];
          return value === undefined ? [] : [[key, value]];
        }),
      ),
    }),
    // A person can have both of two merged tags.
    ...(include.tags && { tags: [...new Set((tags ?? []).flatMap((number) => names.get(number) ?? []))] }),
  }));
}
