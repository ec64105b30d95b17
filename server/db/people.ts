import type { Status } from "../domain/status-moves";
import { type Db, Prisma, type Tx } from "./client";

/** A person as the dashboard's list shows them. */
export type PersonRow = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  status: Status;
  source: string;
  /** The key or staff member that brought them, by name, where there is one. */
  sourceName: string | null;
  version: number;
  createdAt: Date;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
};

/** Which people; an absent part does not narrow it. */
export type PeopleFilter = {
  newsletterId: string;
  search?: string;
  status?: Status;
  source?: string;
  addedFrom?: Date;
  addedBefore?: Date;
};

export type PeopleOrder = "newest" | "oldest";

const HOUR_MS = 3_600_000;

/** The lowest UUID v7 of a moment. */
function lowestIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const searched = Prisma.sql`lower(' ' || s.email || ' ' || s.first_name || ' ' || s.last_name)`;

/** Any part of address or name; one or two letters are the start of a word, which the same index answers. */
function pattern(search: string): string {
  const literal = search.replace(/[\\%_]/g, "\\$&");
  return Array.from(search).length < 3 ? `% ${literal}%` : `%${literal}%`;
}

function where({ newsletterId, search, status, source, addedFrom, addedBefore }: PeopleFilter): Prisma.Sql {
  const parts = [Prisma.sql`s.newsletter_id = ${newsletterId}::uuid`];
  if (status === "active") parts.push(Prisma.sql`s.status = 'active'`);
  // Written as literals, so that the planner sees which partial index holds the rarer ones.
  if (status === "pending") parts.push(Prisma.sql`s.status = 'pending' AND s.status <> 'active'`);
  if (status === "unsubscribed") parts.push(Prisma.sql`s.status = 'unsubscribed' AND s.status <> 'active'`);
  if (source === "api") parts.push(Prisma.sql`s.source = 'api'`);
  else if (source) parts.push(Prisma.sql`s.source = ${source} AND s.source <> 'api'`);
  // Ids are in the order of time, so the primary key finds the span; the hour is for clocks that disagree.
  if (addedFrom) {
    parts.push(
      Prisma.sql`s.id >= ${lowestIdAt(addedFrom.getTime() - HOUR_MS)}::uuid AND s.created_at >= ${addedFrom}::timestamptz`,
    );
  }
  if (addedBefore) {
    parts.push(
      Prisma.sql`s.id < ${lowestIdAt(addedBefore.getTime() + HOUR_MS)}::uuid AND s.created_at < ${addedBefore}::timestamptz`,
    );
  }
  if (search) parts.push(Prisma.sql`${searched} LIKE lower(${pattern(search)})`);
  return Prisma.join(parts, " AND ");
}

const columns = Prisma.sql`s.id, s.email, s.first_name AS "firstName", s.last_name AS "lastName", s.status, s.source,
  coalesce(k.name, m.name) AS "sourceName", s.version, s.created_at AS "createdAt",
  s.confirmed_at AS "confirmedAt", s.unsubscribed_at AS "unsubscribedAt"`;
const names = Prisma.sql`
  LEFT JOIN api_keys k ON s.source = 'api' AND k.id = s.source_id AND k.newsletter_id = s.newsletter_id
  LEFT JOIN staff_members m ON s.source = 'dashboard' AND m.id = s.source_id`;

/**
 * A page of people.
 * @param from the id after which it begins, or before which it ends; null is the beginning
 */
export async function pageOfPeople(
  db: Db,
  filter: PeopleFilter,
  {
    order,
    limit,
    from,
  }: { order: PeopleOrder; limit: number; from: { after: string } | { before: string } | null },
): Promise<PersonRow[]> {
  // A page before something is read backwards from there.
  const backwards = from !== null && "before" in from;
  const descending = (order === "newest") !== backwards;
  const id = from === null ? null : "before" in from ? from.before : from.after;
  const edge =
    id === null
      ? Prisma.empty
      : descending
        ? Prisma.sql`AND s.id < ${id}::uuid`
        : Prisma.sql`AND s.id > ${id}::uuid`;
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const page = Prisma.sql`
    SELECT ${columns} FROM (
      SELECT * FROM subscribers s WHERE ${where(filter)} ${edge} ORDER BY s.id ${direction} LIMIT ${limit}
    ) s ${names} ORDER BY s.id ${direction}`;
  const rows = await planned(db, filter, (tx) => tx.$queryRaw<PersonRow[]>(page));
  return backwards ? rows.reverse() : rows;
}

/** How many, read one by one up to `ceiling`; one more than that when there are more. */
export async function countPeople(db: Db, filter: PeopleFilter, ceiling: number): Promise<number> {
  const counting = Prisma.sql`
    SELECT count(*)::int AS people FROM (SELECT FROM subscribers s WHERE ${where(filter)} LIMIT ${ceiling + 1}) AS found`;
  const rows = await planned(db, filter, (tx) => tx.$queryRaw<{ people: number }[]>(counting));
  return rows[0]?.people ?? 0;
}

/**
 * A search is planned for the text searched for: a frequent one is met soon along the primary key, a rare one is found
 * by its trigrams, and a plan made for any text would do one of the two badly.
 */
function planned<T>(db: Db, { search }: PeopleFilter, read: (tx: Db | Tx) => Promise<T>): Promise<T> {
  if (!search) return read(db);
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`;
    return read(tx);
  });
}

/** How many people a newsletter has, by status; exact, and the same cost for any number. */
export async function countByStatus(db: Db, newsletterId: string): Promise<Record<Status, number>> {
  const rows = await db.$queryRaw<{ status: Status; people: number }[]>`
    SELECT status, sum(people)::float8 AS people FROM subscriber_counts
    WHERE newsletter_id = ${newsletterId}::uuid GROUP BY status`;
  const counts: Record<Status, number> = { active: 0, pending: 0, unsubscribed: 0 };
  for (const row of rows) counts[row.status] = row.people;
  return counts;
}

/** One person, or null. */
export async function findPerson(db: Db | Tx, newsletterId: string, id: string): Promise<PersonRow | null> {
  const rows = await db.$queryRaw<PersonRow[]>`
    SELECT ${columns} FROM subscribers s ${names}
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Those of these ids that are on the newsletter, in the list's own order. */
export async function findPeople(db: Db, newsletterId: string, ids: string[]): Promise<PersonRow[]> {
  return db.$queryRaw<PersonRow[]>`
    SELECT ${columns} FROM subscribers s ${names}
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) ORDER BY s.id DESC`;
}

/** How many people joined on each day since, by the newsletter's own days. */
export async function countByDay(
  db: Db,
  newsletterId: string,
  since: Date,
  timeZone: string,
): Promise<{ day: string; people: number }[]> {
  return db.$queryRaw`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, people FROM (
      SELECT (created_at AT TIME ZONE ${timeZone})::date AS day, count(*)::int AS people FROM subscribers
      WHERE newsletter_id = ${newsletterId}::uuid AND id >= ${lowestIdAt(since.getTime() - HOUR_MS)}::uuid
        AND created_at >= ${since}::timestamptz
      GROUP BY 1
    ) AS days ORDER BY 1`;
}
