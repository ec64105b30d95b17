import { redactMessages } from "../../events/about-people";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { columnName } from "../../platform/db/column-name";
import { textArray } from "../../platform/db/text-array";
import type { SuppressionReason } from "../../suppressions/schema/suppression-messages";
import type { SuppressionSource } from "../../suppressions/schema/suppressions";
import { askedLately, suppressionOf, suppressRead } from "../../suppressions/shared-queries";
import type { FieldValue } from "../field-values";
import { storedTexts } from "../schema/subscriber-texts";
import type { Status } from "../status-moves";
import { actorName } from "./activities";

export type StoredFields = Record<string, FieldValue>;
export type SubscriberRow = Omit<Prisma.SubscriberGetPayload<object>, "status" | "fields" | "tags"> & {
  status: Status;
  fields: StoredFields | null;
  tags: number[] | null;
};

/** The columns of a `SubscriberRow`, for rows `s`. */
export const subscriberColumns = Prisma.raw(
  Object.keys(Prisma.SubscriberScalarFieldEnum)
    .map((name) => `s.${columnName(name)} AS "${name}"`)
    .join(", "),
);

/** `sourceName` is the name of the key, staff member or import that added the subscriber, if any. */
export type NamedSubscriberRow = SubscriberRow & { sourceName: string | null };
const sourceName = actorName(Prisma.sql`s.source`, Prisma.sql`s.source_id`, Prisma.sql`s.newsletter_id`);

/** A subscriber with a locked row, and the suppression of their address: its reason, and whether an email asked lately. */
export type LockedSubscriber = SubscriberRow & {
  suppression: SuppressionReason | null;
  askedLately: boolean;
};

