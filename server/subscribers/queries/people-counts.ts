import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { Status } from "../status-moves";
import { isOneOf } from "./filter-conditions";
import { conditionOf, isOnlyRequired, type PeopleFilter, requiredOf, usesSearchIndex } from "./people-filter";
import { findUnindexed, onOneSnapshot, tablesOf, unindexedTables } from "./search-index";

type Counted = { people: number };

async function countIn(db: Db | Tx, table: Prisma.Sql, condition: Prisma.Sql): Promise<number> {
  const [row] = await db.$queryRaw<Counted[]>`
    SELECT count(*)::float8 AS people FROM ${table} s WHERE ${condition}`;
  return row?.people ?? 0;
}

/** The exact number of people by status. The cost is the same for any number of people. */
export async function countByStatus(db: Db | Tx, newsletterId: string): Promise<Record<Status, number>> {
  const rows = await db.$queryRaw<{ status: Status; people: number }[]>`
    SELECT status, sum(people)::float8 AS people FROM subscriber_counts
    WHERE newsletter_id = ${newsletterId}::uuid GROUP BY status`;
  const counts: Record<Status, number> = { active: 0, pending: 0, unsubscribed: 0 };
  for (const row of rows) counts[row.status] = row.people;
  return counts;
}

/** The exact number of matching people, from stored counts where possible, else counted row by row. */
export async function countPeople(db: Db, filter: PeopleFilter): Promise<number> {
  const { newsletterId } = filter;
  const required = requiredOf(filter);
  if (isOnlyRequired(filter) && required.every(({ about }) => about === "status")) {
    const counts = Object.entries(await countByStatus(db, newsletterId)) as [Status, number][];
    const matching = counts.filter(([status]) =>
      required.every((one) => one.about === "status" && one.is.includes(status)),
    );
    return matching.reduce((sum, [, people]) => sum + people, 0);
  }
  const inList = (tx: Db | Tx) => countIn(tx, Prisma.sql`subscribers`, conditionOf(filter, "list"));
  // Finding an address takes half a millisecond, less than a transaction.
  if (required.some(({ about }) => about === "address")) return inList(db);
  const stored = storedCount(filter);
  return onOneSnapshot(db, async (tx) => {
    if (!usesSearchIndex(filter) && !stored) return inList(tx);
    const pending = await findUnindexed(tx, newsletterId);
    let people = 0;
    if (stored) people += (await tx.$queryRaw<Counted[]>`/* stored count */ ${stored}`)[0]?.people ?? 0;
    const tables = stored ? unindexedTables(newsletterId, pending) : tablesOf(newsletterId, pending);
    for (const table of tables) people += await countIn(tx, table, conditionOf(filter, "index"));
    return people;
  });
}

const QUARTER_MS = 15 * 60_000;

/** SQL for the stored counts of such a filter; null when no counts are stored for it. */
function storedCount(filter: PeopleFilter): Prisma.Sql | null {
  if (!isOnlyRequired(filter)) return null;
  const required = requiredOf(filter);
  const sum = (table: Prisma.Sql, conditions: Prisma.Sql[]) => Prisma.sql`
    SELECT coalesce(sum(people), 0)::float8 AS people FROM ${table}
    WHERE ${Prisma.join([Prisma.sql`newsletter_id = ${filter.newsletterId}::uuid`, ...conditions], " AND ")}`;
  const groups = required.flatMap((one) =>
    one.about === "source" || one.about === "status" ? isOneOf(Prisma.raw(one.about), one.is) : [],
  );
  if (groups.length === required.length) return sum(Prisma.sql`people_search_counts`, groups);
  const quarters = required.flatMap((one) => {
    if (one.about !== "added" || !("at" in one) || Date.parse(one.at) % QUARTER_MS !== 0) return [];
    const than = one.test === "after" ? Prisma.sql`>=` : Prisma.sql`<`;
    return Prisma.sql`quarter ${than} ${new Date(one.at)}::timestamptz`;
  });
  return quarters.length === required.length ? sum(Prisma.sql`people_added`, quarters) : null;
}

