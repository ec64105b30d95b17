import { resubscribeRequestDays } from "../../kernel/durations";
import { throttleKey } from "../../kernel/email";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import type { SuppressionReason } from "../schema/suppression-messages";
import type { SuppressionSource } from "../schema/suppressions";

/** A suppression is identified by the digest of a canonical address. Triggers of the migration `consent` enforce it. */
export type SuppressionRow = {
  id: string;
  /** As given; null after the address is erased or changed: only the digest is left. */
  email: string | null;
  reason: SuppressionReason;
  source: SuppressionSource;
  createdAt: Date;
  askedAt: Date | null;
  /** An email asked in the last `resubscribeRequestDays`. */
  askedLately: boolean;
};

/** SQL for `askedLately` of a suppression `x`; false without one. */
export const askedLately = Prisma.sql`coalesce(x.asked_at > now() - make_interval(days => ${resubscribeRequestDays}::int), false)`;

/** The columns of a `SuppressionRow`, for rows `x`. */
const suppressionColumns = Prisma.sql`x.id, x.email, x.reason, x.source, x.created_at AS "createdAt", x.asked_at AS "askedAt",
  ${askedLately} AS "askedLately"`;

/**
 * Joins the suppression `x` of an address.
 * @param newsletterId SQL of a uuid
 * @param canonical SQL of a canonical address
 */
export const suppressionOf = (newsletterId: Prisma.Sql, canonical: Prisma.Sql) => Prisma.sql`suppressions x
  ON x.newsletter_id = ${newsletterId} AND x.digest = address_digest(${newsletterId}, ${canonical})`;

export type NewSuppressionRow = {
  newsletterId: string;
  emailCanonical: string;
  /** As given. */
  email: string;
  reason: SuppressionReason;
  source: SuppressionSource;
  sourceId?: string | null;
  /** When the opt-out or bounce happened; default: now. */
  at?: Date | null;
};

/** For an address that is already suppressed: keep the suppression, or replace a weaker reason. */
const onConflict = {
  keep: Prisma.sql`DO NOTHING`,
  strengthen: Prisma.sql`(newsletter_id, digest) DO UPDATE SET
      email = coalesce(EXCLUDED.email, x.email), reason = EXCLUDED.reason, created_at = least(EXCLUDED.created_at, x.created_at),
      source = CASE WHEN x.source = 'person' THEN 'person' ELSE EXCLUDED.source END,
      source_id = CASE WHEN x.source = 'person' THEN x.source_id ELSE EXCLUDED.source_id END
    WHERE suppression_rank(EXCLUDED.reason) > suppression_rank(x.reason)`,
};

/**
 * Suppresses the addresses that a query returns. Only this statement inserts suppressions.
 * @param read SQL with the columns canonical, email, reason, source, source_id, at (null: now), n (the order of the
 * ids)
 * @returns the number of rows inserted or replaced
 */
export function suppressRead(
  tx: Tx,
  newsletterId: string,
  read: Prisma.Sql,
  known: keyof typeof onConflict,
): Promise<number> {
  // Ids contain the time of the statement, so that rows are in the order of n.
  return tx.$executeRaw`
    INSERT INTO suppressions AS x (newsletter_id, digest, mailbox_digest, id, email, reason, source, source_id, created_at)
    SELECT ${newsletterId}::uuid, address_digest(${newsletterId}::uuid, canonical), address_digest(${newsletterId}::uuid, mailbox_of(canonical)),
      new_id(statement_timestamp(), n), email, reason, source, source_id, coalesce(at, now())
    FROM (${read}) new
    ORDER BY canonical COLLATE "C"
    ON CONFLICT ${onConflict[known]}`;
}

/**
 * Suppresses addresses. A stronger reason replaces a weaker one, the earlier date stays, and the source `person` stays.
 * @param rows of one newsletter, each address once
 * @returns how many addresses are newly suppressed or have a stronger reason
 */
