import { AppError } from "../kernel/errors";
import { DAY_MS } from "../kernel/time";
import type { Tx } from "../platform/db/client";
import { databaseNow } from "../platform/db/clock";
import type { Ctx } from "./context";
import { canonicalTag, parseFieldValue } from "./field-values";
import { type FieldRow, listFieldRows } from "./queries/fields";
import type { ResolvedCondition } from "./queries/filter-conditions";
import type { ResolvedFilter } from "./queries/people-filter";
import { numbersOfTags } from "./queries/tags";
import { type Condition, type Filter, testsOfType } from "./schema/filter";

/** The data that resolves conditions: the newsletter's fields, the numbers of its tags by name, and the time. */
type Known = { fields: FieldRow[]; tags: Map<string, number[]>; now: Date };
/** `at`: the invalid part of the condition. */
type Fault = { at: "key" | "test" | "value"; message: string };
type Read = { fault: Fault } | { numbered: ResolvedCondition };

/** Reads only the data that the conditions need. */
async function loadReferences(
  db: Ctx["db"] | Tx,
  newsletterId: string,
  conditions: Condition[],
): Promise<Known> {
  const tags = conditions.flatMap((one) => (one.about === "tag" ? one.is.map(canonicalTag) : []));
  const asks = (is: (one: Condition) => boolean) => conditions.some(is);
  return {
    fields: asks(({ about }) => about === "field") ? await listFieldRows(db, newsletterId) : [],
    tags: await numbersOfTags(db, newsletterId, tags),
    now: asks((one) => "days" in one) ? await databaseNow(db) : new Date(),
  };
}

function readField(condition: Extract<Condition, { about: "field" }>, fields: FieldRow[]): Read {
  const { key, test, value } = condition;
  const field = fields.find((one) => one.key === key);
  if (!field) {
    const message = `The field with the key ${JSON.stringify(key)} no longer exists. Choose another field or remove the condition.`;
    return { fault: { at: "key", message } };
  }
  const { number, type, label } = field;
  if (!testsOfType[type].includes(test)) {
    const message = `The field ${label} has the type ${type}. It can be compared by ${testsOfType[type].join(", ")}.`;
    return { fault: { at: "test", message } };
  }
  if (test.endsWith("set")) return { numbered: { about: "field", number, type, test } };
  const parsed = parseFieldValue(field, value);
  // Subscribers keep a removed choice, and a filter still finds them by it.
  if (!parsed.ok && type === "choice" && typeof value === "string")
    return { numbered: { about: "field", number, type, test, value } };
  if (!parsed.ok || parsed.value === null) {
    const message = parsed.ok ? "Enter a value to compare with." : `${label}: ${parsed.message}`;
    return { fault: { at: "value", message } };
  }
  return { numbered: { about: "field", number, type, test, value: parsed.value } };
}

type TimeCondition = Extract<Condition, { about: "added" | "subscribed_at" | "confirmed" | "asked" }>;

function readTime({ about, test, at, days }: TimeCondition, now: Date): ResolvedCondition {
  const moment =
    days !== undefined && test.includes("days")
      ? new Date(now.getTime() - days * DAY_MS)
      : new Date(at ?? now);
  if (test === "set" || test === "not_set") return { about, test };
  const after = test === "after" || test === "within_days";
  return { about, test: after ? "after" : "before", at: moment.toISOString() };
}

function readCondition(condition: Condition, { fields, tags, now }: Known): Read {
  switch (condition.about) {
    case "field":
      return readField(condition, fields);
    case "tag":
      return {
        numbered: {
          about: "tag",
          is: condition.is.flatMap((name) => tags.get(canonicalTag(name)) ?? []),
        },
      };
    case "added":
    case "subscribed_at":
    case "confirmed":
    case "asked":
      return { numbered: readTime(condition, now) };
    default:
      return { numbered: condition };
  }
}

/**
 * Resolves a filter for the database.
 * @throws AppError validation_error with messages by place, such as `conditions.1.value`. An invalid condition is never
 * dropped: the filter would match more people.
 */
export async function resolveFilter(
  db: Ctx["db"] | Tx,
  newsletterId: string,
  filter: Filter,
): Promise<ResolvedFilter> {
  const known = await loadReferences(db, newsletterId, [...filter.conditions, ...filter.not]);
  const errors: Record<string, string[]> = {};
  const numbered = (part: "conditions" | "not") =>
    filter[part].flatMap((condition, i) => {
      const read = readCondition(condition, known);
      if ("numbered" in read) return read.numbered;
      errors[`${part}.${i}.${read.fault.at}`] = [read.fault.message];
      return [];
    });
  const result = { match: filter.match, conditions: numbered("conditions"), not: numbered("not") };
  const messages = Object.values(errors).flat();
  if (messages.length === 0) return result;
  throw new AppError("validation_error", [...new Set(messages)].join(" "), { errors });
}

/**
 * Checks the filters of a bulk action, which were resolved when it started.
 * @throws AppError validation_error if a field was deleted since: without it the filter would match other people
 */
export async function checkFieldsOf(tx: Tx, newsletterId: string, filters: ResolvedFilter[]): Promise<void> {
  const asked = filters.flatMap(({ conditions, not }) =>
    [...conditions, ...not].flatMap((one) => (one.about === "field" ? one.number : [])),
  );
  if (asked.length === 0) return;
  const numbers = (await listFieldRows(tx, newsletterId)).map(({ number }) => number);
  if (asked.every((number) => numbers.includes(number))) return;
  const message = "A field in the conditions was deleted in the meantime.";
  throw new AppError("validation_error", `${message} Changes made before stay, and no one else was changed.`);
}
