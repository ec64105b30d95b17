import type { ActivityRow, ChangeDetail } from "../db/activities";

/** Something that happened to a person; the browser has the words for each `kind`. */
export type Activity = {
  /** One mail can have several activities: with `kind` it is unique. */
  id: string;
  at: Date;
  kind: string;
  by: { kind: string; name: string | null; id: string | null } | null;
  address: string | null;
  changes: ChangeDetail | null;
  mail: { id: string; reason: string | null; deferredUntil: Date | null } | null;
};

export type TimelineMail = {
  id: string;
  state: string;
  errorMessage: string | null;
  deferredUntil: Date | null;
  createdAt: Date;
  frozenAt: Date | null;
  finishedAt: Date | null;
  linkExpiresAt: Date;
  delayedAt: Date | null;
  deliveredAt: Date | null;
  bouncedAt: Date | null;
  bounceReason: string | null;
  complainedAt: Date | null;
};

type TimelinePerson = {
  id: string;
  source: string;
  sourceId: string | null;
  sourceName: string | null;
  createdAt: Date;
  confirmedAt: Date | null;
};

const NOBODY = { by: null, address: null, changes: null, mail: null };

/** States in which a mail's link is out, or may be. */
const OUT = new Set(["sent", "logged", "uncertain"]);

function activitiesOfMail(mail: TimelineMail, { confirmedAt }: TimelinePerson, now: Date): Activity[] {
  const { id, state, errorMessage, linkExpiresAt, createdAt, frozenAt } = mail;
  const of = (kind: string, at: Date | null, reason: string | null = null): Activity[] => {
    if (at === null) return [];
    const deferredUntil = kind === "deferred" ? mail.deferredUntil : null;
    return [{ ...NOBODY, id, at, kind: `mail.${kind}`, mail: { id, reason, deferredUntil } }];
  };
  // A mail that Resend accepted and then reported as failed: the log shows its error as the reason.
  const isAccepted = state === "failed" && mail.deliveredAt === null && frozenAt !== null;
  const expired =
    OUT.has(state) && linkExpiresAt <= now && (confirmedAt === null || confirmedAt > linkExpiresAt);
  const endedAt = mail.finishedAt ?? frozenAt;
  return [
    // A mail that has just been asked for shows its state only; one that ended later shows both times.
    ...(endedAt && endedAt.getTime() - createdAt.getTime() > 1000 ? of("asked", createdAt) : []),
    ...of(state, endedAt ?? createdAt, isAccepted || state !== "sent" ? errorMessage : null),
    ...(mail.deliveredAt ? [] : of("delayed", mail.delayedAt)),
    ...of("delivered", mail.deliveredAt),
    ...of("bounced", mail.bouncedAt, mail.bounceReason),
    ...of("complained", mail.complainedAt),
    ...(expired ? of("expired", linkExpiresAt) : []),
  ];
}

/** Everything that happened to a person, newest first. */
export function timelineOf(
  person: TimelinePerson,
  rows: ActivityRow[],
  mails: TimelineMail[],
  now: Date,
): Activity[] {
  const { id, createdAt: at, source, sourceName, sourceId } = person;
  const all: Activity[] = [
    ...rows.map((row) => ({
      id: row.id,
      at: row.at,
      kind: row.kind,
      by: { kind: row.actorKind, name: row.actorName, id: null },
      address: row.address,
      changes: row.detail,
      mail: null,
    })),
    ...mails.flatMap((mail) => activitiesOfMail(mail, person, now)),
    { ...NOBODY, id, at, kind: "created", by: { kind: source, name: sourceName, id: sourceId } },
  ];
  // What happened in one transaction has one time: then the creation was first, and a mail's state after the mail.
  const rank = ({ kind }: Activity) => (kind === "created" ? 0 : kind === "mail.asked" ? 1 : 2);
  return all.sort(
    (a, b) =>
      b.at.getTime() - a.at.getTime() || rank(b) - rank(a) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
}
