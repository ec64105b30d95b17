import { newId } from "../domain/ids";
import type { Status } from "../domain/status-moves";
import type { Tx } from "./client";
import type { SuppressionReason } from "./confirmations";

export type LockedPerson = {
  id: string;
  email: string;
  canonical: string;
  status: Status;
  suppressed: boolean;
  /** Why, when it is. */
  suppression: SuppressionReason | null;
};

/** Holds these people until the transaction ends, in one order, so that two such never wait in a circle. */
export async function lockPeople(tx: Tx, newsletterId: string, ids: string[]): Promise<LockedPerson[]> {
  return tx.$queryRaw<LockedPerson[]>`
    SELECT s.id, s.email, s.email_canonical AS canonical, s.status, x.reason AS suppression, x.reason IS NOT NULL AS suppressed
    FROM subscribers s
    LEFT JOIN suppressions x ON x.newsletter_id = s.newsletter_id AND x.email_canonical = s.email_canonical
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[])
    ORDER BY s.id FOR UPDATE OF s`;
}

/** Moves people whom `lockPeople` holds, and takes back the confirmations that nobody has begun to send. */
export async function moveMany(tx: Tx, newsletterId: string, ids: string[], status: Status): Promise<void> {
  await tx.$executeRaw`
    UPDATE subscribers SET status = ${status}, version = version + 1,
      unsubscribed_at = CASE WHEN ${status} <> 'unsubscribed' THEN NULL ELSE now() END
    WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])`;
  await tx.$executeRaw`
    UPDATE mails SET state = 'cancelled', deferred_until = NULL, finished_at = now()
    WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ANY (${ids}::uuid[])
      AND kind = 'confirmation' AND state IN ('waiting', 'deferred')`;
}

type Actor = { kind: string; id: string | null; address: string | null };

/** A line in each person's timeline. */
export async function noteMany(
  tx: Tx,
  newsletterId: string,
  ids: string[],
  kind: string,
  actor: Actor,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, actor_id, address)
    SELECT id, ${newsletterId}::uuid, subscriber_id, ${kind}, ${actor.kind}, ${actor.id}::uuid, ${actor.address}
    FROM unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[]) AS new (id, subscriber_id)`;
}

/**
 * Deletes people, and with them their mails and events, and what mail servers have said of their addresses. What the
 * people themselves have said stays: "this wasn't me" is a wish to be remembered.
 */
export async function deleteMany(tx: Tx, newsletterId: string, ids: string[]): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])
      RETURNING newsletter_id, email_canonical
    )
    DELETE FROM suppressions x USING gone
    WHERE x.newsletter_id = gone.newsletter_id AND x.email_canonical = gone.email_canonical AND x.reason = 'bounced'`;
}

/** Who of these has a confirmation that is still to leave. */
export async function findAwaited(tx: Tx, newsletterId: string, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT subscriber_id AS id FROM mails
    WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ANY (${ids}::uuid[])
      AND state IN ('waiting', 'deferred', 'sending')`;
  return new Set(rows.map((row) => row.id));
}

export type EventRow = {
  id: string;
  kind: string;
  actorKind: string;
  actorName: string | null;
  address: string | null;
  /** Of a change: what was before and what came, by field. */
  detail: Record<string, [string, string]> | null;
  at: Date;
};

/** A person's own timeline, newest first. */
export async function listEvents(
  db: Pick<Tx, "$queryRaw">,
  newsletterId: string,
  id: string,
): Promise<EventRow[]> {
  return db.$queryRaw<EventRow[]>`
    SELECT e.id, e.kind, e.actor_kind AS "actorKind", coalesce(k.name, m.name, 'Paste #' || i.number) AS "actorName",
      e.address, e.detail, e.at
    FROM subscriber_events e
    LEFT JOIN api_keys k ON e.actor_kind = 'key' AND k.id = e.actor_id AND k.newsletter_id = e.newsletter_id
    LEFT JOIN staff_members m ON e.actor_kind = 'staff' AND m.id = e.actor_id
    LEFT JOIN imports i ON e.actor_kind = 'import' AND i.id = e.actor_id AND i.newsletter_id = e.newsletter_id
    WHERE e.newsletter_id = ${newsletterId}::uuid AND e.subscriber_id = ${id}::uuid ORDER BY e.id DESC LIMIT 200`;
}
