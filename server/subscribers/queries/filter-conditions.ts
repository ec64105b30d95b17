import { lowestIdAt } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import { Prisma } from "../../platform/db/client";
import { columnName } from "../../platform/db/column-name";
import type { FieldType, FieldValue } from "../field-values";
import type { ConfirmationStateName, FieldTest, TextTest } from "../schema/filter";
import type { importParts } from "../schema/people-list";
import { eachText, type TextName } from "../schema/subscriber-texts";
import type { Status } from "../status-moves";

/** A time is compared with a moment as ISO text, because filters are stored as JSON. `updated`: the last change. */
type TimeCondition = { about: "added" | "subscribed_at" | "confirmed" | "asked" | "updated" } & (
  | { test: "after" | "before"; at: string }
  | { test: "set" | "not_set" }
);

/** A condition with field and tag numbers instead of names, and moments instead of days. */
export type ResolvedCondition =
  | { about: "status"; is: Status[] }
  | { about: "source"; is: string[] }
  | { about: "search"; value: string }
  | { about: TextName; test: TextTest; value: string }
  | { about: "tag"; is: number[] }
  | { about: "field"; number: number; type?: FieldType; test: FieldTest; value?: FieldValue | undefined }
  | { about: "import"; id: string; part: (typeof importParts)[number] }
  | TimeCondition
  | { about: "mail"; is: ConfirmationStateName[] }
  | { about: "address"; canonical: string }
  | { about: "external_id"; value: string };

// SQL conditions on rows `s`, for filters of the list and for segments.

/** Whether rows `s` are of the search index or of `subscribers`. */
export type RowsOf = "index" | "list";

const inList = (name: TextName) =>
  name === "name" ? "searched_name(s.first_name, s.last_name)" : `lower(s.${columnName(name)})`;

/** Each text in lower case: a column of the search index, or an expression on `subscribers`. */
export const lowerCase = {
  index: eachText((name) => Prisma.raw(`s.${columnName(name)}`)),
  list: eachText((name) => Prisma.raw(`${inList(name)} COLLATE "C"`)),
};

/** Escapes a text so that LIKE matches it literally. */
export const likeLiteral = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/**
 * Ids are in the order of time, so the primary key finds a time span. The hour covers clock differences between the
 * machines that create ids and the database.
 */
export const idFrom = (at: Date) => Prisma.sql`s.id >= ${lowestIdAt(at.getTime() - HOUR_MS)}::uuid`;
export const idBefore = (at: Date) => Prisma.sql`s.id < ${lowestIdAt(at.getTime() + HOUR_MS)}::uuid`;

const addedAt = (test: "after" | "before", at: Date) =>
  test === "after"
    ? Prisma.sql`${idFrom(at)} AND s.created_at >= ${at}::timestamptz`
    : Prisma.sql`${idBefore(at)} AND s.created_at < ${at}::timestamptz`;

/** When a person signed up: the given date, else the time of their id, so that ids are in the same order. */
export const signedUpAt = Prisma.sql`coalesce(s.subscribed_at, time_of_id(s.id))`;

/** Uses the index on given dates, and the primary key for other people. */
function signedUp(test: "after" | "before", at: Date): Prisma.Sql {
  const than = test === "after" ? Prisma.sql`>=` : Prisma.sql`<`;
  return Prisma.sql`(s.subscribed_at ${than} ${at}::timestamptz OR s.subscribed_at IS NULL AND ${addedAt(test, at)})`;
}

/** An equation for a single value: the planner estimates it better than a list. */
export const isOneOf = (column: Prisma.Sql, values: string[]) =>
  values.length === 1
    ? Prisma.sql`${column} = ${values[0]}`
    : Prisma.sql`${column} = ANY (${values}::text[])`;

/** Uses the expression of the partial index on rare sources. */
function isOfSource(some: string[]): Prisma.Sql {
  const condition = isOneOf(Prisma.sql`s.source`, some);
  return some.includes("api") ? condition : Prisma.sql`${condition} AND s.source <> 'api'`;
}

/** People added by an import have it as their source. People who stayed unchanged are rows of the import. */
function isOfImport(id: string, part: (typeof importParts)[number]): Prisma.Sql {
  if (part === "added") return Prisma.sql`s.source = 'import' AND s.source_id = ${id}::uuid`;
  const only = part === "still_here" ? Prisma.sql`AND leaving IS NOT NULL` : Prisma.empty;
  return Prisma.sql`s.id IN (SELECT subscriber_id FROM import_unchanged WHERE import_id = ${id}::uuid ${only})`;
}

/** The rows `s` of the search index for which a condition on the list holds. */
export const ofList = (newsletterId: string, condition: Prisma.Sql) =>
  Prisma.sql`s.id IN (SELECT s.id FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND ${condition})`;

/** Matches any part of the address or name. One or two letters match only the start of a word. */
function searchCondition(search: string, rowsOf: RowsOf): Prisma.Sql {
  const { email, name } = lowerCase[rowsOf];
  const literal = likeLiteral(search);
  const like = (column: Prisma.Sql, pattern: string) => Prisma.sql`${column} LIKE lower(${pattern})`;
  const parts =
    Array.from(search).length < 3
      ? [like(email, `${literal}%`), like(name, `${literal}%`), like(name, `% ${literal}%`)]
      : [like(email, `%${literal}%`), like(name, `%${literal}%`)];
  return Prisma.sql`(${Prisma.join(parts, " OR ")})`;
}

