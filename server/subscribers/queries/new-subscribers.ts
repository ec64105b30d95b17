import type { NewStatus } from "../../imports/schema/imports";
import { mayHaveOtherSpellings, throttleKey } from "../../kernel/email";
import {
  type Db,
  isConsentRefusal,
  Prisma,
  sqlState,
  type Tx,
  throughAdapter,
  withRetry,
} from "../../platform/db/client";
import { columnName } from "../../platform/db/column-name";
import { textArray } from "../../platform/db/text-array";
import { hardReasons } from "../../suppressions/schema/suppressions";
import { askedLately, relatedOptOuts, suppressionOf } from "../../suppressions/shared-queries";
import { type StoredText, storedTexts } from "../schema/subscriber-texts";
import type { SubscriberRow } from "./subscribers";

/** The data of a new subscriber, from a request or a row of an import. */
export type NewPerson = Pick<
  SubscriberRow,
  "email" | "emailCanonical" | "firstName" | "lastName" | "status"
> &
  Partial<Pick<SubscriberRow, StoredText | RareColumn>>;
/** The columns that are empty in most rows. */
type RareColumn = "fields" | "tags" | "subscribedAt" | "externalId";

/** A column that usually has one value for all rows: that value is sent once, and the array stays empty. */
export type CommonColumn = { one: string | null; each: string };

export function commonColumn(values: (string | null)[]): CommonColumn {
  const one = values[0] ?? null;
  if (values.every((value) => value === one)) return { one, each: "{}" };
  return { one: null, each: textArray(values) };
}

/**
 * A column that is often empty. unnest fills a short array with nulls, so that an empty column sends no data.
 */
export const rareArray = (values: (string | null)[]) =>
  values.every((value) => value === null) ? "{}" : textArray(values);

/** The texts, each with the name of its array. */
export const arrayNames = storedTexts.map((name) => [name, `${name}s`] as const);

/**
 * New people as arrays for unnest, in PostgreSQL's text format. A worker thread without a database connection can
 * create them.
 */
export type PersonArrays = Record<`${StoredText}s`, string> & {
  canonicals: string;
  statuses: CommonColumn;
  /** The rare columns as text; usually null, because nobody has any. */
  rare: Record<RareColumn, string> | null;
};

/** Most addresses equal their canonical form and are sent only once. */
export function personArrays(people: NewPerson[]): PersonArrays {
  const arrays = {
    canonicals: textArray(
      people.map(({ email, emailCanonical }) => (emailCanonical === email ? null : emailCanonical)),
    ),
    statuses: commonColumn(people.map(({ status }) => status)),
    rare: people.some(
      ({ fields, tags, subscribedAt, externalId }) => fields || tags?.length || subscribedAt || externalId,
    )
      ? {
          fields: rareArray(people.map(({ fields }) => (fields ? JSON.stringify(fields) : null))),
          tags: rareArray(people.map(({ tags }) => (tags?.length ? `{${tags.join()}}` : null))),
          subscribedAt: rareArray(people.map(({ subscribedAt }) => subscribedAt?.toISOString() ?? null)),
          externalId: rareArray(people.map(({ externalId }) => externalId ?? null)),
        }
      : null,
  } as PersonArrays;
  // A spread of these costs eight times as much.
  for (const [name, array] of arrayNames)
    arrays[array] = textArray(people.map((person) => person[name] ?? null));
  return arrays;
}

export type NewSubscriberRow = NewPerson &
  Pick<SubscriberRow, "id" | "newsletterId" | "source" | "sourceId" | StoredText> & { status: NewStatus };

const textColumns = Prisma.raw(storedTexts.map(columnName).join(", "));

/** The columns of a `NewPerson` in both `subscribers` and `import_rows`. */
export const personColumns = Prisma.sql`email_canonical, status, ${textColumns}`;

/** The same with the columns that are empty in most rows. */
export const allPersonColumns = Prisma.sql`${personColumns}, fields, tags, subscribed_at, external_id`;

