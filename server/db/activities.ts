import { newId } from "../domain/ids";
import { type Db, Prisma, type Tx } from "./client";

/** Who did something, as activities and the audit log note it. */
export type ActorNote = { kind: string; id: string | null; address: string | null };

/** Of a change: what was before and what came, by field. */
export type ChangeDetail = Record<string, [string, string]>;

/** What an activity came from: the mail whose link was pressed, the mail that was marked as spam, and so on. */
export type ActivityCause = { kind: "mail" | "complaint" | "bulk_action" | "suppression"; id: string };

/** One thing that happened to each of these subscribers. */
export type NewActivity = {
  newsletterId: string;
  ids: string[];
  kind: string;
  actor: ActorNote;
  detail?: ChangeDetail | null;
  cause?: ActivityCause | null;
};

export async function insertActivities(
  tx: Tx,
  { newsletterId, ids, kind, actor, detail = null, cause = null }: NewActivity,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, actor_id, address, detail,
      cause, cause_id)
    SELECT id, ${newsletterId}::uuid, subscriber_id, ${kind}, ${actor.kind}, ${actor.id}::uuid, ${actor.address},
      ${detail && JSON.stringify(detail)}::jsonb, ${cause?.kind ?? null}, ${cause?.id ?? null}::uuid
    FROM unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[]) AS new (id, subscriber_id)`;
}

/**
 * The name of who is behind `kind` and `id`: an API key, a staff member or an import.
 * @param kind the column of a subscriber's source, or of an activity's actor
 */
export const actorName = (kind: Prisma.Sql, id: Prisma.Sql, newsletterId: Prisma.Sql) => Prisma.sql`
  CASE WHEN ${kind} IN ('api', 'key') THEN (SELECT k.name FROM api_keys k WHERE k.id = ${id} AND k.newsletter_id = ${newsletterId})
    WHEN ${kind} IN ('dashboard', 'staff') THEN (SELECT m.name FROM staff_members m WHERE m.id = ${id})
    WHEN ${kind} = 'import' THEN (SELECT 'Paste #' || i.number FROM imports i WHERE i.id = ${id} AND i.newsletter_id = ${newsletterId}) END`;

export type ActivityRow = {
  id: string;
  kind: string;
  actorKind: string;
  actorName: string | null;
  address: string | null;
  detail: ChangeDetail | null;
  at: Date;
};

/** What happened to a subscriber after they were added, newest first. */
export async function listActivities(db: Db | Tx, newsletterId: string, id: string): Promise<ActivityRow[]> {
  return db.$queryRaw<ActivityRow[]>`
    SELECT e.id, e.kind, e.actor_kind AS "actorKind",
      ${actorName(Prisma.sql`e.actor_kind`, Prisma.sql`e.actor_id`, Prisma.sql`e.newsletter_id`)} AS "actorName",
      e.address, e.detail, e.at
    FROM subscriber_events e
    WHERE e.newsletter_id = ${newsletterId}::uuid AND e.subscriber_id = ${id}::uuid ORDER BY e.id DESC LIMIT 200`;
}
