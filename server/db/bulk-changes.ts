import type { MergeGroup } from "../contract/bulk-changes";
import type { FieldValue } from "../domain/fields";
import type { Status } from "../domain/status-moves";
import { type Db, Prisma, type Tx } from "./client";
import type { LockedSubscriber, StoredFields } from "./subscribers";

/** Of copy and move: where to, and how. */
export type StoredCopy = {
  /** The id of the other newsletter. */
  to: string;
  /** What it and this one were called. */
  toName: string;
  fromName: string;
  /** What staff stated of those who become active there; null: everybody is asked. */
  consent: { source: string; wording: string } | null;
  /** Ids of the entries in the other newsletter's audit log. */
  entryId: string;
  undoEntryId: string;
};

/**
 * What a bulk action changes, by number: tags to add or to remove, the value of a field; or which people it merges, or where it
 * copies them.
 */
export type StoredChange = {
  copy?: StoredCopy;
  tags?: number[];
  fields?: Record<string, FieldValue | null>;
  groups?: MergeGroup[];
};

type AboutToChange = LockedSubscriber & {
  /** Whether the action leaves them as they are, and they are remembered since it is about them. */
  stays?: boolean;
  /** Whether the action gives them a name, and they had none. */
  named?: boolean;
};

/** Remembers fields and tags of subscribers that are about to change. */
export async function rememberAttributes(tx: Tx, id: string, people: AboutToChange[]): Promise<void> {
  await tx.bulkActionChange.createMany({
    data: people.map(({ id: subscriberId, status, version, fields, tags, stays, named = false }) => ({
      bulkActionId: id,
      subscriberId,
      was: status,
      version: stays ? version : version + 1,
      named,
      fieldsWas: fields ?? Prisma.DbNull,
      tagsWas: tags ?? [],
    })),
  });
}

export type RememberedAttributes = {
  was: Status;
  version: number;
  fields: StoredFields | null;
  tags: number[];
  named: boolean;
};

/** What these subscribers had before the action, and which version it left them in. */
export async function findRemembered(
  tx: Tx,
  id: string,
  ids: string[],
): Promise<Map<string, RememberedAttributes>> {
  const rows = await tx.bulkActionChange.findMany({ where: { bulkActionId: id, subscriberId: { in: ids } } });
  return new Map(
    rows.map(({ subscriberId, was, version, fieldsWas, tagsWas, named }) => [
      subscriberId,
      { was: was as Status, version, fields: fieldsWas as StoredFields | null, tags: tagsWas, named },
    ]),
  );
}

/** Which of these subscribers have not said no since the action: who left or complained is not among them, nor who is erased. */
export async function findNotRefused(tx: Tx, actionId: string, ids: string[]): Promise<Set<string>> {
  // Raw: the suppressions of a subscriber are found by the digest of their address.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM bulk_action_changes c JOIN bulk_actions a ON a.id = c.bulk_action_id
    JOIN subscribers s ON s.newsletter_id = a.newsletter_id AND s.id = c.subscriber_id
    WHERE c.bulk_action_id = ${actionId}::uuid AND c.subscriber_id = ANY (${ids}::uuid[])
      AND (s.status <> 'unsubscribed' OR c.was = 'unsubscribed')
      AND NOT EXISTS (SELECT FROM suppressions x WHERE x.newsletter_id = s.newsletter_id AND x.source = 'person'
        AND x.digest = address_digest(s.newsletter_id, s.email_canonical) AND x.created_at > a.created_at)`;
  return new Set(rows.map((row) => row.id));
}

/** Who was kept of the merge by which this subscriber was unsubscribed; null when they left otherwise. */
export async function findKept(db: Db | Tx, newsletterId: string, id: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT pair.value #>> '{keep,id}' AS id
    FROM (
      SELECT cause, cause_id FROM subscriber_events
      WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ${id}::uuid AND kind = 'unsubscribed'
      ORDER BY id DESC LIMIT 1
    ) AS leaving
    JOIN bulk_actions a ON a.id = leaving.cause_id AND leaving.cause = 'merge'
    CROSS JOIN jsonb_array_elements(a.change -> 'groups') AS pair
    WHERE pair.value -> 'others' @> jsonb_build_array(jsonb_build_object('id', ${id}::text))`;
  return rows[0]?.id ?? null;
}
