import type { ActorNote } from "../../accounts/context";
import type { StoredEvidence } from "../../imports/schema/imports";
import { newId } from "../../kernel/ids";
import type { MailState, PersonMailKind } from "../../mail/schema/mail-states";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import type { ActivityPlace } from "../schema/activities";

/** A change by field: the value before and the value after. */
export type ChangeDetail = Record<string, [string, string]>;

/** The cause of an activity, such as the mail whose link was used or the mail that was marked as spam. */
export type ActivityCause =
  | { kind: "mail" | "complaint" | "bulk_action"; id: string }
  | { kind: "suppression"; id: null };

/** One thing that happened to each of these subscribers. */
export type NewActivity = {
  newsletterId: string;
  ids: string[];
  kind: string;
  actor: ActorNote;
  /** Of each subscriber, in the order of `ids`. */
  details?: (ChangeDetail | null)[];
  cause?: ActivityCause | null;
  /** Evidence of the opt-in. */
  evidence?: StoredEvidence | null;
};

export async function insertActivities(
  tx: Tx,
  { newsletterId, ids, kind, actor, details = [], cause = null, evidence = null }: NewActivity,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, actor_id, address, detail,
      cause, cause_id, evidence)
    SELECT id, ${newsletterId}::uuid, subscriber_id, ${kind}, ${actor.kind}, ${actor.id}::uuid, ${actor.address},
      detail::jsonb, ${cause?.kind ?? null}, ${cause?.id ?? null}::uuid, ${evidence && JSON.stringify(evidence)}::jsonb
    FROM unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[], ${textArray(details.map((one) => one && JSON.stringify(one)))}::text[])
      AS new (id, subscriber_id, detail)`;
}

/**
 * SQL for the name of an API key, a staff member or an import.
 * @param kind the column of a subscriber's source, or of an activity's actor
 */
export const actorName = (kind: Prisma.Sql, id: Prisma.Sql, newsletterId: Prisma.Sql) => Prisma.sql`
  CASE WHEN ${kind} IN ('api', 'key') THEN (SELECT k.name FROM api_keys k WHERE k.id = ${id}
      AND (k.newsletter_id = ${newsletterId} OR k.account_id = (SELECT n.account_id FROM newsletters n WHERE n.id = ${newsletterId})))
    WHEN ${kind} IN ('dashboard', 'staff') THEN (SELECT m.name FROM staff_members m WHERE m.id = ${id})
    WHEN ${kind} = 'import' THEN (SELECT 'Import #' || i.number FROM imports i WHERE i.id = ${id} AND i.newsletter_id = ${newsletterId}) END`;

export type ActivityRow = ActivityPlace & {
  kind: string;
  /** Null for an event of a mail. */
  actorKind: string | null;
  actorId: string | null;
  actorName: string | null;
  address: string | null;
  changes: ChangeDetail | null;
  /** The statements of an imported list about the opt-in and opt-out. */
  evidence: StoredEvidence | null;
  /** Earlier versions wrote merge and pause. */
  cause: ActivityCause["kind"] | "merge" | "pause" | null;
  causeId: string | null;
  /** The mail of the activity, or the mail that caused it. */
  mailId: string | null;
  mailTo: string | null;
  subject: string | null;
  askedAt: Date | null;
  mailState: MailState | null;
  mailKind: "reminder" | PersonMailKind | null;
  reason: string | null;
  until: Date | null;
  consentSource: string | null;
  consentWording: string | null;
  importedBy: string | null;
};

/**
 * The stored activities of a subscriber. An addition by staff has a `created` entry with the staff member's IP address.
 * An imported person has one if the list says more than name and address.
 */
const written = (newsletterId: string, id: string) => Prisma.sql`
  SELECT e.id::text AS id, e.at, CASE e.kind WHEN 'created' THEN 0 ELSE 2 END AS rank, e.kind, e.actor_kind, e.actor_id, e.address,
    e.detail, e.evidence, e.cause, e.cause_id,
    CASE WHEN e.cause IN ('mail', 'complaint') THEN e.cause_id END AS mail_id,
    NULL AS reason, NULL::timestamptz AS until
  FROM subscriber_events e WHERE e.newsletter_id = ${newsletterId}::uuid AND e.subscriber_id = ${id}::uuid`;

/** The creation of all other subscribers, read from their row: a create through the API stores no activity. */
const added = (newsletterId: string, id: string) => Prisma.sql`
  SELECT s.id::text, s.created_at, 0, 'created', s.source, s.source_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid AND NOT EXISTS (
    SELECT FROM subscriber_events e WHERE e.newsletter_id = s.newsletter_id AND e.subscriber_id = s.id AND e.kind = 'created')`;

/**
 * The events of each mail. Welcome emails and preference links have their own first event, because they ask for no
 * confirmation. A mail's error is the reason for its failure, or for its delay while it is open.
 */
const mailed = (newsletterId: string, id: string) => Prisma.sql`
  SELECT m.id || '.' || fact.kind, fact.at, fact.rank, 'mail.' || fact.kind, NULL, NULL, NULL, NULL, NULL, NULL, NULL, m.id, fact.reason, fact.until
  FROM mails m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
  CROSS JOIN LATERAL (SELECT m.state IN ('waiting', 'deferred', 'sending') AS open) AS is_
  CROSS JOIN LATERAL (VALUES
    (CASE m.kind WHEN 'welcome' THEN 'welcomed' WHEN 'preferences' THEN 'link_asked' WHEN 'new_address' THEN 'address_asked' ELSE 'asked' END, m.created_at, 1, CASE WHEN is_.open THEN m.error_message END, CASE WHEN is_.open THEN m.deferred_until END),
    (CASE WHEN NOT is_.open THEN m.state END, coalesce(m.finished_at, m.frozen_at, m.created_at), 2,
      CASE WHEN m.state <> 'sent' THEN m.error_message END, NULL),
    (CASE WHEN m.delivered_at IS NULL THEN 'delayed' END, m.delayed_at, 2, NULL, NULL),
    ('delivered', m.delivered_at, 2, NULL, NULL),
    ('bounced', m.bounced_at, 2, m.bounce_reason, NULL),
    ('complained', m.complained_at, 2, NULL, NULL),
    (CASE WHEN m.kind = 'confirmation' AND m.state IN ('sent', 'logged', 'uncertain') AND m.link_expires_at <= now()
        AND coalesce(s.confirmed_at > m.link_expires_at, true) THEN 'expired' END, m.link_expires_at, 2, NULL, NULL)
  ) AS fact (kind, at, rank, reason, until)
  WHERE m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = ${id}::uuid AND fact.kind IS NOT NULL AND fact.at IS NOT NULL`;

/**
 * The activities of a subscriber, newest first. At the same time, an effect comes before its cause. An activity never
 * changes its position, so consecutive pages neither repeat nor skip one.
 * @param page after: the last activity of the previous page
 */
export async function pageOfActivities(
  db: Db | Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
  { after, limit }: { after: ActivityPlace | null; limit: number },
): Promise<ActivityRow[]> {
  const beyond = after
    ? Prisma.sql`WHERE (h.at, h.rank, h.id COLLATE "C") < (${after.at}::timestamptz, ${after.rank}::int, ${after.id})`
    : Prisma.empty;
  return db.$queryRaw<ActivityRow[]>`
    SELECT h.id, h.at, h.rank, h.kind, h.actor_kind AS "actorKind", h.actor_id AS "actorId",
      ${actorName(Prisma.sql`h.actor_kind`, Prisma.sql`h.actor_id`, Prisma.sql`${newsletterId}::uuid`)} AS "actorName",
      coalesce(h.address, i.address) AS address, h.detail AS changes, h.evidence, h.cause, h.cause_id AS "causeId",
      m.id AS "mailId", m.to_email AS "mailTo", m.subject, m.created_at AS "askedAt", m.state AS "mailState", CASE WHEN m.reminder_of IS NOT NULL THEN 'reminder' ELSE m.kind END AS "mailKind", h.reason, h.until,
      i.consent_source AS "consentSource", i.consent_wording AS "consentWording",
      (SELECT name FROM staff_members WHERE id = i.staff_id) AS "importedBy"
    FROM (${written(newsletterId, id)} UNION ALL ${added(newsletterId, id)} UNION ALL ${mailed(newsletterId, id)}) AS h
    LEFT JOIN mails m ON m.id = h.mail_id
    LEFT JOIN imports i ON h.actor_kind = 'import' AND i.id = h.actor_id AND i.newsletter_id = ${newsletterId}::uuid
    ${beyond}
    ORDER BY h.at DESC, h.rank DESC, h.id COLLATE "C" DESC LIMIT ${limit}`;
}
