import type { importParts } from "../contract/people-list";
import type { AskedState, FieldTest, GroupMatch, TextTest } from "../contract/segments";
import type { FieldType, FieldValue } from "../domain/fields";
import type { Status } from "../domain/status-moves";
import { Prisma } from "./client";
import {
  addedBefore,
  addedFrom,
  isOfImport,
  isOfSource,
  isOneOf,
  likeLiteral,
  lowerCase,
  type RowsOf,
} from "./person-conditions";

/** A time is compared with a moment, as ISO text: it is stored so. */
type TimeCondition<About extends string> =
  | { about: About; test: "after" | "before"; at: string }
  | { about: About; test: "set" | "not_set" };

/** A condition whose field and tags are named by their numbers, and whose spans of days are moments. */
export type NumberedCondition =
  | { about: "status"; is: Status[] }
  | { about: "source"; is: string[] }
  | { about: "email" | "name"; test: TextTest; value: string }
  | { about: "tag"; is: number[] }
  | { about: "field"; number: number; type: FieldType; test: FieldTest; value?: FieldValue | undefined }
  | { about: "import"; id: string; part: (typeof importParts)[number] }
  | TimeCondition<"added">
  | TimeCondition<"confirmed">
  | TimeCondition<"asked">
  | { about: "mail"; is: AskedState[] };
export type NumberedGroup = { match: GroupMatch; conditions: NumberedCondition[] };

/** How a column in lower case is compared with a text in any. */
function compareText(column: Prisma.Sql, test: TextTest, value: string): Prisma.Sql {
  if (test === "set") return Prisma.sql`${column} IS NOT NULL`;
  if (test === "not_set") return Prisma.sql`${column} IS NULL`;
  if (test === "is") return Prisma.sql`${column} = lower(${value})`;
  const literal = likeLiteral(value);
  const pattern = { contains: `%${literal}%`, starts_with: `${literal}%`, ends_with: `%${literal}` }[test];
  return Prisma.sql`${column} LIKE lower(${pattern})`;
}

/** How a time that there may not be is compared. */
function compareTime(time: Prisma.Sql, condition: TimeCondition<string>): Prisma.Sql {
  if (!("at" in condition))
    return condition.test === "set" ? Prisma.sql`${time} IS NOT NULL` : Prisma.sql`${time} IS NULL`;
  const than = condition.test === "after" ? Prisma.sql`>=` : Prisma.sql`<`;
  return Prisma.sql`${time} ${than} ${new Date(condition.at)}::timestamptz`;
}

type FieldCondition = Extract<NumberedCondition, { about: "field" }>;

/** None of these fails on a value of another type: rows of other newsletters, where the number is another field's, may be met. */
function compareField({ number, type, test, value }: FieldCondition): Prisma.Sql {
  const key = String(number);
  const stored = Prisma.sql`s.fields -> ${key}::text`;
  const text = Prisma.sql`s.fields ->> ${key}::text`;
  if (test === "set") return Prisma.sql`s.fields ? ${key}`;
  if (test === "not_set") return Prisma.sql`(s.fields ? ${key}) IS NOT TRUE`;
  if (test === "at_least" || test === "at_most") {
    const than = test === "at_least" ? Prisma.sql`>=` : Prisma.sql`<=`;
    // Dates compare as their ISO texts do; numbers within jsonb, as numeric does.
    return type === "date"
      ? Prisma.sql`(${text}) COLLATE "C" ${than} ${value}`
      : Prisma.sql`${stored} ${than} ${JSON.stringify(value)}::jsonb`;
  }
  if (type === "text") return compareText(Prisma.sql`lower(${text})`, test, String(value));
  return Prisma.sql`s.fields @> ${JSON.stringify({ [key]: value })}::jsonb`;
}

/**
 * Confirmations `m` to the person of a row `s`; those that were cancelled count as never written. What is asked of them is asked
 * in scalar queries, which are one look-up by index each: of a join, the planner may compare all people with all mails.
 */
