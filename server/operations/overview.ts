import { type AuditView, listAudit } from "../accounts/shared-queries";
import { countRequests, listApiKeys } from "../api-keys/shared-queries";
import { listUndoable } from "../bulk-actions/shared-queries";
import { listImports } from "../imports/imports";
import { pageOf } from "../kernel/cursor";
import { DAY_MS } from "../kernel/time";
import { confirmedSince, countAttention } from "../mail-log/shared-queries";
import type { Db } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import {
  countActiveByDay,
  countByStatus,
  countPeople,
  peopleWith,
  sumOf,
} from "../subscribers/shared-queries";

/** The number of keys and imports shown. */
const RECENT = 3;
/** The number of days for which API requests are counted. */
const REQUEST_DAYS = 7;

type OverviewInput = {
  newsletter: { id: string; timeZone: string };
  /** The number of days of growth. */
  days: number;
  /** The start of the last 7 and 30 days in the reader's time zone. The list of people uses the same days. */
  own: { week: Date; month: Date };
};

/** Returns a newsletter's overview: people, growth, emails, requests, keys and imports. */
export async function getOverview({ db }: Pick<Ctx, "db">, { newsletter, days, own }: OverviewInput) {
  const { id } = newsletter;
  const [steps, people, addedThisWeek, growth, confirmation, mails, requests, keys, imports] =
    await Promise.all([
      findFirstSteps(db, id),
      countByStatus(db, id),
      countPeople(db, peopleWith(id, { about: "added", test: "after", at: own.week.toISOString() })),
      growthOf(db, newsletter, days),
      confirmedSince(db, id, own.month),
      countAttention(db, id),
      countRequests(db, id, REQUEST_DAYS),
      listApiKeys(db, id),
      listImports({ db }, { newsletterId: id, cursor: null }),
    ]);
  const recentKeys = keys
    .toSorted((a, b) => Number(b.lastUsedAt) - Number(a.lastUsedAt))
    .flatMap(({ id, name, lastUsedAt }) => (lastUsedAt ? [{ id, name, lastUsedAt }] : []))
    .slice(0, RECENT);
  return {
    steps,
    people,
    addedThisWeek,
    thisWeek: sumOf(growth.days.slice(-7)),
    growth,
    confirmation,
    mails,
    requests,
    keys: recentKeys,
    imports: imports.items.slice(0, RECENT),
  };
}

/**
 * Returns for each of the last days, today last: who joined, who left, and how many were active at its end. Also
 * returns the sums, with those of the days before.
 */
async function growthOf(db: Db, { id, timeZone }: OverviewInput["newsletter"], days: number) {
  const counted = await countActiveByDay(db, id, { days, timeZone });
  let { active } = counted.people;
  const shown = counted.days.toReversed().map(({ day, joined, left }) => {
    const atEnd = active;
    active += left - joined;
    return { day, joined, left, active: atEnd };
  });
  return { days: shown.toReversed(), sum: sumOf(shown), before: counted.before };
}

/** How long a newsletter counts as new. */
const NEW_DAYS = 14;

/** Finds the finished first steps of a newsletter, besides adding people. */
async function findFirstSteps(db: Db, id: string) {
  const usedKey = { where: { lastUsedAt: { not: null } }, take: 1, select: { id: true } };
  const found = await db.newsletter.findUniqueOrThrow({
    where: { id },
    select: {
      createdAt: true,
      confirmSubject: true,
      confirmIntro: true,
      signUpPage: { select: { isOn: true } },
      apiKeys: usedKey,
      account: { select: { apiKeys: usedKey, _count: { select: { staff: true, invitations: true } } } },
    },
  });
  const { apiKeys, _count } = found.account;
  return {
    isNew: found.createdAt.getTime() > Date.now() - NEW_DAYS * DAY_MS,
    /** The confirmation email has its own text. */
    ownWords: found.confirmSubject !== null || found.confirmIntro !== null,
    signUpPage: found.signUpPage?.isOn === true,
    apiCall: found.apiKeys.length + apiKeys.length > 0,
    colleague: _count.staff + _count.invitations > 1,
  };
}

/**
 * Returns a page of an account's audit log, newest first, with the names used at that time.
 * @param input `cursor`: the last id of the previous page
 */
export async function listAuditLog(
  { db }: Pick<Ctx, "db">,
  { limit, cursor, ...view }: AuditView & { limit: number; cursor?: string | null | undefined },
) {
  const page = pageOf(await listAudit(db, view, limit + 1, cursor ?? null), limit, ({ id }) => id);
  const entries = page.items;
  // The audit entry of a bulk action has the bulk action's id.
  const bulkActions = entries.filter(({ action }) => action.startsWith("people.")).map(({ id }) => id);
  const undoable = await listUndoable(db, bulkActions);
  const items = entries.map(
    ({ id, at, action, actorKind, actorName, newsletterId, address, detail, ...entry }) => ({
      id,
      at,
      action,
      by: { kind: actorKind, name: actorName },
      newsletter: entry.newsletterName,
      /** The newsletter of this bulk action, if it can be undone. */
      undoIn: newsletterId && undoable.includes(id) ? newsletterId : null,
      address,
      detail: detail as Record<string, unknown> | null,
    }),
  );
  return { items, next: page.next };
}
