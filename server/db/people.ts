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
  /** The key, staff member or import that brought them, by name, where there is one. */
  sourceName: string | null;
  version: number;
  createdAt: Date;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
};

const columns = Prisma.sql`s.id, s.email, s.first_name AS "firstName", s.last_name AS "lastName", s.status, s.source,
  coalesce(k.name, m.name, 'Paste #' || i.number) AS "sourceName", s.version, s.created_at AS "createdAt",
  s.confirmed_at AS "confirmedAt", s.unsubscribed_at AS "unsubscribedAt"`;
const names = Prisma.sql`
  LEFT JOIN api_keys k ON s.source = 'api' AND k.id = s.source_id AND k.newsletter_id = s.newsletter_id
  LEFT JOIN staff_members m ON s.source = 'dashboard' AND m.id = s.source_id
  LEFT JOIN imports i ON s.source = 'import' AND i.id = s.source_id AND i.newsletter_id = s.newsletter_id`;

/** One person, or null. */
export async function findPerson(db: Db | Tx, newsletterId: string, id: string): Promise<PersonRow | null> {
  const rows = await db.$queryRaw<PersonRow[]>`
    SELECT ${columns} FROM subscribers s ${names}
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Those of these ids that are on the newsletter, in the list's own order. */
export async function findPeople(db: Db | Tx, newsletterId: string, ids: string[]): Promise<PersonRow[]> {
  return db.$queryRaw<PersonRow[]>`
    SELECT ${columns} FROM subscribers s ${names}
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) ORDER BY s.id DESC`;
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