/** New people for unnest: the arrays, the columns of its rows and their values. */
export function unnestedPeople(people: PersonArrays): {
  arrays: Prisma.Sql;
  columns: Prisma.Sql;
  values: Prisma.Sql;
} {
  const { canonicals, statuses, rare } = people;
  const values = arrayNames.map(([, array]) => people[array]);
  const texts = Prisma.join(values, "::text[], ", "", "::text[]");
  return {
    arrays: Prisma.sql`${canonicals}::text[], ${statuses.each}::text[], ${texts}${rare ? Prisma.sql`, ${rare.fields}::text[], ${rare.tags}::text[], ${rare.subscribedAt}::timestamptz[], ${rare.externalId}::text[]` : Prisma.empty}`,
    columns: rare ? allPersonColumns : personColumns,
    values: Prisma.sql`coalesce(email_canonical, email) AS email_canonical,
      coalesce(status, ${statuses.one}) AS status, ${textColumns}${rare ? Prisma.sql`, fields::jsonb AS fields, tags::int[] AS tags, subscribed_at, external_id` : Prisma.empty}`,
  };
}

/** The inserted rows. All rows of one insert have the time of their transaction. */
export type Inserted = {
  createdAt: Date;
  has(id: string): boolean;
  /** How many of these people are active although another spelling of their address has opted out. */
  relatedOptOuts(ids: string[]): number;
};

/**
 * The only INSERT of subscribers. Its rows `new` come from a request (below) or from an import (import-rows.ts). The
 * unique indexes alone decide about duplicates. Rows are inserted in the order of canonical addresses, so that
 * overlapping transactions can't deadlock.
 * @param columns `personColumns` or `allPersonColumns`
 */
export const insertNew = (columns: Prisma.Sql) => Prisma.sql`
    added AS (
      INSERT INTO subscribers (newsletter_id, id, source, source_id, ${columns}, unsubscribed_at)
      SELECT newsletter_id, id, source, source_id, ${columns}, unsubscribed_at
      FROM new ORDER BY newsletter_id, email_canonical COLLATE "C", id
      ON CONFLICT ${columns === allPersonColumns ? Prisma.empty : Prisma.sql`(newsletter_id, email_canonical)`} DO NOTHING
      RETURNING id
    )`;

/** `created_at` is a text if the statement ran through Prisma's driver adapter. */
type Inserting = { created_at: Date | string; missing: string[] | null; related: string[] | null };

/** The error that the database raises when an all-or-none insert finds a taken address; see the first migration. */
const INCOMPLETE = "RC001";
/** lock_not_available: the statement exceeded lock_timeout. */
const LOCKED = "55P03";

type InsertOptions = {
  allOrNone?: boolean;
  /**
   * How long the insert waits for another transaction that is inserting one of the addresses; 0: until that one ends.
   */
  lockTimeoutMs?: number;
  /**
   * Ignores suppressed addresses like taken ones, and records a return request for addresses that may get one. Without
   * this option the database rejects the whole statement for a suppressed address. Most requests have none, and the
   * check costs time.
   */
  checked?: boolean;
};

const askable = Prisma.sql`x.reason NOT IN (${Prisma.join([...hardReasons])}) AND NOT ${askedLately}`;

/** SQL for the ids of people who become active although another spelling of their address has opted out. */
function relatedIds(rows: NewSubscriberRow[]): Prisma.Sql {
  // The check costs a bulk of 100 up to a millisecond. Most mailboxes have only one spelling.
  const respelled = rows.filter(
    (row) => row.status === "active" && mayHaveOtherSpellings(row.emailCanonical),
  );
  if (respelled.length === 0) return Prisma.sql`NULL::text[]`;
  const column = (read: (row: NewSubscriberRow) => string) => textArray(respelled.map(read));
  const people = Prisma.sql`unnest(${column(({ id }) => id)}::uuid[], ${column(({ newsletterId }) => newsletterId)}::uuid[],
    ${column(({ emailCanonical }) => throttleKey(emailCanonical))}::text[]) AS given (id, newsletter_id, mailbox)`;
  return Prisma.sql`(SELECT array_agg(id::text) FROM (${relatedOptOuts(people)}) AS found)`;
}

