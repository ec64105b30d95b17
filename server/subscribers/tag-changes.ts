import { record } from "../accounts/audit";
import { type ActorContext, type OfNewsletter, withTransaction } from "../accounts/context";
import { lockNewsletter } from "../accounts/shared-queries";
import { AppError, invalidField } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "./context";
import { canonicalTag } from "./field-values";
import { countPeople } from "./queries/people-counts";
import { peopleWith } from "./queries/people-filter";
import { listSegmentRows, segmentsWith, writeSegment } from "./queries/segments";
import {
  countTags,
  findTagByNumber,
  findTags,
  numbersOfTags,
  renameTagRow,
  restoreTag,
  retireTag,
  type TagRow,
} from "./queries/tags";
import type { TagRecord } from "./schema/fields";
import type { Condition, Filter } from "./schema/filter";
import { checkSegmentsWithout } from "./segments";
import { formatTime } from "./subscribers";

/** The newsletter's tags with the number of subscribers who have each, by name. */
export async function listTags(
  { db }: Pick<Ctx, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<TagRecord[]> {
  const rows = await countTags(db, newsletterId);
  return rows.map(({ name, people: subscribers, merging, createdAt }) => ({
    name,
    subscribers,
    merging,
    created_at: formatTime(createdAt),
  }));
}

export type OfTag = OfNewsletter & { name: string };

/** A tag by its name in any case. @throws AppError not_found */
export async function getTag(
  db: Ctx["db"] | Tx,
  { newsletterId, name }: Omit<OfTag, "accountId">,
): Promise<TagRow> {
  const [row] = await findTags(db, newsletterId, [canonicalTag(name)]);
  if (!row) throw new AppError("not_found", `This newsletter has no tag with the name ${name.slice(0, 64)}.`);
  return row;
}

/** One tag with its counts. @throws AppError not_found */
export async function countTag({ db }: Pick<Ctx, "db">, of: Omit<OfTag, "accountId">): Promise<TagRecord> {
  const { canonical, name, createdAt } = await getTag(db, of);
  const { newsletterId } = of;
  const numbers = (await numbersOfTags(db, newsletterId, [canonical])).get(canonical) ?? [];
  const count = (is: number[]) =>
    is.length === 0 ? 0 : countPeople(db, peopleWith(newsletterId, { about: "tag", is }));
  const [subscribers, merging] = await Promise.all([count(numbers), count(numbers.slice(1))]);
  return { name, subscribers, merging, created_at: formatTime(createdAt) };
}

const isAbout = (condition: Condition, canonical: string) =>
  condition.about === "tag" && condition.is.some((name) => canonicalTag(name) === canonical);

/** A segment before its filter was changed. `version` is the one after. */
export type ChangedSegment = { id: string; version: number; filter: Filter };

/** Replaces the name of a tag in the filters of segments. */
async function renameInSegments(
  tx: Tx,
  newsletterId: string,
  { from, to }: { from: string; to: string },
): Promise<ChangedSegment[]> {
  const renamed = (one: Condition): Condition => {
    if (one.about !== "tag") return one;
    const names = one.is.map((name) => (canonicalTag(name) === from ? to : name));
    return { ...one, is: [...new Map(names.map((name) => [canonicalTag(name), name])).values()] };
  };
  const changed = segmentsWith(await listSegmentRows(tx, newsletterId), (one) => isAbout(one, from));
  for (const segment of changed) {
    const { match, conditions, not } = segment.filter;
    const filter = { match, conditions: conditions.map(renamed), not: not.map(renamed) };
    await writeSegment(tx, segment, { filter });
  }
  return changed.map(({ id, version, filter }) => ({ id, version: version + 1, filter }));
}

/**
 * Gives a tag a free name, or another spelling of its own. Segments follow.
 * @returns false when another tag has the name; then nothing changed
 * @throws AppError not_found
 */
export function renameTag(
  ctx: ActorContext,
  { newName, ...of }: OfTag & { newName: string },
): Promise<boolean> {
  const { newsletterId, accountId } = of;
  return withTransaction(ctx, async (tx) => {
    await lockNewsletter(tx, newsletterId);
    const row = await getTag(tx, of);
    const canonical = canonicalTag(newName);
    const [other] = await findTags(tx, newsletterId, [canonical]);
    if (other && other.number !== row.number) return false;
    if (newName === row.name) return true;
    await renameTagRow(tx, row, { name: newName, canonical });
    await renameInSegments(tx, newsletterId, { from: row.canonical, to: newName });
    const detail = { from: row.name, to: newName };
    await record(ctx, tx, { accountId, newsletterId, action: "tag.changed", detail });
    return true;
  });
}

/** The input of `restoreRetired`. */
export type Retired = { merged: number[]; segments: ChangedSegment[] };

/**
 * Deletes a tag, or merges it into another one, for readers. People keep its number until a bulk action changes them.
 * @param tag.into null: no other tag replaces it
 * @throws AppError validation_error when a segment uses a tag without replacement
 */
export async function retire(
  ctx: ActorContext,
  tx: Tx,
  { newsletterId, accountId, tag, into }: OfNewsletter & { tag: TagRow; into: TagRow | null },
): Promise<Retired> {
  const { canonical, name } = tag;
  if (!into) {
    const is = (one: Condition) => isAbout(one, canonical);
    await checkSegmentsWithout(tx, newsletterId, { noun: "tag", at: "name", is });
  }
  const merged = await retireTag(tx, tag, into?.number ?? null);
  const segments = into ? await renameInSegments(tx, newsletterId, { from: canonical, to: into.name }) : [];
  const entry = into
    ? ({ action: "tag.merged", detail: { from: name, to: into.name } } as const)
    : ({ action: "tag.deleted", detail: { name } } as const);
  await record(ctx, tx, { accountId, newsletterId, ...entry });
  return { merged, segments };
}

/**
 * Reverts `retire`. Segments that changed since stay as they are.
 * @throws AppError validation_error when another tag has the name; not_found when the tag was cleaned up
 */
export async function restoreRetired(
  tx: Tx,
  { newsletterId, number, merged, segments }: Retired & { newsletterId: string; number: number },
): Promise<void> {
  await lockNewsletter(tx, newsletterId);
  const row = await findTagByNumber(tx, { newsletterId, number });
  if (!row) throw new AppError("not_found", "This tag was deleted for good.");
  const [other] = await findTags(tx, newsletterId, [row.canonical]);
  if (other)
    throw invalidField(
      "action",
      `Another tag has the name ${row.name} by now. Rename or delete that tag first. Nothing was changed.`,
    );
  await restoreTag(tx, row, merged);
  for (const { filter, ...segment } of segments)
    await writeSegment(tx, { newsletterId, ...segment }, { filter });
}