/** How often people became active, and how often they stopped being active. */
export type ActiveMoves = { joined: number; left: number };

/**
 * The moves in each time span, rounded to a quarter of an hour.
 * @param spans rows of `day` (any text or null), `since` and `until`
 */
async function movesIn(
  tx: Tx,
  newsletterId: string,
  spans: Prisma.Sql,
): Promise<({ day: string | null } & ActiveMoves)[]> {
  const nobody = Prisma.sql`SELECT NULL::timestamptz AS quarter, 0 AS became WHERE false`;
  // Count pending rows like the triggers of the index count indexed rows.
  const fresh = unindexedTables(newsletterId, await findUnindexed(tx, newsletterId)).map(
    (
      table,
    ) => Prisma.sql`SELECT quarter_of(coalesce(s.confirmed_at, s.subscribed_at, s.created_at)) AS quarter, count(*) AS became FROM ${table} s
      WHERE s.status = 'active' GROUP BY 1`,
  );
  return tx.$queryRaw<({ day: string | null } & ActiveMoves)[]>`
    WITH fresh AS MATERIALIZED (${Prisma.join([nobody, ...fresh], " UNION ALL ")}), spans AS (${spans})
    SELECT spans.day, (indexed.became + newer.became)::int AS joined, indexed.stopped::int AS "left" FROM spans
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(became), 0) AS became, coalesce(sum(stopped), 0) AS stopped FROM people_active
        WHERE newsletter_id = ${newsletterId}::uuid AND quarter >= spans.since AND quarter < spans.until) AS indexed
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(became), 0) AS became FROM fresh
        WHERE quarter >= spans.since AND quarter < spans.until) AS newer
    ORDER BY 1`;
}

/** The moves since a moment, rounded to a quarter of an hour. */
export function countActiveSince(db: Db, newsletterId: string, since: Date): Promise<ActiveMoves> {
  return onOneSnapshot(db, async (tx) => {
    const [row] = await movesIn(
      tx,
      newsletterId,
      Prisma.sql`SELECT NULL::text AS day, quarter_of(${since}::timestamptz) AS since, 'infinity'::timestamptz AS until`,
    );
    return { joined: row?.joined ?? 0, left: row?.left ?? 0 };
  });
}

export const sumOf = (moves: ActiveMoves[]): ActiveMoves => ({
  joined: moves.reduce((sum, { joined }) => sum + joined, 0),
  left: moves.reduce((sum, { left }) => sum + left, 0),
});

/** `last`: the last day as YYYY-MM-DD; null: today. */
type Days = { days: number; last?: string | null; timeZone: string };

/**
 * The moves of `days` days in a time zone, and the total of the same number of days before. Also returns the number of
 * people by status at the same moment. `day` is YYYY-MM-DD.
 */
export function countActiveByDay(db: Db, newsletterId: string, { days, last = null, timeZone }: Days) {
  const end = Prisma.sql`
    (SELECT coalesce(${last}::timestamp, date_trunc('day', CURRENT_TIMESTAMP AT TIME ZONE ${timeZone})) AS last_day) AS span`;
  return onOneSnapshot(db, async (tx) => {
    const rows = await movesIn(
      tx,
      newsletterId,
      Prisma.sql`
        SELECT to_char(day, 'YYYY-MM-DD') AS day, day AT TIME ZONE ${timeZone} AS since, (day + interval '1 day') AT TIME ZONE ${timeZone} AS until
        FROM ${end}, generate_series(last_day - make_interval(days => ${days}::int - 1), last_day, interval '1 day') AS day
        UNION ALL
        SELECT NULL, (last_day - make_interval(days => 2 * ${days}::int - 1)) AT TIME ZONE ${timeZone},
          (last_day - make_interval(days => ${days}::int - 1)) AT TIME ZONE ${timeZone}
        FROM ${end}`,
    );
    const { joined = 0, left = 0 } = rows.find(({ day }) => day === null) ?? {};
    return {
      people: await countByStatus(tx, newsletterId),
      days: rows.flatMap(({ day, ...moves }) => (day === null ? [] : { day, ...moves })),
      before: { joined, left },
    };
  });
}