export async function suppress(tx: Tx, rows: NewSuppressionRow[]): Promise<number> {
  const column = (name: "emailCanonical" | "email" | "reason" | "source") =>
    textArray(rows.map((row) => row[name]));
  const [first] = rows;
  if (!first) return 0;
  const given = Prisma.sql`
    SELECT * FROM unnest(${column("emailCanonical")}::text[], ${column("email")}::text[], ${column("reason")}::text[], ${column("source")}::text[],
      ${rows.map(({ sourceId }) => sourceId ?? null)}::uuid[], ${rows.map(({ at }) => at ?? null)}::timestamptz[])
      WITH ORDINALITY AS given (canonical, email, reason, source, source_id, at, n)`;
  return suppressRead(tx, first.newsletterId, given, "strengthen");
}

/**
 * Blocks creates and address changes of a newsletter until the transaction ends. This prevents active people at an
 * address that the transaction suppresses.
 */
export async function lockSuppressions(tx: Tx, newsletterId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(suppression_lock(${newsletterId}::uuid))`;
}

/** The reason and the time of an address's suppression; null: it is not suppressed. */
export async function findSuppression(
  db: Db | Tx,
  newsletterId: string,
  emailCanonical: string,
): Promise<SuppressionRow | null> {
  return (await findSuppressed(db, newsletterId, [emailCanonical])).get(emailCanonical) ?? null;
}

/** The suppressed ones of these canonical addresses, with their reasons. */
export async function findSuppressed(
  db: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<Map<string, SuppressionRow>> {
  const rows = await db.$queryRaw<(SuppressionRow & { canonical: string })[]>`
    SELECT canonical, ${suppressionColumns}
    FROM unnest(${textArray(canonicals)}::text[]) AS asked (canonical)
    JOIN ${suppressionOf(Prisma.sql`${newsletterId}::uuid`, Prisma.sql`canonical`)}`;
  return new Map(rows.map(({ canonical, ...row }) => [canonical, row]));
}

/** Filters a list of suppressions. Absent properties match all. */
export type SuppressionFilter = {
  newsletterId: string;
  reason?: SuppressionReason;
  /** Matches this address, even if only its digest is stored. */
  emailCanonical?: string;
  /** Matches a part of the address. */
  search?: string;
};

/** SQL for a filter on rows `x`. Raw: the look-up of an address computes its digest in the database. */
function conditionOf({ newsletterId, reason, emailCanonical, search }: SuppressionFilter): Prisma.Sql {
  const parts = [Prisma.sql`x.newsletter_id = ${newsletterId}::uuid`];
  if (reason) parts.push(Prisma.sql`x.reason = ${reason}`);
  const addresses: Prisma.Sql[] = [];
  if (emailCanonical !== undefined)
    addresses.push(Prisma.sql`x.digest = address_digest(${newsletterId}::uuid, ${emailCanonical})`);
  if (search) addresses.push(Prisma.sql`strpos(lower(x.email), lower(${search})) > 0`);
  if (addresses.length > 0) parts.push(Prisma.sql`(${Prisma.join(addresses, " OR ")})`);
  return Prisma.join(parts, " AND ");
}

/** A page of suppressions, newest first. @param after the id before the page */
export async function pageOfSuppressions(
  db: Db,
  filter: SuppressionFilter,
  limit: number,
  after: string | null,
): Promise<SuppressionRow[]> {
  const below = after === null ? Prisma.empty : Prisma.sql`AND x.id < ${after}::uuid`;
  return db.$queryRaw<SuppressionRow[]>`
    SELECT ${suppressionColumns} FROM suppressions x WHERE ${conditionOf(filter)} ${below}
    ORDER BY x.id DESC LIMIT ${limit}`;
}

export async function countSuppressions(db: Db, filter: SuppressionFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ addresses: number }[]>`
    SELECT count(*)::float8 AS addresses FROM suppressions x WHERE ${conditionOf(filter)}`;
  return row?.addresses ?? 0;
}

export async function findSuppressionById(
  tx: Tx,
  newsletterId: string,
  id: string,
): Promise<SuppressionRow | null> {
  const [row] = await tx.$queryRaw<SuppressionRow[]>`
    SELECT ${suppressionColumns} FROM suppressions x WHERE x.newsletter_id = ${newsletterId}::uuid AND x.id = ${id}::uuid`;
  return row ?? null;
}

/** Removes a suppression unless its source is `person`. @returns whether a row was removed */
export async function deleteSuppression(tx: Tx, newsletterId: string, id: string): Promise<boolean> {
  const { count } = await tx.suppression.deleteMany({
    where: { newsletterId, id, source: { not: "person" } },
  });
  return count > 0;
}

/** SQL for the suppression of an address. */
const ofAddress = (newsletterId: string, canonical: string) => Prisma.sql`
  newsletter_id = ${newsletterId}::uuid AND digest = address_digest(${newsletterId}::uuid, ${canonical})`;

/** Records that an email asks the owner of the address now whether they want to resubscribe. */
export async function recordReturnRequest(
  tx: Tx,
  newsletterId: string,
  emailCanonical: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE suppressions SET asked_at = now() WHERE ${ofAddress(newsletterId, emailCanonical)}`;
}

