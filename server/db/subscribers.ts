import type { Db, Tx } from "./client";

export type NewRow = {
  id: string;
  newsletterId: string;
  email: string;
  emailCanonical: string;
  firstName: string;
  lastName: string;
  status: "active" | "pending";
  source: string;
  sourceId: string | null;
};

/** Who went in: all share the moment of their transaction. */
export type Inserted = { createdAt: Date; has(id: string): boolean };

const QUOTED = /["\\]/;
const QUOTED_ALL = /["\\]/g;

/**
 * A text[] as Postgres writes it. One string crosses Prisma and the driver as it is; an array is walked, wrapped and
 * escaped element by element in both, which cost a bulk of 100 more than validating it.
 */
function textArray(values: (string | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += value === null ? "NULL" : `"${QUOTED.test(value) ? value.replace(QUOTED_ALL, "\\$&") : value}"`;
  }
  return `${text}}`;
}

/**
 * Inserts the rows whose address is free, in one statement, and leaves the others alone: the unique index is the
 * only judge. Rows go in by canonical address, whatever their order here, so that overlapping requests wait for
 * each other and never in a circle.
 */
export async function insertMissing(tx: Db | Tx, rows: NewRow[]): Promise<Inserted> {
  const column = (name: keyof NewRow) => textArray(rows.map((row) => row[name]));
  // Most people are written as they are kept: then the address crosses once.
  const canonicals = textArray(
    rows.map((row) => (row.emailCanonical === row.email ? null : row.emailCanonical)),
  );
  const [result] = await tx.$queryRaw<{ created_at: Date; missing: string[] | null }[]>`
    WITH new AS (
      SELECT * FROM unnest(
        ${column("newsletterId")}::uuid[], ${column("id")}::uuid[], ${column("email")}::text[], ${canonicals}::text[],
        ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("status")}::text[],
        ${column("source")}::text[], ${column("sourceId")}::uuid[]
      ) AS new (newsletter_id, id, email, canonical, first_name, last_name, status, source, source_id)
    ), added AS (
      INSERT INTO subscribers
        (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, source_id)
      SELECT newsletter_id, id, email, coalesce(canonical, email), first_name, last_name, status, source, source_id
      FROM new ORDER BY newsletter_id, coalesce(canonical, email) COLLATE "C", id
      ON CONFLICT (newsletter_id, email_canonical) DO NOTHING
      RETURNING id
    )
    SELECT now() AS created_at, CASE WHEN (SELECT count(*) FROM added) < ${rows.length}::int THEN
      (SELECT array_agg(id::text) FROM new WHERE id NOT IN (SELECT id FROM added)) END AS missing`;
  if (!result) throw new Error("an insert answered with no row");
  const missing = new Set(result.missing);
  return { createdAt: result.created_at, has: (id) => !missing.has(id) };
}

/** Which of these canonical addresses the newsletter has already, whatever their status. */
export async function findTaken(
  tx: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ email_canonical: string }[]>`
    SELECT email_canonical FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ANY (${textArray(canonicals)}::text[])`;
  return new Set(rows.map((row) => row.email_canonical));
}
