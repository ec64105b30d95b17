import { type Db, Prisma, type Tx } from "./client";

/**
 * A moment of the database for several statements, each planned for what it asks: a frequent text is met soon in the list's own
 * order, a rare one is found by its trigrams, and a plan made for any text would do one of the two badly.
 */
export function atOneMoment<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // Compiling pays for reports that take seconds; these must not.
      await tx.$queryRaw`SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)`;
      return read(tx);
    },
    { isolationLevel: "RepeatableRead" },
  );
}

/** People who are on the list and not in its copy: those above the copy's last id, and so many below it. */
export type Rest = { top: string | null; above: number; below: number };

/**
 * Who is missing from the copy, from the counts of both: exact in the moment of the transaction, whatever clocks and late
 * commits did to the order of ids, and nothing to look for when all are in it.
 */
export async function findRest(tx: Tx, newsletterId: string): Promise<Rest> {
  const [row] = await tx.$queryRaw<{ missing: number; top: string | null }[]>`
    SELECT ((SELECT coalesce(sum(people), 0) FROM subscriber_counts WHERE newsletter_id = ${newsletterId}::uuid)
        - (SELECT coalesce(sum(people), 0) FROM people_search_counts WHERE newsletter_id = ${newsletterId}::uuid))::float8 AS missing,
      (SELECT id FROM people_search WHERE newsletter_id = ${newsletterId}::uuid ORDER BY id DESC LIMIT 1)::text AS top`;
  const { missing = 0, top = null } = row ?? {};
  if (missing <= 0 || top === null) return { top, above: Math.max(0, missing), below: 0 };
  const [counted] = await tx.$queryRaw<{ above: number }[]>`
    SELECT count(*)::float8 AS above FROM (SELECT FROM subscribers
      WHERE newsletter_id = ${newsletterId}::uuid AND id > ${top}::uuid LIMIT ${missing}) AS newer`;
  const above = counted?.above ?? 0;
  return { top, above, below: missing - above };
}

/** Rows `s` with the columns of the copy. */
const asCopied = Prisma.sql`s.newsletter_id, s.id, lower(s.email) COLLATE "C" AS email,
  searched_name(s.first_name, s.last_name) COLLATE "C" AS name, s.status, s.source, s.source_id, s.created_at, s.confirmed_at`;

/** What to read in place of one table, so that together nobody is left out or met twice: the copy, and who is not in it. */
export function copiedAndRest(newsletterId: string, { top, above, below }: Rest): Prisma.Sql[] {
  const parts: Prisma.Sql[] = [];
  if (top !== null) parts.push(Prisma.sql`people_search`);
  if (above > 0) {
    const newer = top === null ? Prisma.empty : Prisma.sql`AND s.id > ${top}::uuid`;
    parts.push(
      Prisma.sql`(SELECT ${asCopied} FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid ${newer})`,
    );
  }
  if (below > 0) {
    // OFFSET 0 keeps it a look-up for each row: walked from the newest, and ended when all are found, as a join would not be.
    parts.push(Prisma.sql`(SELECT ${asCopied} FROM subscribers s
      WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id <= ${top}::uuid AND NOT EXISTS (SELECT FROM people_search p
        WHERE p.newsletter_id = s.newsletter_id AND p.id = s.id OFFSET 0)
      ORDER BY s.id DESC LIMIT ${below})`);
  }
  return parts;
}
