import { HIGHEST_ID, LOWEST_ID, newId } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type SubscriberRow, subscriberColumns } from "../../subscribers/shared-queries";
import type { ChangeKind, ChangePlace } from "../schema/changes";
import { webhookEventOf } from "../schema/webhooks";

/** A place in the order of changes; within a transaction they are ordered by the people's ids. */
export type ChangeOrder = Pick<ChangePlace, "xid" | "id">;
/** Before the first change. */
export const beforeChanges: ChangeOrder = { xid: "0", id: LOWEST_ID };

/** The state of the change history, relative to a reader's place. */
export type ChangeHistory = {
  epoch: string;
  /** False when no reader has used this database before, such as a restored one. */
  isOurs: boolean;
  /** Whether changes behind the place may have been deleted. */
  isTooOld: boolean;
  /** Whether the place is ahead of this database. */
  isAhead: boolean;
  /** The place of a reader who has read everything so far; it covers this whole transaction. See `MARGIN`. */
  endXid: string;
};

/**
 * The end of an empty page stays this many transactions behind the oldest open one. No changes lie in between. After a
 * crash, PostgreSQL reuses ids of aborted transactions that were not yet on disk.
 */
const MARGIN = 1_000;

const history = ({ xid, id }: ChangeOrder) => Prisma.sql`
  e.epoch, coalesce(e.identity = database_identity(), false) AS "isOurs",
  (${xid}::bigint, ${id}::uuid) < (e.floor, ${HIGHEST_ID}::uuid) AS "isTooOld", ${xid}::bigint >= oldest_transaction() AS "isAhead",
  greatest(oldest_transaction() - ${MARGIN}::int, e.floor, 0)::text AS "endXid"`;

/** Log events that are not changes: webhooks deliver them, and the change feed omits them. */
type LogEvent = "bounced" | "complained" | "import.finished";

/**
 * A change and the current record of the person; the columns of an erased person are null. An empty history has one
 * row, with null for the change.
 */
type ChangesRow = ChangeHistory & {
  xid: string | null;
  entryId: string | null;
  subscriberId: string | null;
  kind: ChangeKind | LogEvent | null;
  at: Date | null;
  detail: Record<string, unknown> | null;
} & (SubscriberRow | { id: null });
/** entryId: the subscriber's id, or the event's own id. subscriberId: null for an event without a subscriber. */
export type ChangeRow = ChangesRow & {
  xid: string;
  entryId: string;
  kind: ChangeKind | LogEvent;
  at: Date;
};

/**
 * The changes after a place, in order. Includes only transactions older than every open transaction.
 * @param page withEvents: include the events
 */
export async function listChangesAfter(
  db: Db,
  newsletterId: string,
  { after, limit, withEvents }: { after: ChangeOrder; limit: number; withEvents: boolean },
): Promise<{ history: ChangeHistory; changes: ChangeRow[] }> {
  const rows = await db.$queryRaw<ChangesRow[]>`
    SELECT ${history(after)}, c.xid::text AS xid, c.subscriber_id AS "entryId",
      CASE WHEN c.detail IS NULL THEN c.subscriber_id ELSE c.about END AS "subscriberId", c.kind, c.at, c.detail, ${subscriberColumns}
    FROM change_epoch e LEFT JOIN LATERAL (
      SELECT * FROM changes
      WHERE newsletter_id = ${newsletterId}::uuid AND (xid, subscriber_id) > (${after.xid}::bigint, ${after.id}::uuid)
        AND xid < oldest_transaction() AND (${withEvents} OR detail IS NULL)
      ORDER BY xid, subscriber_id LIMIT ${limit}
    ) c ON true LEFT JOIN subscribers s ON s.newsletter_id = c.newsletter_id AND s.id = coalesce(c.about, c.subscriber_id)
    ORDER BY c.xid, c.subscriber_id`;
  const [first] = rows;
  if (!first) throw new Error("the changes have no epoch");
  return { history: first, changes: rows.filter((row): row is ChangeRow => row.entryId !== null) };
}