/** Compares a lower-case column with a text in any case. */
function compareText(column: Prisma.Sql, test: TextTest, value: string): Prisma.Sql {
  if (test === "set") return Prisma.sql`${column} IS NOT NULL`;
  if (test === "not_set") return Prisma.sql`${column} IS NULL`;
  if (test === "is") return Prisma.sql`${column} = lower(${value})`;
  const literal = likeLiteral(value);
  const pattern = { contains: `%${literal}%`, starts_with: `${literal}%`, ends_with: `%${literal}` }[test];
  return Prisma.sql`${column} LIKE lower(${pattern})`;
}

function compareTime(time: Prisma.Sql, condition: TimeCondition): Prisma.Sql {
  if (!("at" in condition))
    return condition.test === "set" ? Prisma.sql`${time} IS NOT NULL` : Prisma.sql`${time} IS NULL`;
  const than = condition.test === "after" ? Prisma.sql`>=` : Prisma.sql`<`;
  return Prisma.sql`${time} ${than} ${new Date(condition.at)}::timestamptz`;
}

type FieldCondition = Extract<ResolvedCondition, { about: "field" }>;

/**
 * These comparisons must not fail on values of another type. The planner may check rows of other newsletters, where the
 * number belongs to another field.
 */
function compareField({ number, type, test, value }: FieldCondition): Prisma.Sql {
  const key = String(number);
  const stored = Prisma.sql`s.fields -> ${key}::text`;
  const text = Prisma.sql`s.fields ->> ${key}::text`;
  if (test === "set") return Prisma.sql`s.fields ? ${key}`;
  if (test === "not_set") return Prisma.sql`(s.fields ? ${key}) IS NOT TRUE`;
  if (test === "at_least" || test === "at_most") {
    const than = test === "at_least" ? Prisma.sql`>=` : Prisma.sql`<=`;
    // ISO dates sort as text. jsonb compares numbers as numeric.
    return type === "date"
      ? Prisma.sql`(${text}) COLLATE "C" ${than} ${value}`
      : Prisma.sql`${stored} ${than} ${JSON.stringify(value)}::jsonb`;
  }
  if (type === "text" && test !== "equals")
    return compareText(Prisma.sql`lower(${text})`, test, String(value));
  return Prisma.sql`s.fields @> ${JSON.stringify({ [key]: value })}::jsonb`;
}

/**
 * Confirmations `m` to the person of row `s`, without cancelled ones. Callers use scalar subqueries, which make one
 * index look-up each; with a join the planner may compare all people with all mails.
 */
const confirmations = (newsletterId: string) => Prisma.sql`
  m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = s.id AND m.kind = 'confirmation' AND m.state <> 'cancelled'`;

/** When the last confirmation was sent. */
const askedAt = (newsletterId: string) => Prisma.sql`(
  SELECT max(coalesce(m.finished_at, m.frozen_at)) FROM mails m WHERE ${confirmations(newsletterId)} AND m.state = 'sent')`;

/** The state of a mail as the dashboard shows it: the latest report counts, and failures count more than successes. */
const MAIL_STATE = Prisma.sql`CASE
  WHEN m.complained_at IS NOT NULL THEN 'complained'
  WHEN m.bounced_at IS NOT NULL THEN 'bounced'
  WHEN m.state IN ('failed', 'uncertain') THEN 'failed'
  WHEN m.state <> 'sent' THEN 'waiting'
  WHEN m.delivered_at IS NOT NULL THEN 'delivered'
  ELSE 'sent' END`;

/** People with any bounced mail. Few have one, and the index on bounces finds them. */
const hasBounced = (newsletterId: string) => Prisma.sql`s.id IN (
  SELECT m.subscriber_id FROM mails m WHERE m.newsletter_id = ${newsletterId}::uuid AND m.bounced_at IS NOT NULL)`;

/** The state of the last confirmation. */
function lastMailIsOneOf(some: ConfirmationStateName[], newsletterId: string): Prisma.Sql {
  const lastMail = Prisma.sql`(
    SELECT ${MAIL_STATE} FROM mails m WHERE ${confirmations(newsletterId)} ORDER BY m.id DESC LIMIT 1) = ANY (${some}::text[])`;
  return some.every((state) => state === "bounced")
    ? Prisma.sql`(${hasBounced(newsletterId)} AND ${lastMail})`
    : lastMail;
}

/** SQL for a condition on rows `s`: true, or else false or NULL. */
export function conditionSql(condition: ResolvedCondition, rowsOf: RowsOf, newsletterId: string): Prisma.Sql {
  switch (condition.about) {
    case "status":
      return isOneOf(Prisma.sql`s.status`, condition.is);
    case "source":
      return isOfSource(condition.is);
    case "search":
      return searchCondition(condition.value, rowsOf);
    case "tag":
      return Prisma.sql`s.tags && ${condition.is}::int[]`;
    case "field":
      return compareField(condition);
    case "import":
      return isOfImport(condition.id, condition.part);
    case "added":
    case "subscribed_at": {
      if (!("at" in condition)) return condition.test === "set" ? Prisma.sql`true` : Prisma.sql`false`;
      const compare = condition.about === "added" ? addedAt : signedUp;
      return compare(condition.test, new Date(condition.at));
    }
    case "confirmed":
      return compareTime(Prisma.sql`s.confirmed_at`, condition);
    case "asked":
      return compareTime(askedAt(newsletterId), condition);
    case "mail":
      return lastMailIsOneOf(condition.is, newsletterId);
    case "external_id":
      return Prisma.sql`s.external_id = ${condition.value}`;
    case "address":
      return Prisma.sql`s.email_canonical = ${condition.canonical}`;
    case "updated":
      return compareTime(Prisma.sql`coalesce(s.updated_at, s.created_at)`, condition);
    default:
      return compareText(lowerCase[rowsOf][condition.about], condition.test, condition.value);
  }
}