const confirmations = (newsletterId: string) => Prisma.sql`
  m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = s.id AND m.kind = 'confirmation' AND m.state <> 'cancelled'`;

/** When the last confirmation left. */
const askedAt = (newsletterId: string) => Prisma.sql`(
  SELECT max(coalesce(m.finished_at, m.frozen_at)) FROM mails m WHERE ${confirmations(newsletterId)} AND m.state = 'sent')`;

/** As the screen says what became of a mail: the latest report counts, and bad news more than good. */
const BECAME = Prisma.sql`CASE
  WHEN m.complained_at IS NOT NULL THEN 'complained'
  WHEN m.bounced_at IS NOT NULL THEN 'bounced'
  WHEN m.state IN ('failed', 'uncertain') THEN 'failed'
  WHEN m.state <> 'sent' THEN 'waiting'
  WHEN m.delivered_at IS NOT NULL THEN 'delivered'
  ELSE 'sent' END`;

/** What became of the last. */
const mailBecame = (some: AskedState[], newsletterId: string) => Prisma.sql`(
  SELECT ${BECAME} FROM mails m WHERE ${confirmations(newsletterId)} ORDER BY m.id DESC LIMIT 1) = ANY (${some}::text[])`;

/** What a condition asks of rows `s`: true, or else false or NULL. */
function conditionSql(condition: NumberedCondition, rowsOf: RowsOf, newsletterId: string): Prisma.Sql {
  switch (condition.about) {
    case "status":
      return isOneOf(Prisma.sql`s.status`, condition.is);
    case "source":
      return isOfSource(condition.is);
    case "email":
    case "name":
      return compareText(lowerCase[rowsOf][condition.about], condition.test, condition.value);
    case "tag":
      return Prisma.sql`s.tags && ${condition.is}::int[]`;
    case "field":
      return compareField(condition);
    case "import":
      return isOfImport(condition.id, condition.part);
    case "added":
      if (!("at" in condition)) return condition.test === "set" ? Prisma.sql`true` : Prisma.sql`false`;
      return (condition.test === "after" ? addedFrom : addedBefore)(new Date(condition.at));
    case "confirmed":
      return compareTime(Prisma.sql`s.confirmed_at`, condition);
    case "asked":
      return compareTime(askedAt(newsletterId), condition);
    case "mail":
      return mailBecame(condition.is, newsletterId);
  }
}

function groupSql({ match, conditions }: NumberedGroup, rowsOf: RowsOf, newsletterId: string): Prisma.Sql {
  const parts = conditions.map((one) => Prisma.sql`(${conditionSql(one, rowsOf, newsletterId)})`);
  const joined = Prisma.join(parts, match === "all" ? " AND " : " OR ");
  // NULL is no yes: who has no value is not excluded by what is asked of it.
  return match === "none" ? Prisma.sql`(${joined}) IS NOT TRUE` : Prisma.sql`(${joined})`;
}

const isOfListOnly = ({ about }: NumberedCondition) => about === "tag" || about === "field";

/**
 * What the index has not, looked up in the list for each of its rows. OFFSET 0 keeps it a look-up: of a join, the planner may ask
 * the mails of all people again for each row, which took 17 s with 330 people.
 */
const lookedUp = (condition: Prisma.Sql) => Prisma.sql`EXISTS (
  SELECT FROM (SELECT l.* FROM subscribers l WHERE l.newsletter_id = s.newsletter_id AND l.id = s.id OFFSET 0) s
  WHERE ${condition} OFFSET 0)`;

/** The condition on rows `s` that a segment's groups make. */
export function conditionOfGroups(groups: NumberedGroup[], rowsOf: RowsOf, newsletterId: string): Prisma.Sql {
  const parts = groups.map((group) =>
    rowsOf === "index" && group.conditions.some(isOfListOnly)
      ? lookedUp(groupSql(group, "list", newsletterId))
      : groupSql(group, rowsOf, newsletterId),
  );
  return Prisma.join(parts, " AND ");
}
