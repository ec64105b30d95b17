import type { StoredEvidence } from "../imports/schema/imports";
import { type CursorPage, pageOf } from "../kernel/cursor";
import { AppError } from "../kernel/errors";
import type { Db, Tx } from "../platform/db/client";
import type { Ctx } from "./context";
import { type ActivityRow, pageOfActivities } from "./queries/activities";
import { findExistingIds } from "./queries/subscribers";
import type {
  ActivityPlace,
  ActivityRecord,
  ActivityType,
  ActorKind,
  activityMeans,
} from "./schema/activities";
import { formatTime, type OfSubscriber } from "./subscribers";

type Means = { kind: (typeof activityMeans)[number]; id: string | null };

/** Maps row names to API names that differ. */
const types: Partial<Record<string, ActivityType>> = {
  changed: "updated",
  put_back: "restored",
  "mail.logged": "kept",
};
const actors: Record<string, ActorKind> = {
  api: "api_key",
  key: "api_key",
  dashboard: "staff",
  staff: "staff",
  import: "import",
  operator: "operator",
  link: "person",
  public: "page",
  page: "page",
};

function typeOf(kind: string): ActivityType {
  if (kind.startsWith("status.")) return "status_changed";
  return types[kind] ?? (kind.replace("mail.", "") as ActivityType);
}

function throughOf({ cause, causeId: id, actorKind }: ActivityRow): Means | null {
  if (cause === null) return null;
  if (cause !== "mail") return { kind: cause, id };
  // A subscriber's own activity used their own link. Staff see only links that were never emailed.
  return actorKind === "link" ? null : { kind: "link", id };
}

function presentActivity(row: ActivityRow) {
  const { id, at, kind, actorKind, actorId, actorName, address, changes, reason, until, importedBy } = row;
  const { mailId, mailTo, subject, askedAt, mailState, mailKind } = row;
  const { consentSource, consentWording, evidence } = row;
  const stated = consentSource === null ? null : { source: consentSource, wording: consentWording ?? "" };
  const actor = actorKind === null ? undefined : actors[actorKind];
  return {
    id,
    at,
    type: typeOf(kind),
    by: actor ? { kind: actor, id: actorId, name: actorName } : null,
    address,
    status: kind.startsWith("status.") ? kind.slice("status.".length) : null,
    changes,
    mail:
      mailId && mailTo && askedAt && mailState && mailKind
        ? { id: mailId, to: mailTo, subject, askedAt, state: mailState, kind: mailKind }
        : null,
    through: throughOf(row),
    consent: evidence?.left ? null : (evidence?.copied?.consent ?? stated),
    evidence,
    importedBy,
    reason,
    until,
  };
}

/** A person's newest activities. @param limit the maximum number */
export async function readTimeline(
  { db }: Pick<Ctx, "db">,
  { limit, ...person }: OfSubscriber & { limit: number },
) {
  return (await pageOfActivities(db, person, { after: null, limit })).map(presentActivity);
}

const evidenceOf = ({ optedInAt, confirmedAt, ip, source, left }: StoredEvidence) => ({
  ...(optedInAt && { opted_in_at: formatTime(new Date(optedInAt)) }),
  ...(confirmedAt && { confirmed_at: formatTime(new Date(confirmedAt)) }),
  ...(ip && { ip }),
  ...(source && { source }),
  ...(left && { left: { reason: left.reason, at: left.at && formatTime(new Date(left.at)) } }),
});

const hasListEvidence = ({ agreed: _, copied: __, copiedTo: ___, ...list }: StoredEvidence) =>
  Object.keys(list).length > 0;

/** For people that an earlier version copied or moved: the source or the target. */
const routeOf = ({ copied, copiedTo }: StoredEvidence) => ({
  ...(copied && {
    copied_from: {
      newsletter: copied.newsletter,
      moved: copied.moved,
      added_at: formatTime(new Date(copied.addedAt)),
      confirmed_at: copied.confirmedAt && formatTime(new Date(copied.confirmedAt)),
    },
  }),
  ...(copiedTo && { copied_to: { newsletter: copiedTo } }),
});

/** The parts of an activity that apply. */
function recordOf(one: ReturnType<typeof presentActivity>): ActivityRecord {
  const { id, at, type, by, address, status, changes, mail, through, consent, evidence } = one;
  const { importedBy, reason, until } = one;
  return {
    id,
    type,
    at: formatTime(at),
    by,
    address,
    detail: {
      ...(status && { status }),
      ...(changes && {
        changes: Object.fromEntries(
          Object.entries(changes).map(([field, [from, to]]) => [field, { from, to }]),
        ),
      }),
      ...(mail && {
        mail: {
          id: mail.id,
          kind: mail.kind,
          to: mail.to,
          subject: mail.subject,
          asked_at: formatTime(mail.askedAt),
        },
      }),
      ...(through && { through }),
      ...(consent && { consent }),
      ...(evidence && hasListEvidence(evidence) && { evidence: evidenceOf(evidence) }),
      ...(evidence?.agreed && {
        agreed: { ...evidence.agreed, at: formatTime(new Date(evidence.agreed.at)) },
      }),
      ...(evidence && routeOf(evidence)),
      ...(importedBy && { imported_by: importedBy }),
      ...(reason && { reason }),
      ...(until && { until: formatTime(until) }),
    },
  };
}

/**
 * A page of a subscriber's activities, newest first.
 * @param input limit: 1 to 100
 * @throws AppError not_found, also for another newsletter's subscriber
 */
export async function listActivities(
  { db }: { db: Db | Tx },
  { limit, after, ...person }: OfSubscriber & { limit: number; after: ActivityPlace | null },
): Promise<CursorPage<ActivityRecord, ActivityPlace>> {
  const rows = await pageOfActivities(db, person, { after, limit: limit + 1 });
  // Every subscriber has a first activity. An empty page may also lie beyond the last one.
  if (rows.length === 0 && (await findExistingIds(db, person.newsletterId, [person.id])).size === 0)
    throw new AppError("not_found", `Unknown subscriber id: ${person.id}.`);
  const { items, next } = pageOf(rows, limit, ({ at, rank, id }) => ({ at, rank, id }));
  return { items: items.map((row) => recordOf(presentActivity(row))), next };
}
