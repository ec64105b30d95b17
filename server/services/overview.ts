import { listApiKeys } from "../db/api-keys";
import { countRequests } from "../db/api-requests";
import { type AuditView, listAudit } from "../db/audit";
import { listUndoable } from "../db/bulk-actions";
import type { Db } from "../db/client";
import { confirmedSince, countAttention } from "../db/mail-pages";
import { type ActiveDay, countActiveByDay, countPeople } from "../db/people-counts";
import { countByStatus } from "../db/subscriber-pages";
import type { Ctx } from "./context";
import { listImports } from "./imports";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How many keys and imports are shown. */
const RECENT = 3;
/** How far back the API's requests are counted. */
const REQUEST_DAYS = 7;

type OverviewInput = {
  newsletter: { id: string; timeZone: string };
  /** How many days of growth. */
  days: number;
  /** When the last 7 and the last 30 days began where the reader is; the list of people uses the same days. */
  since?: { week: Date; month: Date };
};

/** A newsletter at a glance: people, growth, mails, requests, keys and imports. */
export async function getOverview({ db }: Pick<Ctx, "db">, { newsletter, days, since }: OverviewInput) {
  const { id } = newsletter;
  const { week, month } = since ?? { week: daysAgo(7), month: daysAgo(30) };
  const [people, addedThisWeek, growth, thisWeek, confirmation, mails, requests, keys, imports] =
    await Promise.all([
      countByStatus(db, id),
      countPeople(db, { newsletterId: id, addedFrom: week }),
      growthOf(db, newsletter, days),
      countMovesSince(db, newsletter, week),
      confirmedSince(db, id, month),
      countAttention(db, id),
      countRequests(db, id, REQUEST_DAYS),
      listApiKeys(db, id),
      listImports({ db }, id, null),
    ]);
  const recentKeys = keys
    .toSorted((a, b) => Number(b.lastUsedAt) - Number(a.lastUsedAt))
    .flatMap(({ id, name, lastUsedAt }) => (lastUsedAt ? [{ id, name, lastUsedAt }] : []))
    .slice(0, RECENT);
  return {
    people,
    addedThisWeek,
    thisWeek,
    growth,
    confirmation,
    mails,
    requests,
    keys: recentKeys,
    imports: imports.imports.slice(0, RECENT),
  };
}

type OfNewsletter = OverviewInput["newsletter"];
type Moves = Pick<ActiveDay, "joined" | "left">;

const sumOf = (days: Moves[]): Moves =>
  days.reduce((sum, { joined, left }) => ({ joined: sum.joined + joined, left: sum.left + left }), {
    joined: 0,
    left: 0,
  });

/** How many people became active since, to the quarter of an hour, and how many stopped: each as often as they did. */
export async function countMovesSince(db: Db, { id, timeZone }: OfNewsletter, since: Date): Promise<Moves> {
  return sumOf((await countActiveByDay(db, id, since, timeZone)).days);
}

/** Each of the last days, today the last: who joined, who left, and how many were active at its end; and the sums of the days before. */
async function growthOf(db: Db, { id, timeZone }: OfNewsletter, days: number) {
  const lastDays = Array.from({ length: 2 * days }, (_, i) => dayIn(daysAgo(i), timeZone));
  const since = startOfDay(daysAgo(2 * days - 1), timeZone);
  const counted = await countActiveByDay(db, id, since, timeZone);
  const on = new Map(counted.days.map((row) => [row.day, row]));
  let { active } = counted;
  const all = lastDays.map((day) => {
    const { joined = 0, left = 0 } = on.get(day) ?? {};
    const atEnd = active;
    active += left - joined;
    return { day, joined, left, active: atEnd };
  });
  const shown = all.slice(0, days);
  return { days: shown.toReversed(), sum: sumOf(shown), before: sumOf(all.slice(days)) };
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** The day of this time in a time zone, as YYYY-MM-DD. */
function dayIn(time: Date, timeZone: string): string {
  const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-CA", { timeZone, ...day }).format(time);
}

/** When the day of this time begins in a time zone, up to an hour too early. */
function startOfDay(time: Date, timeZone: string): Date {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" });
  return new Date(time.getTime() - (Number(clock.format(time)) + 1) * HOUR_MS);
}

/**
 * A page of an account's audit log, newest first, with the names of its time.
 * @param input `cursor`: the last id of the page before
 */
export async function listAuditLog(
  { db }: Pick<Ctx, "db">,
  { limit, cursor, ...view }: AuditView & { limit: number; cursor?: string | null | undefined },
) {
  const entries = await listAudit(db, view, limit, cursor ?? null);
  // The audit entry of a bulk action has the bulk action's id.
  const bulkActions = entries.filter(({ action }) => action.startsWith("people.")).map(({ id }) => id);
  const undoable = await listUndoable(db, bulkActions);
  return entries.map(({ id, at, action, actorKind, actorName, newsletterId, address, detail, ...entry }) => ({
    id,
    at,
    action,
    by: { kind: actorKind, name: actorName },
    newsletter: entry.newsletterName,
    /** The newsletter of this bulk action, when it can be undone. */
    undoIn: newsletterId && undoable.includes(id) ? newsletterId : null,
    address,
    detail: detail as Record<string, unknown> | null,
  }));
}