function insert(
  tx: Pick<Tx, "$queryRaw">,
  rows: NewSubscriberRow[],
  { allOrNone = false, lockTimeoutMs = 0, checked = false }: InsertOptions,
) {
  const people = unnestedPeople(personArrays(rows));
  const ids = textArray(rows.map((row) => row.id));
  const newsletters = commonColumn(rows.map((row) => row.newsletterId));
  const sources = commonColumn(rows.map((row) => row.source));
  const sourceIds = commonColumn(rows.map((row) => row.sourceId));
  const timeout = lockTimeoutMs
    ? Prisma.sql`CROSS JOIN set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`
    : Prisma.empty;
  const { given, asked } = checked ? checkedRows : uncheckedRows;
  // Round the time like the column does. Otherwise one record in 2,000 would be a second later than its row.
  return tx.$queryRaw<Inserting[]>`
    WITH given AS (
      SELECT id, coalesce(newsletter_id, ${newsletters.one}::uuid) AS newsletter_id,
        coalesce(source, ${sources.one}) AS source, coalesce(source_id, ${sourceIds.one}::uuid) AS source_id, ${people.values}
      FROM unnest(
        ${ids}::uuid[], ${newsletters.each}::uuid[], ${sources.each}::text[], ${sourceIds.each}::uuid[], ${people.arrays}
      ) AS new (id, newsletter_id, source, source_id, ${people.columns})
      ${timeout}
    ), new AS (${given}), ${insertNew(people.columns)}${asked}
    SELECT now()::timestamptz(3) AS created_at, CASE WHEN (SELECT count(*) FROM added) < ${rows.length}::int THEN
      CASE WHEN ${allOrNone} THEN reject_incomplete()
        ELSE (SELECT array_agg(id::text) FROM given WHERE id NOT IN (SELECT id FROM added)) END
      END AS missing,
      ${relatedIds(rows)} AS related`;
}

const uncheckedRows = {
  given: Prisma.sql`SELECT *, NULL::timestamptz AS unsubscribed_at FROM given`,
  asked: Prisma.empty,
};
const checkedRows = {
  given: Prisma.sql`
      SELECT g.*, x.created_at AS unsubscribed_at
      FROM given g LEFT JOIN ${suppressionOf(Prisma.sql`g.newsletter_id`, Prisma.sql`g.email_canonical`)}
      WHERE x.digest IS NULL OR g.status = 'pending' AND ${askable}`,
  asked: Prisma.sql`, asked AS (
      UPDATE suppressions x SET asked_at = now() FROM new
      WHERE new.unsubscribed_at IS NOT NULL AND new.id IN (SELECT id FROM added)
        AND x.newsletter_id = new.newsletter_id AND x.digest = address_digest(new.newsletter_id, new.email_canonical)
    )`,
};

function inserted([result]: Inserting[]): Inserted {
  if (!result) throw new Error("an insert returned no row");
  const missing = new Set(result.missing);
  const related = new Set(result.related);
  return {
    createdAt: new Date(result.created_at),
    has: (id) => !missing.has(id),
    relatedOptOuts: (ids) => ids.filter((id) => related.has(id) && !missing.has(id)).length,
  };
}

/** Inserts the rows with free addresses that are not suppressed, and ignores the others, in one statement. */
export async function insertFree(tx: Db | Tx, rows: NewSubscriberRow[]): Promise<Inserted> {
  return inserted(await insert(tx, rows, { checked: true }));
}

/**
 * Inserts the rows with free addresses, for active people. An import locks all its addresses until it ends, so this
 * insert waits only for a limited time.
 * @returns null after the timeout; nothing was inserted
 * @throws an error that `isConsentRefusal` recognises
 */
export async function insertFreeWithin(
  db: Db,
  rows: NewSubscriberRow[],
  lockTimeoutMs: number,
): Promise<Inserted | null> {
  try {
    return inserted(await insert(throughAdapter(db), rows, { lockTimeoutMs }));
  } catch (error) {
    if (sqlState(error) === LOCKED) return null;
    throw error;
  }
}

/**
 * Inserts rows in their own transaction. It is a list of statements, because a transaction that waits for its caller
 * between statements costs three times as much.
 * @returns null when `allOrNone` is set and an address is taken, or when an address is suppressed; nothing was inserted
 */
export async function insertAtOnce(
  db: Db,
  rows: NewSubscriberRow[],
  allOrNone: boolean,
): Promise<Inserted | null> {
  const attempt = () =>
    db.$transaction([insert(db, rows, { allOrNone })]).then(
      ([result]) => inserted(result),
      (error) => {
        if (sqlState(error) === INCOMPLETE || isConsentRefusal(error)) return null;
        throw error;
      },
    );
  return withRetry(attempt);
}
