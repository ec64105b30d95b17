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

/**
 * Inserts the rows whose address is free, in one statement, and leaves the others alone: the unique index is the
 * only judge. Rows go in by canonical address, whatever their order here, so that overlapping requests wait for
 * each other and never in a circle.
 * @returns id → created_at of those that went in.
 */
export async function insertMissing(tx: Db | Tx, rows: NewRow[]): Promise<Map<string, Date>> {
  const column = <K extends keyof NewRow>(name: K) => rows.map((row) => row[name]);
  const inserted = await tx.$queryRaw<{ id: string; created_at: Date }[]>`
    INSERT INTO subscribers
      (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, source_id)
    SELECT * FROM unnest(
      ${column("newsletterId")}::uuid[], ${column("id")}::uuid[], ${column("email")}::text[],
      ${column("emailCanonical")}::text[], ${column("firstName")}::text[], ${column("lastName")}::text[],
      ${column("status")}::text[], ${column("source")}::text[], ${column("sourceId")}::uuid[]
    ) AS new (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, source_id)
    ORDER BY newsletter_id, email_canonical, id
    ON CONFLICT (newsletter_id, email_canonical) DO NOTHING
    RETURNING id, created_at`;
  return new Map(inserted.map((row) => [row.id, row.created_at]));
}

/** Which of these canonical addresses the newsletter has already, whatever their status. */
export async function findTaken(tx: Db | Tx, newsletterId: string, canonicals: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ email_canonical: string }[]>`
    SELECT email_canonical FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ANY (${canonicals}::text[])`;
  return new Set(rows.map((row) => row.email_canonical));
}
