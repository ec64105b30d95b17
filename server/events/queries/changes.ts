import { HIGHEST_ID, LOWEST_ID, newId } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type SubscriberRow, subscriberColumns } from "../../subscribers/shared-queries";
import type { ChangeKind, ChangePlace } from "../schema/changes";
import { webhookEventOf } from "../schema/webhooks";

/** A place in the order of changes; within a transaction by the people's ids. */
export type ChangeOrder = Pick<ChangePlace, "xid" | "id">;
/** Before the first change. */
export const beforeChanges: ChangeOrder = { xid: "0", id: LOWEST_ID };

/** How the history of the changes stands to a reader's place. */
export type ChangeHistory = {
  epoch: string;
  /** False where nobody has read in this database before, such as one that was restored. */
  isOurs: boolean;
  /** Whether changes behind the place may have been deleted. */
  isTooOld: boolean;
  /** Whether this database has not come to the place. */
  isAhead: boolean;
  /** How far a reader is who has read all that there was; the whole of this transaction. See `MARGIN`. */
  endXid: string;
};

/**
 * How many transactions the end of an empty page stays behind the oldest one that is under way. There is nothing between; but a crash
 * takes back the ids of aborted transactions that had not reached the disk, and others get them then.
 */
const MARGIN = 1_000;

const history = ({ xid, id }: ChangeOrder) => Prisma.sql`
  e.epoch, coalesce(e.identity = database_identity(), false) AS "isOurs",
  (${xid}::bigint, ${id}::uuid) < (e.floor, ${HIGHEST_ID}::uuid) AS "isTooOld", ${xid}::bigint >= oldest_transaction() AS "isAhead",
  greatest(oldest_transaction() - ${MARGIN}::int, e.floor, 0)::text AS "endXid"`;

/** The events of the log that are no changes: webhooks deliver them, and the change feed leaves them out. */
type LogEvent = "bounced" | "complained" | "import.finished";

/** A change, and the person as they are now; the columns of an erased person are null. Of a history without changes one row says so. */
type ChangesRow = ChangeHistory & {
  xid: string | null;
  entryId: string | null;
  subscriberId: string | null;
  kind: ChangeKind | LogEvent | null;
  at: Date | null;
  detail: Record<string, unknown> | null;
} & (SubscriberRow | { id: null });
/** entryId: the subscriber's, or of an event its own. subscriberId: null of an event that is about no subscriber. */
export type ChangeRow = ChangesRow & {
  xid: string;
  entryId: string;
  kind: ChangeKind | LogEvent;
  at: Date;
};

/**
 * The changes after a place, in order; those of transactions that have ended, and no later ones than any that has not.
 * @param page withEvents: the events, too
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

/** Adds an event to the log if a webhook of the newsletter delivers such events; in the transaction of what happened. */
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

/** The last change that there is; null of a newsletter without any. */
export async function findLastChange(
  db: Db,
  newsletterId: string,
): Promise<{ history: ChangeHistory; last: ChangeOrder | null }> {
  const [row] = await db.$queryRaw<(ChangeHistory & { xid: string | null; id: string | null })[]>`
    SELECT ${history(beforeChanges)}, c.xid::text AS xid, c.subscriber_id AS id
    FROM change_epoch e LEFT JOIN LATERAL (
      SELECT * FROM changes WHERE newsletter_id = ${newsletterId}::uuid AND xid < oldest_transaction()
      ORDER BY xid DESC, subscriber_id DESC LIMIT 1
    ) c ON true`;
  if (!row) throw new Error("the changes have no epoch");
  const { xid, id } = row;
  return { history: row, last: xid !== null && id !== null ? { xid, id } : null };
}

/** The place of who has read `last`, and all before the end of what there was. */
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
 * Makes the history this database's own: its first reader notes whose transaction ids these are. Where they are another
 * database's, what there is of them goes, and the positions of their readers are void.
 */
export async function beginChangeHistory(db: Db): Promise<void> {
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
