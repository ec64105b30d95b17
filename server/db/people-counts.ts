import { lowestIdAt } from "../domain/ids";
import { type Db, Prisma, type Tx } from "./client";
import { conditionOf, type NumberedFilter, numberFilter, type PeopleFilter } from "./people-filter";
import { HOUR_MS, isOneOf } from "./person-conditions";
import { atOneMoment, findPending, pendingTables, tablesOf } from "./search-index";

type Counted = { people: number };

async function countIn(tx: Tx, table: Prisma.Sql, condition: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<Counted[]>`
    SELECT count(*)::float8 AS people FROM ${table} s WHERE ${condition}`;
  return row?.people ?? 0;
}

/** How many match, exactly: read from the counts of the search index where it has them, else counted row by row. */
export function countPeople(db: Db, given: PeopleFilter): Promise<number> {
  const { newsletterId, search } = given;
  return atOneMoment(db, async (tx) => {
    const filter = await numberFilter(tx, given);
    const stored = storedCount(filter);
    if (!search && !stored) return countIn(tx, Prisma.sql`subscribers`, conditionOf(filter, "list"));
    const pending = await findPending(tx, newsletterId);
    let people = 0;
    if (stored) people += (await tx.$queryRaw<Counted[]>`/* stored count */ ${stored}`)[0]?.people ?? 0;
    const tables = stored ? pendingTables(newsletterId, pending) : tablesOf(newsletterId, pending);
    for (const table of tables) people += await countIn(tx, table, conditionOf(filter, "index"));
    return people;
  });
}

const QUARTER_MS = 15 * 60_000;

/** The counts of the search index for such a filter; null where it has none. */
function storedCount({ newsletterId, ...filter }: NumberedFilter): Prisma.Sql | null {
  const given = Object.entries(filter).flatMap(([part, value]) => (value === undefined ? [] : part));
  const only = (...parts: string[]) => given.every((part) => parts.includes(part));
  const { source, status, addedFrom, addedBefore } = filter;
  if (only("source", "status")) {
    return Prisma.sql`SELECT coalesce(sum(people), 0)::float8 AS people FROM people_search_counts
      WHERE newsletter_id = ${newsletterId}::uuid
        ${source ? Prisma.sql`AND ${isOneOf(Prisma.sql`source`, source)}` : Prisma.empty}
        ${status ? Prisma.sql`AND ${isOneOf(Prisma.sql`status`, status)}` : Prisma.empty}`;
  }
  const isWhole = (at?: Date) => at === undefined || at.getTime() % QUARTER_MS === 0;
  if (only("addedFrom", "addedBefore") && isWhole(addedFrom) && isWhole(addedBefore)) {
    return Prisma.sql`SELECT coalesce(sum(people), 0)::float8 AS people FROM people_added
      WHERE newsletter_id = ${newsletterId}::uuid
        ${addedFrom ? Prisma.sql`AND quarter >= ${addedFrom}::timestamptz` : Prisma.empty}
        ${addedBefore ? Prisma.sql`AND quarter < ${addedBefore}::timestamptz` : Prisma.empty}`;
  }
  return null;
}

/** How many people joined on each day since, by the newsletter's own days: from counts of each quarter of an hour. */
export function countByDay(
  db: Db,
  newsletterId: string,
  since: Date,
  timeZone: string,
): Promise<{ day: string; people: number }[]> {
  return atOneMoment(db, async (tx) => {
    const pending = pendingTables(newsletterId, await findPending(tx, newsletterId)).map(
      (table) => Prisma.sql`UNION ALL SELECT quarter_of(s.created_at), count(*) FROM ${table} s
        WHERE s.id >= ${lowestIdAt(since.getTime() - HOUR_MS)}::uuid AND s.created_at >= ${since}::timestamptz GROUP BY 1`,
    );
    return tx.$queryRaw<{ day: string; people: number }[]>`
      SELECT to_char(day, 'YYYY-MM-DD') AS day, people FROM (
        SELECT (quarter AT TIME ZONE ${timeZone})::date AS day, sum(people)::int AS people FROM (
          SELECT quarter, people FROM people_added
          WHERE newsletter_id = ${newsletterId}::uuid AND quarter >= quarter_of(${since}::timestamptz)
          ${pending.length > 0 ? Prisma.join(pending, " ") : Prisma.empty}
        ) AS quarters GROUP BY 1
      ) AS days WHERE people > 0 ORDER BY 1`;
  });
}

/**
 * How many people imports have brought as unsubscribed since, by when: they are on the list so that nobody adds them, and
 * never joined it. Who came back since did. All people of one import were added in one moment.
 */
export async function countBroughtOptOuts(
  db: Db,
  newsletterId: string,
  since: Date,
): Promise<{ addedAt: Date; people: number }[]> {
  return db.$queryRaw<{ addedAt: Date; people: number }[]>`
    SELECT s.created_at AS "addedAt", count(*)::int AS people
    FROM imports i CROSS JOIN LATERAL (
      SELECT created_at FROM subscribers
      WHERE source = 'import' AND source_id = i.id AND newsletter_id = i.newsletter_id AND created_at >= ${since}::timestamptz
        AND status = 'unsubscribed' AND unsubscribed_at <= created_at OFFSET 0) s
    WHERE i.newsletter_id = ${newsletterId}::uuid AND i.ended_at >= ${since}::timestamptz
      AND (i.counts->>'new_unsubscribed')::int > 0
    GROUP BY 1`;
}
