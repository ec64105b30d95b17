import type { SkippedCounts, SkipReason } from "../contract/bulk-actions";
import { idsOfGroups } from "../contract/bulk-changes";
import { maxTags } from "../contract/fields";
import { insertActivities } from "../db/activities";
import { type BulkActionRow, rememberStatus } from "../db/bulk-actions";
import { findNotRefused, findRemembered, rememberAttributes } from "../db/bulk-changes";
import type { Tx } from "../db/client";
import { type LockedSubscriber, type SubscriberChange, updateSubscribers } from "../db/subscribers";
import { throttleKey } from "../domain/email";
import { type ActionResult, causeOf, restoreStatuses } from "./bulk-moves";
import { actorOf, type Ctx } from "./context";
import { setStatus } from "./set-status";
import { describeChange } from "./subscribers";

const idOf = ({ id }: { id: string }) => id;
const isNamed = ({ firstName, lastName }: LockedSubscriber) => firstName !== "" || lastName !== "";
const isLive = ({ status }: LockedSubscriber) => status !== "unsubscribed";

type Merge = { kept: LockedSubscriber; others: LockedSubscriber[]; change: SubscriberChange };

/** What the kept one lacks and others have: tags, values of fields, a name; of two values the first one's. */
function gapsOf(kept: LockedSubscriber, others: LockedSubscriber[]): SubscriberChange {
  const tags = [...new Set([kept, ...others].flatMap((person) => person.tags ?? []))];
  const fields = Object.assign({}, ...[kept, ...others].toReversed().map((person) => person.fields ?? {}));
  const named = isNamed(kept) ? undefined : others.find(isNamed);
  const grown = Object.keys(fields).length > Object.keys(kept.fields ?? {}).length;
  return {
    ...(tags.length > (kept.tags ?? []).length && { tags }),
    ...(grown && { fields }),
    ...(named && { firstName: named.firstName, lastName: named.lastName }),
  };
}

/** Why a group is skipped; null merges it. */
function reasonToSkip({ kept, others, change }: Merge): SkipReason | null {
  const key = throttleKey(kept.emailCanonical);
  if (others.some(({ emailCanonical }) => throttleKey(emailCanonical) !== key)) return "changed_meanwhile";
  if (!others.some(isLive) && Object.keys(change).length === 0) return "already";
  return (change.tags ?? []).length > maxTags ? "too_many_tags" : null;
}

/** The groups of an action that are as they were seen, and how many people are skipped. */
function sortGroups(
  { change }: BulkActionRow,
  people: LockedSubscriber[],
): { merges: Merge[]; skipped: SkippedCounts } {
  const byId = new Map(people.map((person) => [person.id, person]));
  const merges: Merge[] = [];
  const skipped: SkippedCounts = {};
  for (const { keep, others } of change?.groups ?? []) {
    const there = [keep, ...others].flatMap(({ id }) => byId.get(id) ?? []);
    const isAsSeen = [keep, ...others].every(({ id, version }) => byId.get(id)?.version === version);
    const [kept, ...rest] = there as [LockedSubscriber, ...LockedSubscriber[]];
    const merge = isAsSeen ? { kept, others: rest, change: gapsOf(kept, rest) } : null;
    const reason = merge ? reasonToSkip(merge) : "changed_meanwhile";
    if (merge && reason === null) merges.push(merge);
    else if (reason) skipped[reason] = (skipped[reason] ?? 0) + there.length;
  }
  return { merges, skipped };
}

/** Writes what the kept one has from now on, and that they were merged, also where nothing of theirs changes. */
async function writeKept(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  { kept, change, kind }: { kept: LockedSubscriber; change: SubscriberChange; kind: string },
): Promise<void> {
  const { newsletterId, id } = kept;
  const detail = await describeChange(tx, kept, { next: { ...kept, ...change }, change });
  if (Object.keys(change).length > 0) await updateSubscribers(tx, newsletterId, [id], change);
  const by = { actor: actorOf(ctx), cause: causeOf(action) };
  await insertActivities(tx, { newsletterId, ids: [id], kind, detail, ...by });
}

/**
 * Merges locked people. Nobody is deleted, and nobody's status becomes another but unsubscribed: the kept one of each group gets
 * what they lack and keeps their status, the others become unsubscribed. A group in which anybody has changed since it was seen is
 * skipped, so that of two who merge at once one does.
 */
export async function mergeMany(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  const { merges, skipped } = sortGroups(action, people);
  const others = merges.flatMap((merge) => merge.others);
  const leaving = others.filter(isLive);
  await rememberStatus(tx, action, leaving.map(idOf));
  await rememberAttributes(tx, action.id, [
    ...merges.map(({ kept, change }) => ({
      ...kept,
      stays: Object.keys(change).length === 0,
      named: change.firstName !== undefined,
    })),
    ...others.filter((person) => !isLive(person)).map((person) => ({ ...person, stays: true })),
  ]);
  const by = { actor: ctx.actor, cause: causeOf(action) };
  await setStatus(tx, { subscribers: leaving, to: "unsubscribed", ...by });
  for (const { kept, change } of merges) await writeKept(ctx, tx, action, { kept, change, kind: "changed" });
  return { done: [...merges.map(({ kept }) => kept.id), ...others.map(idOf)], skipped };
}

/**
 * Gives people who have not changed since the merge what they had before. Where the kept one has said no since, that counts for
 * all of their addresses: the others stay unsubscribed.
 * @returns who is as before
 */
export async function restoreMerged(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<string[]> {
  const groups = action.change?.groups ?? [];
  const remembered = await findRemembered(tx, action.id, people.map(idOf));
  const unchanged = people.filter(({ id, version }) => remembered.get(id)?.version === version);
  const keptIds = new Set(groups.map(({ keep }) => keep.id));
  const notRefused = await findNotRefused(tx, action.id, [...keptIds]);
  const mayReturn = new Set(idsOfGroups(groups.filter(({ keep }) => notRefused.has(keep.id))));
  const moved = ({ id, status }: LockedSubscriber) => remembered.get(id)?.was !== status;
  const returning = unchanged.filter((person) => moved(person) && mayReturn.has(person.id));
  const restored = await restoreStatuses(ctx, tx, action, returning);
  const unmoved = unchanged.filter((person) => !moved(person));
  for (const kept of unmoved.filter(({ id }) => keptIds.has(id))) {
    const before = remembered.get(kept.id);
    const wasWritten = groups.some(({ keep }) => keep.id === kept.id && keep.version < kept.version);
    const change: SubscriberChange =
      before && wasWritten
        ? {
            fields: before.fields,
            tags: before.tags.length > 0 ? before.tags : null,
            ...(before.named && { firstName: "", lastName: "" }),
          }
        : {};
    await writeKept(ctx, tx, action, { kept, change, kind: "put_back" });
  }
  return [...restored, ...unmoved.map(idOf)];
}
