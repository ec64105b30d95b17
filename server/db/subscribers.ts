import { type Db, Prisma, sqlState, type Tx, withRetry } from "./client";
import { textArray } from "./text-array";

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

/** A column that most often says the same of everyone: then it crosses once, and the array stays empty. */
function common(rows: NewRow[], name: keyof NewRow): { one: string | null; each: string } {
  const one = rows[0]?.[name] ?? null;
  if (rows.every((row) => row[name] === one)) return { one, each: "{}" };
  return { one: null, each: textArray(rows.map((row) => row[name])) };
}

type Outcome = { created_at: Date; missing: string[] | null };

/** What the database raises when an insert of all or none finds an address taken; see the first migration. */
const INCOMPLETE = "RC001";
/** lock_not_available: lock_timeout was over. */
const LOCKED = "55P03";

/**
 * Inserts the rows whose address is free, in one statement: the unique index is the only validate. Rows go in by
 * canonical address, whatever their order here, so that overlapping requests wait for each other and never in a circle.
 * @param allOrNone raises INCOMPLETE when an address is taken, instead of leaving its row out
 * @param patienceMs for how long it waits for somebody else who is just inserting one of the addresses; 0: as it takes
 */
function insert(tx: Db | Tx, rows: NewRow[], allOrNone: boolean, patienceMs = 0) {
  const column = (name: keyof NewRow) => textArray(rows.map((row) => row[name]));
  // Most people are written as they are kept: then the address crosses once.
  const canonicals = textArray(
    rows.map((row) => (row.emailCanonical === row.email ? null : row.emailCanonical)),
  );
  const newsletters = common(rows, "newsletterId");
  const statuses = common(rows, "status");
  const sources = common(rows, "source");
  const sourceIds = common(rows, "sourceId");
  const patience = patienceMs
    ? Prisma.sql`CROSS JOIN set_config('lock_timeout', ${String(patienceMs)}, true)`
    : Prisma.empty;
  // The time is rounded as the column rounds it: else one answer in 2,000 would be a second behind its row.
  return tx.$queryRaw<Outcome[]>`
    WITH new AS (
      SELECT coalesce(newsletter_id, ${newsletters.one}::uuid) AS newsletter_id, id, email,
        coalesce(canonical, email) COLLATE "C" AS canonical, first_name, last_name,
        coalesce(status, ${statuses.one}) AS status, coalesce(source, ${sources.one}) AS source,
        coalesce(source_id, ${sourceIds.one}::uuid) AS source_id
      FROM unnest(
        ${column("id")}::uuid[], ${column("email")}::text[], ${canonicals}::text[], ${column("firstName")}::text[],
        ${column("lastName")}::text[], ${newsletters.each}::uuid[], ${statuses.each}::text[], ${sources.each}::text[],
        ${sourceIds.each}::uuid[]
      ) AS new (id, email, canonical, first_name, last_name, newsletter_id, status, source, source_id)
      ${patience}
    ), added AS (
      INSERT INTO subscribers
        (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, source_id)
      SELECT newsletter_id, id, email, canonical, first_name, last_name, status, source, source_id
      FROM new ORDER BY newsletter_id, canonical, id
      ON CONFLICT (newsletter_id, email_canonical) DO NOTHING
      RETURNING id
    )
    SELECT now()::timestamptz(3) AS created_at, CASE WHEN (SELECT count(*) FROM added) < ${rows.length}::int THEN
      CASE WHEN ${allOrNone} THEN reject_incomplete()
        ELSE (SELECT array_agg(id::text) FROM new WHERE id NOT IN (SELECT id FROM added)) END
      END AS missing`;
}

function inserted([outcome]: Outcome[]): Inserted {
  if (!outcome) throw new Error("an insert answered with no row");
  const missing = new Set(outcome.missing);
  return { createdAt: outcome.created_at, has: (id) => !missing.has(id) };
}

/**
 * Inserts rows as insertMissing does, as a transaction of its own that does not wait longer than `patienceMs` for somebody
 * else who is just inserting one of the addresses: an import holds all of its own until it is done.
 * @returns null when that was too short; then nobody went in
 */
export async function insertSoon(db: Db, rows: NewRow[], patienceMs: number): Promise<Inserted | null> {
  try {
    return inserted(await insert(db, rows, false, patienceMs));
  } catch (error) {
    if (sqlState(error) === LOCKED) return null;
    throw error;
  }
}

/** Inserts the rows whose address is free and leaves the others alone, in one statement. */
export async function insertMissing(tx: Db | Tx, rows: NewRow[]): Promise<Inserted> {
  return inserted(await insert(tx, rows, false));
}

/**
 * The same as a transaction of its own. Sent as a list, since one that waits for its caller between statements costs
 * three times as much.
 * @returns null when `allOrNone` was asked for and an address is taken; then nobody went in
 */
export async function insertAtOnce(db: Db, rows: NewRow[], allOrNone: boolean): Promise<Inserted | null> {
  try {
    const [outcome] = await withRetry(() => db.$transaction([insert(db, rows, allOrNone)]));
    return inserted(outcome);
  } catch (error) {
    if (sqlState(error) === INCOMPLETE) return null;
    throw error;
  }
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