/** Lifts a bounce, because the mailbox may work again. @returns whether a mail server had reported the bounce */
export async function liftBounce(tx: Tx, newsletterId: string, emailCanonical: string): Promise<boolean> {
  const lifted = await tx.$executeRaw`
    DELETE FROM suppressions
    WHERE ${ofAddress(newsletterId, emailCanonical)} AND reason = 'bounced' AND source <> 'person'`;
  return lifted > 0;
}

/**
 * Records a confirmation by the link of this mail and lifts suppressions, except for denied ones. The database requires
 * this setting before a person who unsubscribed becomes active. It lasts until the transaction ends.
 */
export async function recordConfirmation(
  tx: Tx,
  newsletterId: string,
  { emailCanonical, mailId }: { emailCanonical: string; mailId: string },
): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.pressed_mail', ${mailId}, true)`;
  await tx.$executeRaw`
    DELETE FROM suppressions WHERE ${ofAddress(newsletterId, emailCanonical)} AND reason <> 'denied'`;
}

/**
 * SQL for the new people whose mailbox has opted out under another spelling. It is inlined, because a database function
 * takes ten times as long.
 * @param people SQL of rows with the columns newsletter_id and mailbox
 */
export const relatedOptOuts = (people: Prisma.Sql) => Prisma.sql`
  SELECT n.* FROM (SELECT * FROM ${people} OFFSET 0) AS n CROSS JOIN suppression_keys k
  WHERE (SELECT 1 FROM subscribers s WHERE s.newsletter_id = n.newsletter_id AND mailbox_of(s.email_canonical) = n.mailbox
      AND s.unsubscribed_at IS NOT NULL LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM suppressions x WHERE x.newsletter_id = n.newsletter_id
      AND x.mailbox_digest = keyed_digest(k, n.newsletter_id, n.mailbox) LIMIT 1) IS NOT NULL`;

/**
 * How many people an import would add as active although another spelling of their address has opted out, and the first
 * of their addresses.
 */
export async function listRelatedOptOuts(
  tx: Tx,
  { newsletterId, importId }: { newsletterId: string; importId: string },
  limit: number,
): Promise<{ people: number; first: string[] }> {
  // The index uses the default collation.
  const planned = Prisma.sql`(SELECT ${newsletterId}::uuid AS newsletter_id, mailbox_of(email_canonical COLLATE "default") AS mailbox, email, line
    FROM import_rows WHERE import_id = ${importId}::uuid AND outcome = 'new_active') AS planned`;
  const rows = await tx.$queryRaw<{ email: string; people: number }[]>`
    SELECT email, count(*) OVER ()::int AS people FROM (${relatedOptOuts(planned)}) AS related ORDER BY line LIMIT ${limit}::int`;
  return { people: rows[0]?.people ?? 0, first: rows.map(({ email }) => email) };
}

/** The number of these canonical addresses, of new people, with an opt-out of another spelling. */
export async function countRelatedOptOuts(
  db: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<number> {
  const given = Prisma.sql`(SELECT ${newsletterId}::uuid AS newsletter_id, mailbox
    FROM unnest(${textArray(canonicals.map(throttleKey))}::text[]) AS mailbox) AS given`;
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM (${relatedOptOuts(given)}) AS related`;
  return row?.people ?? 0;
}
