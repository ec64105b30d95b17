import { countRequests } from "../db/api-requests";
import { listUndoable } from "../db/bulk-actions";
import { confirmedSince, countAttention } from "../db/mail-pages";
import { countByStatus } from "../db/people";
import { countByDay, countPeople } from "../db/people-counts";
import type { Ctx } from "./context";
import { listImports } from "./imports";

const DAY_MS = 86_400_000;
/** How many of what happened lately are named. */
const RECENT = 3;

/**
 * How things stand with a newsletter, at a glance.
 * @param days how far back the growth goes
 * @param own when the last 7 and the last 30 days began where the reader is: the days by which the list of people goes
 */
export async function overviewOf(
  { db }: Pick<Ctx, "db">,
  newsletter: { id: string; timeZone: string },
  days: number,
  own = { week: new Date(Date.now() - 7 * DAY_MS), month: new Date(Date.now() - 30 * DAY_MS) },
) {
  const since = startOfDay(new Date(Date.now() - (days - 1) * DAY_MS), newsletter.timeZone);
  const [people, joinedThisWeek, joined, confirmation, mails, requests, keys, imports] = await Promise.all([
    countByStatus(db, newsletter.id),
    countPeople(db, { newsletterId: newsletter.id, addedFrom: own.week }),
    countByDay(db, newsletter.id, since, newsletter.timeZone),
    confirmedSince(db, newsletter.id, own.month),
    countAttention(db, newsletter.id),
    countRequests(db, newsletter.id, 7),
    db.apiKey.findMany({
      where: { newsletterId: newsletter.id, lastUsedAt: { not: null } },
      select: { id: true, name: true, lastUsedAt: true },
      orderBy: { lastUsedAt: "desc" },
      take: RECENT,
    }),
    listImports({ db }, newsletter.id, null),
  ]);
  const perDay = new Map(joined.map((row) => [row.day, row.people]));
  const total = people.active + people.pending + people.unsubscribed;
  const growth: { day: string; joined: number; total: number }[] = [];
  let running = total;
  for (let i = 0; i < days; i++) {
    const day = dayIn(new Date(Date.now() - i * DAY_MS), newsletter.timeZone);
    const count = perDay.get(day) ?? 0;
    growth.unshift({ day, joined: count, total: running });
    running -= count;
  }
  const recentImports = imports.imports
    .slice(0, RECENT)
    .map(({ id, number, state, fileName, counts, startedAt }) => ({
      id,
      number,
      state,
      fileName,
      counts,
      startedAt,
    }));
  return { people, joinedThisWeek, growth, confirmation, mails, requests, keys, imports: recentImports };
}

/** A moment's day there, as YYYY-MM-DD. */
function dayIn(time: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(time);
}

/** The beginning of a moment's day there, to the hour: read a little too much rather than too little. */
function startOfDay(time: Date, timeZone: string): Date {
  const hour = Number(
    new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(time),
  );
  return new Date(time.getTime() - (hour + 1) * 3_600_000);
}

/** The last things that happened in an account, with names where they are known. */
export async function recentActs(
  { db }: Pick<Ctx, "db">,
  accountId: string,
  limit: number,
  before: string | null,
) {
  const entries = await db.auditEntry.findMany({
    where: { accountId, ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: limit,
  });
  const idsOf = (kind: string) =>
    entries.flatMap((entry) => (entry.actorKind === kind && entry.actorId ? [entry.actorId] : []));
  const select = { id: true, name: true } as const;
  // What is done to people is a run with the id of its entry.
  const runs = entries.filter(({ action }) => action.startsWith("people.")).map(({ id }) => id);
  const [staff, keys, newsletters, undoable] = await Promise.all([
    db.staffMember.findMany({ where: { id: { in: idsOf("staff") }, accountId }, select }),
    db.apiKey.findMany({ where: { id: { in: idsOf("key") } }, select }),
    db.newsletter.findMany({ where: { accountId }, select }),
    listUndoable(db, runs),
  ]);
  const names = new Map([...staff, ...keys, ...newsletters].map(({ id, name }) => [id, name]));
  return entries.map(({ id, at, action, actorKind, actorId, newsletterId, address, detail }) => ({
    id,
    at,
    action,
    by: { kind: actorKind, name: actorId ? (names.get(actorId) ?? null) : null },
    newsletter: newsletterId ? (names.get(newsletterId) ?? null) : null,
    /** The newsletter whose run this is, when it can be taken back. */
    undoIn: newsletterId && undoable.includes(id) ? newsletterId : null,
    address,
    detail: detail as Record<string, unknown> | null,
  }));
}
