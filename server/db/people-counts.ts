import { lowestIdAt } from "../domain/ids";
import { type Db, Prisma } from "./client";
import { conditionOf, HOUR_MS, type PeopleFilter } from "./people-filter";
import { atOneMoment, copiedAndRest, findRest, type Rest } from "./people-search";

type Counted = { people: number };

/** How many match, exactly. What counts are kept of is read from them; else those who match are counted one by one. */
export function countPeople(db: Db, filter: PeopleFilter): Promise<number> {
  const { newsletterId, search } = filter;
  return atOneMoment(db, async (tx) => {
    const kept = keptCount(filter);
    if (!search && !kept) {
      const [row] = await tx.$queryRaw<Counted[]>`
        SELECT count(*)::float8 AS people FROM subscribers s WHERE ${conditionOf(filter, "raw")}`;
      return row?.people ?? 0;
    }
    const rest = await findRest(tx, newsletterId);
    let people = 0;
    if (kept) {
      const [row] = await tx.$queryRaw<Counted[]>`/* kept counts */ ${kept}`;
      people += row?.people ?? 0;
    }
    for (const table of kept ? onlyRest(newsletterId, rest) : copiedAndRest(newsletterId, rest)) {
      const [row] = await tx.$queryRaw<Counted[]>`
        SELECT count(*)::float8 AS people FROM ${table} s WHERE ${conditionOf(filter, "copied")}`;
      people += row?.people ?? 0;
    }
    return people;
  });
}

/** Who is on the list and not in its copy. */
function onlyRest(newsletterId: string, rest: Rest): Prisma.Sql[] {
  return copiedAndRest(newsletterId, rest).slice(rest.top === null ? 0 : 1);
}

const QUARTER_MS = 15 * 60_000;

/** What the counts that are kept beside the copy say of such a filter; null when they do not tell. */
function keptCount({ newsletterId, ...filter }: PeopleFilter): Prisma.Sql | null {
  const given = Object.entries(filter).flatMap(([part, value]) => (value === undefined ? [] : part));
  const only = (...parts: string[]) => given.every((part) => parts.includes(part));
  const { source, status, addedFrom, addedBefore } = filter;
  if (only("source", "status")) {
    return Prisma.sql`SELECT coalesce(sum(people), 0)::float8 AS people FROM people_search_counts
      WHERE newsletter_id = ${newsletterId}::uuid ${source ? Prisma.sql`AND source = ${source}` : Prisma.empty}
        ${status ? Prisma.sql`AND status = ${status}` : Prisma.empty}`;
  }
  const whole = (at?: Date) => at === undefined || at.getTime() % QUARTER_MS === 0;
  if (only("addedFrom", "addedBefore") && whole(addedFrom) && whole(addedBefore)) {
    return Prisma.sql`SELECT coalesce(sum(people), 0)::float8 AS people FROM people_added
      WHERE newsletter_id = ${newsletterId}::uuid
        ${addedFrom ? Prisma.sql`AND quarter >= ${addedFrom}::timestamptz` : Prisma.empty}
        ${addedBefore ? Prisma.sql`AND quarter < ${addedBefore}::timestamptz` : Prisma.empty}`;
  }
  return null;
}

/**
 * How many people joined on each day since, by the newsletter's own days: from what is kept of each quarter of an hour, and
 * who is not counted there yet.
 */
export function countByDay(
  db: Db,
  newsletterId: string,
  since: Date,
  timeZone: string,
): Promise<{ day: string; people: number }[]> {
  return atOneMoment(db, async (tx) => {
    const rest = onlyRest(newsletterId, await findRest(tx, newsletterId));
    const fresh = rest.map(
      (table) => Prisma.sql`UNION ALL SELECT quarter_of(s.created_at), count(*) FROM ${table} s
        WHERE s.id >= ${lowestIdAt(since.getTime() - HOUR_MS)}::uuid AND s.created_at >= ${since}::timestamptz GROUP BY 1`,
    );
    return tx.$queryRaw<{ day: string; people: number }[]>`
      SELECT to_char(day, 'YYYY-MM-DD') AS day, people FROM (
        SELECT (quarter AT TIME ZONE ${timeZone})::date AS day, sum(people)::int AS people FROM (
          SELECT quarter, people FROM people_added
          WHERE newsletter_id = ${newsletterId}::uuid AND quarter >= quarter_of(${since}::timestamptz)
          ${fresh.length > 0 ? Prisma.join(fresh, " ") : Prisma.empty}
        ) AS quarters GROUP BY 1
      ) AS days WHERE people > 0 ORDER BY 1`;
  });
}
