import type { Db, Prisma, Tx } from "../../platform/db/client";
import type { ChangePlace } from "../schema/changes";
import type { WebhookEvent } from "../schema/webhooks";

export type StoredEndpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

/** How far an endpoint has read the log, as its columns store it. */
type EndpointPlace = Pick<StoredEndpoint, "epoch" | "xid" | "subscriberId">;

export function placeOf({ epoch, xid, subscriberId }: EndpointPlace): ChangePlace {
  return { epoch, xid: String(xid), id: subscriberId };
}

export function placeColumns({ epoch, xid, id }: ChangePlace): EndpointPlace {
  return { epoch, xid: BigInt(xid), subscriberId: id };
}

/** @param where includes the newsletter for callers that may only see their own endpoints */
export function findEndpoint(db: Db | Tx, where: { id: string; newsletterId?: string }) {
  return db.webhookEndpoint.findUnique({ where });
}

/** Locks an endpoint until the transaction ends, so that two changes of it don't mix. */
export async function lockEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw<unknown[]>`SELECT 1 FROM webhook_endpoints WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/** A newsletter's endpoints as staff see them, oldest first. Without their secrets. */
export function listEndpointRows(db: Db | Tx, newsletterId: string) {
  const shown = {
    ...{ id: true, url: true, description: true, events: true, version: true, offReason: true },
    ...{ createdAt: true, deliveredAt: true, failingSince: true, nextTryAt: true, failure: true },
  } as const;
  return db.webhookEndpoint.findMany({ where: { newsletterId }, orderBy: { id: "asc" }, select: shown });
}

export async function insertEndpoint(tx: Tx, row: Prisma.WebhookEndpointUncheckedCreateInput): Promise<void> {
  await tx.webhookEndpoint.create({ data: row });
}

/** @returns false when the endpoint was deleted, or has another version than `version` */
export async function updateEndpoint(
  tx: Tx,
  { id, version }: { id: string; version?: number },
  changes: Prisma.WebhookEndpointUncheckedUpdateInput,
): Promise<boolean> {
  const where = { id, ...(version !== undefined && { version }) };
  const { count } = await tx.webhookEndpoint.updateMany({ where, data: changes });
  return count > 0;
}

/** The secrets of all endpoints, as they are stored. */
export function listSecrets(db: Db) {
  return db.webhookEndpoint.findMany({ select: { id: true, secret: true, oldSecret: true } });
}

/** Does nothing when the secret was rotated meanwhile. */
export async function replaceSecrets(
  db: Db,
  where: { id: string; secret: string },
  secrets: { secret: string; oldSecret: string | null },
): Promise<void> {
  await db.webhookEndpoint.updateMany({ where, data: secrets });
}

/** Also deletes the endpoint's messages. */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { id } });
}

/** The count of queued messages stops at this number. */
const MOST_WAITING = 1_000;

export async function countMessagesWaiting(db: Db | Tx, newsletterId: string): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ id: string; waiting: number }[]>`
    SELECT e.id, (SELECT count(*)::int FROM (
      SELECT FROM webhook_messages m WHERE m.endpoint_id = e.id AND m.state = 'waiting' LIMIT ${MOST_WAITING}
    ) AS first) AS waiting
    FROM webhook_endpoints e WHERE e.newsletter_id = ${newsletterId}::uuid`;
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/**
 * An idle endpoint is due again after falling this many transactions behind. Its position must stay ahead of the
 * changes that are deleted.
 */
const FAR_BEHIND = 10_000;

/**
 * The enabled endpoints of all newsletters, and which are due. An endpoint is due when its wait is over and it has a
 * message to send or an entry to read. An endpoint ahead of this database is also due: the database was restored.
 */
export function listEndpointsOn(db: Db): Promise<{ id: string; isDue: boolean }[]> {
  return db.$queryRaw<{ id: string; isDue: boolean }[]>`
    SELECT e.id, coalesce(e.next_try_at <= now(), true) AND (
      EXISTS (SELECT FROM webhook_messages m WHERE m.endpoint_id = e.id AND m.state = 'waiting')
      OR EXISTS (
        SELECT FROM changes c WHERE c.newsletter_id = e.newsletter_id
          AND (c.xid, c.subscriber_id) > (e.xid, e.subscriber_id) AND c.xid < oldest_transaction())
      OR e.xid NOT BETWEEN oldest_transaction() - ${FAR_BEHIND}::int AND oldest_transaction()
    ) AS "isDue"
    FROM webhook_endpoints e WHERE e.off_reason IS NULL ORDER BY e.id`;
}

export type NewMessage = {
  id: string;
  type: WebhookEvent;
  subscriberId: string | null;
  at: Date;
  body(number: number): string;
};

/**
 * Numbers and queues messages and moves the endpoint to its new place, in one transaction.
 * @returns false when the endpoint was moved by another process or deleted; then nothing was written
 */
export async function insertMessages(
  tx: Tx,
  { id, epoch, xid, subscriberId, nextNumber }: StoredEndpoint,
  messages: NewMessage[],
  next: EndpointPlace,
): Promise<boolean> {
  const place = { epoch, xid, subscriberId, nextNumber };
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, ...place },
    data: { ...next, nextNumber: nextNumber + messages.length },
  });
  if (count === 0) return false;
  if (messages.length > 0)
    await tx.webhookMessage.createMany({
      data: messages.map(({ at, body, ...message }, index) => {
        const number = nextNumber + index;
        return { endpointId: id, number, ...message, body: body(number), createdAt: at };
      }),
    });
  return true;
}

/** The result of an attempt. answer: the beginning of the body, or the error. */
export type AttemptRow = { number: number; answerStatus: number | null; answer: string };

export async function noteDelivered(db: Db, endpointId: string, attempt: AttemptRow): Promise<void> {
  const { number, answerStatus, answer } = attempt;
  await db.$executeRaw`
    WITH taken AS (
      UPDATE webhook_messages SET state = 'delivered', attempts = attempts + 1, tried_at = now(),
        answer_status = ${answerStatus}::int, answer = ${answer}
      WHERE endpoint_id = ${endpointId}::uuid AND number = ${number}::int
    )
    UPDATE webhook_endpoints SET attempts = 0, next_try_at = NULL, failing_since = NULL, failure = NULL, delivered_at = now()
    WHERE id = ${endpointId}::uuid`;
}

/**
 * Records that a delivery failed.
 * @param endpoint with the address that was called
 * @returns how long the endpoint has failed now; null when it is deleted, off or has a new address, or the message no
 * longer waits
 */
export async function noteFailed(
  tx: Tx,
  { id, url }: Pick<StoredEndpoint, "id" | "url">,
  {
    number,
    answerStatus,
    answer,
    failure,
    waitSeconds,
  }: AttemptRow & { failure: string; waitSeconds: number },
): Promise<{ days: number } | null> {
  const [row] = await tx.$queryRaw<{ days: number }[]>`
    WITH tried AS (
      UPDATE webhook_messages m SET attempts = m.attempts + 1, tried_at = now(), answer_status = ${answerStatus}::int, answer = ${answer}
      FROM webhook_endpoints e
      WHERE m.endpoint_id = ${id}::uuid AND m.number = ${number}::int AND m.state = 'waiting'
        AND e.id = m.endpoint_id AND e.url = ${url} AND e.off_reason IS NULL
      RETURNING m.endpoint_id
    )
    UPDATE webhook_endpoints e SET attempts = attempts + 1, failing_since = coalesce(failing_since, now()), failure = ${failure},
      next_try_at = now() + make_interval(secs => ${waitSeconds}::float8)
    FROM tried WHERE e.id = tried.endpoint_id AND e.url = ${url} AND e.off_reason IS NULL
    RETURNING (extract(epoch FROM now() - failing_since) / 86400)::float8 AS days`;
  return row ?? null;
}

export function findFirstWaiting(db: Db | Tx, endpointId: string) {
  return db.webhookMessage.findFirst({
    where: { endpointId, state: "waiting" },
    orderBy: { number: "asc" },
  });
}

/** A page of the log, newest first. @param before a number, or null for the newest */
export function pageOfMessages(
  db: Db,
  {
    endpointId,
    before,
    state,
    limit,
  }: { endpointId: string; before: number | null; state: string | null; limit: number },
) {
  return db.webhookMessage.findMany({
    where: {
      endpointId,
      ...(before !== null && { number: { lt: before } }),
      ...(state !== null && { state }),
    },
    orderBy: { number: "desc" },
    take: limit,
    omit: { body: true, answer: true, endpointId: true, subscriberId: true },
  });
}

export function findMessage(db: Db | Tx, endpointId: string, number: number) {
  const where = { endpointId_number: { endpointId, number } };
  return db.webhookMessage.findUnique({ where, omit: { endpointId: true, subscriberId: true } });
}

/** Queues messages again that are not queued. @returns how many */
export async function repeatMessages(
  tx: Tx,
  endpointId: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const { count } = await tx.webhookMessage.updateMany({
    where: { endpointId, number: { gte: from, lte: to }, state: { not: "waiting" } },
    data: { state: "waiting" },
  });
  return count;
}

/** Removes a message from the queue. @returns false when the message is not queued */
export async function skipMessage(tx: Tx, endpointId: string, number: number): Promise<boolean> {
  const { count } = await tx.webhookMessage.updateMany({
    where: { endpointId, number, state: "waiting" },
    data: { state: "skipped" },
  });
  return count > 0;
}
