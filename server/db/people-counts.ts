import { type Db, Prisma, type Tx } from "./client";
import { conditionOf, type NumberedFilter, numberFilter, type PeopleFilter } from "./people-filter";
import { isOneOf } from "./person-conditions";
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

/** People who became active on a day, and who stopped being so. */
export type ActiveDay = { day: string; joined: number; left: number };

/**
 * How many people became active and stopped being so on each day since, by the newsletter's own days, from counts of each quarter
 * of an hour; and how many are active in the same moment. Days without either are left out. `day` is YYYY-MM-DD.
 */
export function countActiveByDay(
  db: Db,
  newsletterId: string,
  since: Date,
  timeZone: string,
): Promise<{ active: number; days: ActiveDay[] }> {
  return atOneMoment(db, async (tx) => {
    // As the triggers of the index count them once they are in it.
    const pending = pendingTables(newsletterId, await findPending(tx, newsletterId)).map(
      (
        table,
      ) => Prisma.sql`UNION ALL SELECT quarter_of(coalesce(s.confirmed_at, s.created_at)), count(*), 0 FROM ${table} s
        WHERE s.status = 'active' AND coalesce(s.confirmed_at, s.created_at) >= quarter_of(${since}::timestamptz) GROUP BY 1`,
    );
    const days = await tx.$queryRaw<ActiveDay[]>`
      SELECT to_char(day, 'YYYY-MM-DD') AS day, joined, "left" FROM (
        SELECT (quarter AT TIME ZONE ${timeZone})::date AS day, sum(became)::int AS joined, sum(stopped)::int AS "left" FROM (
          SELECT quarter, became, stopped FROM people_active
          WHERE newsletter_id = ${newsletterId}::uuid AND quarter >= quarter_of(${since}::timestamptz)
          ${pending.length > 0 ? Prisma.join(pending, " ") : Prisma.empty}
        ) AS quarters GROUP BY 1
      ) AS days WHERE joined > 0 OR "left" > 0 ORDER BY 1`;
    const [counted] = await tx.$queryRaw<Counted[]>`
      SELECT coalesce(sum(people), 0)::float8 AS people FROM subscriber_counts
      WHERE newsletter_id = ${newsletterId}::uuid AND status = 'active'`;
    return { active: counted?.people ?? 0, days };
  });
}