/** Adds an event to the log if a webhook of the newsletter delivers such events. Runs in the caller's transaction. */
export async function insertEvent(
  tx: Tx,
  event: { newsletterId: string; kind: LogEvent; subscriberId: string | null; detail: object },
): Promise<void> {
  const { newsletterId, kind, subscriberId, detail } = event;
  await tx.$executeRaw`
    INSERT INTO changes (newsletter_id, xid, subscriber_id, kind, about, detail)
    SELECT ${newsletterId}::uuid, this_transaction(), ('ffff' || substr(${newId()}, 5))::uuid, ${kind}, ${subscriberId}::uuid,
      ${JSON.stringify(detail)}::jsonb
    WHERE EXISTS (
      SELECT FROM webhook_endpoints w WHERE w.newsletter_id = ${newsletterId}::uuid AND ${webhookEventOf(kind)} = ANY (w.events))`;
}

/** The last change; null for a newsletter without changes. @param from the place that the history is relative to */
export async function findLastChange(
  db: Db | Tx,
  newsletterId: string,
  from = beforeChanges,
): Promise<{ history: ChangeHistory; last: ChangeOrder | null }> {
  const [row] = await db.$queryRaw<(ChangeHistory & { xid: string | null; id: string | null })[]>`
    SELECT ${history(from)}, c.xid::text AS xid, c.subscriber_id AS id
    FROM change_epoch e LEFT JOIN LATERAL (
      SELECT * FROM changes WHERE newsletter_id = ${newsletterId}::uuid AND xid < oldest_transaction()
      ORDER BY xid DESC, subscriber_id DESC LIMIT 1
    ) c ON true`;
  if (!row) throw new Error("the changes have no epoch");
  const { xid, id } = row;
  return { history: row, last: xid !== null && id !== null ? { xid, id } : null };
}

/** The place of a reader who has read `last` and everything before `endXid`. */
export function endOfChanges(last: ChangeOrder, { endXid }: ChangeHistory): ChangeOrder {
  return BigInt(last.xid) > BigInt(endXid) ? last : { xid: endXid, id: HIGHEST_ID };
}

/** Which of these places, by their index, have changes after them. One statement for all. */
export async function findChanged(
  db: Db,
  places: (ChangeOrder & { newsletterId: string })[],
): Promise<number[]> {
  const rows = await db.$queryRaw<{ index: number }[]>`
    SELECT (n - 1)::int AS index FROM unnest(
      ${places.map(({ newsletterId }) => newsletterId)}::uuid[], ${places.map(({ xid }) => xid)}::bigint[], ${places.map(({ id }) => id)}::uuid[]
    ) WITH ORDINALITY AS place (newsletter_id, xid, id, n)
    WHERE EXISTS (
      SELECT FROM changes c
      WHERE c.newsletter_id = place.newsletter_id AND (c.xid, c.subscriber_id) > (place.xid, place.id) AND c.xid < oldest_transaction()
        AND c.detail IS NULL
    )`;
  return rows.map(({ index }) => index);
}

/** Rows that one statement deletes. */
const BATCH = 20_000;

/**
 * Marks the history as this database's own. The first reader records which database the transaction ids belong to. If
 * they belong to another database, the history is deleted and its readers' positions become invalid.
 */
export async function beginChangeHistory(db: Db | Tx): Promise<void> {
  const [known] = await db.$queryRaw<{ isMoved: boolean; now: Date }[]>`
    SELECT identity IS NOT NULL AND identity <> database_identity() AS "isMoved", now() FROM change_epoch`;
  for (let gone = known?.isMoved ? BATCH : 0; gone === BATCH; )
    gone = await db.$executeRaw`
      DELETE FROM changes WHERE ctid IN (SELECT ctid FROM changes WHERE at < ${known?.now} LIMIT ${BATCH})`;
  await db.$executeRaw`
    UPDATE change_epoch SET epoch = CASE WHEN identity IS NULL THEN epoch ELSE gen_random_uuid() END,
      floor = CASE WHEN identity IS NULL THEN floor ELSE -1 END, identity = database_identity()
    WHERE identity IS DISTINCT FROM database_identity()`;
}
