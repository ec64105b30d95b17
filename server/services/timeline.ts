import type { EventRow } from "../db/people-acts";

/** What happened to a person; `kind` is worded in the browser. */
export type Activity = {
  /** One mail can have several activities: with `kind` it is unique. */
  id: string;
  at: Date;
  kind: string;
  by: { kind: string; name: string | null; id: string | null } | null;
  address: string | null;
  /** Of a change: what was before and what came, by field. */
  changes: Record<string, [string, string]> | null;
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

type Person = {
  id: string;
  source: string;
  sourceId: string | null;
  sourceName: string | null;
  createdAt: Date;
  confirmedAt: Date | null;
};

/** States in which a mail's link is out, or may be. */
const OUT = new Set(["sent", "logged", "uncertain"]);

function activitiesOfMail(mail: TimelineMail, person: Person, now: Date): Activity[] {
  const of = (kind: string, at: Date | null, reason: string | null = null): Activity[] =>
    at === null
      ? []
      : [
          {
            id: mail.id,
            at,
            kind: `mail.${kind}`,
            by: null,
            address: null,
            changes: null,
            mail: { id: mail.id, reason, deferredUntil: kind === "deferred" ? mail.deferredUntil : null },
          },
        ];
  const { state, errorMessage, linkExpiresAt } = mail;
  // Resend took it and gave it back: both happened.
  const isTakenFirst = state === "failed" && mail.deliveredAt === null && mail.frozenAt !== null;
  const expired =
    OUT.has(state) &&
    linkExpiresAt <= now &&
    (person.confirmedAt === null || person.confirmedAt > linkExpiresAt);
  const endedAt = mail.finishedAt ?? mail.frozenAt;
  return [
    // A mail that is still here says so once, as it stands; one that is out was asked for earlier.
    ...(endedAt && endedAt.getTime() - mail.createdAt.getTime() > 1000 ? of("asked", mail.createdAt) : []),
    ...of(state, endedAt ?? mail.createdAt, isTakenFirst || state !== "sent" ? errorMessage : null),
    ...(mail.deliveredAt ? [] : of("delayed", mail.delayedAt)),
    ...of("delivered", mail.deliveredAt),
    ...of("bounced", mail.bouncedAt, mail.bounceReason),
    ...of("complained", mail.complainedAt),
    ...(expired ? of("expired", linkExpiresAt) : []),
  ];
}

/** Everything that happened to a person, newest first. */
export function timelineOf(person: Person, events: EventRow[], mails: TimelineMail[], now: Date): Activity[] {
  const all: Activity[] = [
    ...events.map((event) => ({
      id: event.id,
      at: event.at,
      kind: event.kind,
      by: { kind: event.actorKind, name: event.actorName, id: null },
      address: event.address,
      changes: event.detail,
      mail: null,
    })),
    ...mails.flatMap((mail) => activitiesOfMail(mail, person, now)),
    {
      id: person.id,
      at: person.createdAt,
      kind: "created",
      by: { kind: person.source, name: person.sourceName, id: person.sourceId },
      address: null,
      changes: null,
      mail: null,
    },
  ];
  // What happened in one transaction bears one time: then the creation was first, and a mail's fate after the mail.
  const rank = ({ kind }: Activity) => (kind === "created" ? 0 : kind === "mail.asked" ? 1 : 2);
  return all.sort(
    (a, b) =>
      b.at.getTime() - a.at.getTime() || rank(b) - rank(a) || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
}