/** The subscribers with these ids, in no order. */
export async function listSubscriberRows(
  db: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<SubscriberRow[]> {
  return db.$queryRaw<SubscriberRow[]>`
    SELECT ${subscriberColumns} FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[])`;
}

/** The subscribers with these ids, newest first. */
export async function listNamedSubscribers(
  db: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<NamedSubscriberRow[]> {
  return db.$queryRaw<NamedSubscriberRow[]>`
    SELECT ${subscriberColumns}, ${sourceName} AS "sourceName" FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) ORDER BY s.id DESC`;
}

const withSuppression = (newsletterId: string, ids: string[]) => Prisma.sql`
  SELECT ${subscriberColumns}, x.reason AS suppression, ${askedLately} AS "askedLately" FROM subscribers s
  LEFT JOIN ${suppressionOf(Prisma.sql`s.newsletter_id`, Prisma.sql`s.email_canonical`)}
  WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) ORDER BY s.id`;

/** Reads these subscribers without a lock. */
export async function readSubscribers(
  db: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<LockedSubscriber[]> {
  return db.$queryRaw<LockedSubscriber[]>`${withSuppression(newsletterId, ids)}`;
}

/** Locks these subscribers until the transaction ends, always in the same order to prevent deadlocks. */
export async function lockSubscribers(
  tx: Tx,
  newsletterId: string,
  ids: string[],
): Promise<LockedSubscriber[]> {
  return tx.$queryRaw<LockedSubscriber[]>`${withSuppression(newsletterId, ids)} FOR UPDATE OF s`;
}

/** Rows `s` with one of these canonical addresses or external ids. */
function hasAddressOrId(canonicals: string[], externalIds: string[]): Prisma.Sql {
  const hasAddress = Prisma.sql`s.email_canonical = ANY (${textArray(canonicals)}::text[])`;
  if (externalIds.length === 0) return hasAddress;
  return Prisma.sql`(${hasAddress} OR s.external_id = ANY (${textArray(externalIds)}::text[]))`;
}

/** Locks the subscribers with these canonical addresses or external ids, in the order of `lockSubscribers`. */
export async function lockAddresses(
  tx: Tx,
  newsletterId: string,
  canonicals: string[],
  externalIds: string[] = [],
): Promise<SubscriberRow[]> {
  return tx.$queryRaw<SubscriberRow[]>`
    SELECT ${subscriberColumns} FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND ${hasAddressOrId(canonicals, externalIds)}
    ORDER BY s.id FOR UPDATE OF s`;
}

/** Which of these ids exist in the newsletter. Raw, because Prisma's `in` makes a new statement for each length. */
export async function findExistingIds(
  db: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * The subscriber that a merge kept in place of this one. Null: this subscriber unsubscribed otherwise, or has
 * resubscribed.
 */
export async function findMergeTarget(db: Db, newsletterId: string, id: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT kept.id FROM subscribers s CROSS JOIN LATERAL (
      SELECT cause, cause_id FROM subscriber_events e
      WHERE e.newsletter_id = s.newsletter_id AND e.subscriber_id = s.id AND e.kind = 'unsubscribed' ORDER BY e.id DESC LIMIT 1
    ) AS leaving JOIN subscribers kept ON kept.newsletter_id = s.newsletter_id AND kept.id = leaving.cause_id
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid AND s.status = 'unsubscribed' AND leaving.cause = 'merge'`;
  return rows[0]?.id ?? null;
}

const changeable = [
  ...storedTexts,
  "emailCanonical",
  "fields",
  "tags",
  "subscribedAt",
  "externalId",
] as const;
export type SubscriberChange = Partial<Pick<SubscriberRow, (typeof changeable)[number]>>;

/**
 * A change of status. `confirmed` sets the time of the confirmation. `neverLeft` undoes an unsubscribe that the
 * subscriber did not make. `leftAt` is the time of each unsubscribe, if it was not now.
 */
export type StatusChange = {
  status?: Status;
  confirmed?: boolean;
  neverLeft?: boolean;
  leftAt?: (Date | null)[];
};

/** The new values of each subscriber, in the order of their ids. */
export type EachChange = { fields?: (StoredFields | null)[]; tags?: (number[] | null)[] };

/**
 * Writes a change and increments the version. This is the only statement that does so, and the only one that changes a
 * status (see `setStatus`). `unsubscribed_at` stays until the subscriber is active again or unsubscribes again, so that
 * older links can't resubscribe them. It is the time of the write: the transaction may have waited for a lock while a
 * confirmation was sent.
 * @throws an error that `isUniqueViolation` recognises, when another subscriber has the new address
 */
export async function updateSubscribers(
  tx: Tx,
  newsletterId: string,
  ids: string[],
  {
    status,
    confirmed = false,
    neverLeft = false,
    leftAt = [],
    each = {},
    ...change
  }: SubscriberChange & StatusChange & { each?: EachChange },
): Promise<{ id: string; confirmedAt: Date | null }[]> {
  const next = Prisma.sql`coalesce(${status ?? null}, status)`;
  const storedValue = (name: keyof SubscriberChange) =>
    name === "fields" ? change.fields && JSON.stringify(change.fields) : change[name];
  const changed = changeable
    .filter((name) => change[name] !== undefined)
    .map((name) => Prisma.sql`${Prisma.raw(columnName(name))} = ${storedValue(name)}`);
  const ofEach = (texts: (string | null)[]) =>
    Prisma.sql`(${textArray(texts)}::text[])[array_position(${ids}::uuid[], id)]`;
  if (each.fields)
    changed.push(Prisma.sql`fields = ${ofEach(each.fields.map((one) => one && JSON.stringify(one)))}::jsonb`);
  if (each.tags)
    changed.push(Prisma.sql`tags = ${ofEach(each.tags.map((one) => one && `{${one.join()}}`))}::int[]`);
  return tx.$queryRaw<{ id: string; confirmedAt: Date | null }[]>`
    UPDATE subscribers SET ${Prisma.join([Prisma.sql`status = ${next}`, ...changed])},
      version = version + 1, updated_at = now(),
      confirmed_at = CASE WHEN ${confirmed}::boolean THEN now() ELSE confirmed_at END,
      unsubscribed_at = CASE ${next} WHEN 'unsubscribed' THEN CASE status WHEN 'unsubscribed' THEN unsubscribed_at
          ELSE coalesce((${leftAt}::timestamptz[])[array_position(${ids}::uuid[], id)], clock_timestamp()) END
        WHEN 'pending' THEN CASE WHEN NOT ${neverLeft}::boolean THEN unsubscribed_at END END
    WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])
    RETURNING id, confirmed_at AS "confirmedAt"`;
}

/**
 * Deletes subscribers with their mails and activities.
 * @param by suppresses a digest of each address with this source. If absent, bounces are deleted too, and only
 * addresses with an opt-out stay suppressed
 */
export async function deleteSubscribers(
  tx: Tx,
  newsletterId: string,
  ids: string[],
  { by }: { by?: SuppressionSource },
): Promise<void> {
  const gone = await tx.$queryRaw<{ emailCanonical: string }[]>`
    DELETE FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])
    RETURNING email_canonical AS "emailCanonical"`;
  await redactMessages(tx, ids);
  const canonicals = textArray(gone.map(({ emailCanonical }) => emailCanonical));
  if (by === undefined)
    await tx.$executeRaw`
      DELETE FROM suppressions x USING unnest(${canonicals}::text[]) AS gone (canonical)
      WHERE x.newsletter_id = ${newsletterId}::uuid AND x.digest = address_digest(${newsletterId}::uuid, canonical) AND x.source = 'mail'`;
  else
    await suppressRead(
      tx,
      newsletterId,
      Prisma.sql`
        SELECT canonical, NULL AS email, 'manual' AS reason, ${by} AS source, NULL::uuid AS source_id, NULL::timestamptz AS at,
          row_number() OVER (ORDER BY canonical) AS n
        FROM unnest(${canonicals}::text[]) AS gone (canonical)`,
      "keep",
    );
}

/** The subscriber who has an address or an external id. */
export type TakenBy = { id: string; status: Status };

/** The people who already have one of these canonical addresses, by address. */
export async function findTaken(
  tx: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<Map<string, TakenBy>> {
  const rows = await tx.$queryRaw<(TakenBy & { canonical: string })[]>`
    SELECT email_canonical AS canonical, id, status FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ANY (${textArray(canonicals)}::text[])`;
  return new Map(rows.map(({ canonical, ...subscriber }) => [canonical, subscriber]));
}

/** The people who already have one of these external ids, by it. */
export async function findExternalIds(
  tx: Db | Tx,
  newsletterId: string,
  externalIds: string[],
): Promise<Map<string, TakenBy & { canonical: string }>> {
  if (externalIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<(TakenBy & { canonical: string; externalId: string })[]>`
    SELECT external_id AS "externalId", id, status, email_canonical AS canonical FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND external_id = ANY (${textArray(externalIds)}::text[])`;
  return new Map(rows.map(({ externalId, ...subscriber }) => [externalId, subscriber]));
}

/** The columns that `include` shows. Reading 1,000 whole rows takes up to twice as long. */
export type IncludedRow = Pick<SubscriberRow, "id" | "fields" | "tags" | "subscribedAt" | "externalId">;

export async function readIncludedRows(
  db: Db | Tx,
  newsletterId: string,
  ids: string[],
): Promise<IncludedRow[]> {
  const rows = await db.subscriber.findMany({
    where: { newsletterId, id: { in: ids } },
    select: { id: true, fields: true, tags: true, subscribedAt: true, externalId: true },
  });
  return rows as IncludedRow[];
}
