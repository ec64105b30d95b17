import { actorOf } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import { applyAttributes, describeAttributes, resolveOwnAttributes } from "../subscribers/attributes";
import { sortSubscribers } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { maxTags } from "../subscribers/schema/fields";
import {
  findTags,
  insertActivities,
  type LockedSubscriber,
  type SubscriberRow,
  updateSubscribers,
} from "../subscribers/shared-queries";
import { resolveTagIds } from "../subscribers/tags";
import type { BulkActionRow } from "./queries/bulk-actions";
import { findUnchanged, type StoredChange, storeUndoData } from "./queries/bulk-changes";
import type { BulkChange } from "./schema/bulk-changes";
import type { ActionResult } from "./status-actions";

type Attributes = Pick<SubscriberRow, "fields" | "tags">;

/**
 * Resolves the names in a change to numbers. New tags are added before any person is locked.
 * @throws AppError validation_error on `fields.KEY` or `tags`
 */
export async function resolveChange(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  change: BulkChange,
): Promise<StoredChange> {
  if (change.kind === "set_field") {
    return resolveOwnAttributes(ctx, newsletterId, { fields: { [change.key]: change.value } });
  }
  if (change.kind === "tag")
    return { tags: [...(await resolveTagIds(ctx, newsletterId, change.tags)).values()] };
  const canonicals = change.tags.map(({ canonical }) => canonical);
  return { tags: (await findTags(ctx.db, newsletterId, canonicals)).map(({ number }) => number) };
}

/** The new values of the columns that an action changes. */
function changed({ kind, change }: BulkActionRow, person: Attributes): Partial<Attributes> {
  const { tags = [], fields = {} } = change ?? {};
  const had = person.tags ?? [];
  if (kind === "set_field") return applyAttributes(person, { fields });
  if (kind === "untag") return applyAttributes(person, { tags: had.filter((tag) => !tags.includes(tag)) });
  return applyAttributes(person, { tags: [...had, ...tags.filter((tag) => !had.includes(tag))] });
}

/** The columns that an action changes, as comparable text. */
const textOf = ({ kind }: BulkActionRow, { fields, tags }: Partial<Attributes>) =>
  JSON.stringify(kind === "set_field" ? Object.entries(fields ?? {}).sort() : (tags ?? []));

/** Writes new values. People with the same change share a statement. @param after the new values of a person */
async function write(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  {
    people,
    after,
    kind,
  }: { people: LockedSubscriber[]; after(person: LockedSubscriber): Partial<Attributes>; kind: string },
): Promise<void> {
  const { newsletterId, id } = action;
  const groups = new Map<string, LockedSubscriber[]>();
  for (const person of people) {
    const key = `${textOf(action, person)} ${textOf(action, after(person))}`;
    groups.set(key, [...(groups.get(key) ?? []), person]);
  }
  for (const group of groups.values()) {
    const before = group[0] as LockedSubscriber;
    const next = after(before);
    const ids = group.map((person) => person.id);
    const detail = await describeAttributes(tx, newsletterId, { before, after: next });
    await updateSubscribers(tx, newsletterId, ids, next);
    const cause = { kind: "bulk_action", id } as const;
    await insertActivities(tx, { newsletterId, ids, kind, actor: actorOf(ctx), detail, cause });
  }
}

/** Changes tags or a field of locked people and stores the data for the undo. */
export async function changeTagsAndFields(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  const { chosen, skipped } = sortSubscribers(people, (person) => {
    const after = changed(action, person);
    if (textOf(action, after) === textOf(action, person)) return "already";
    return (after.tags ?? []).length > maxTags ? "too_many_tags" : null;
  });
  await storeUndoData(tx, action.id, chosen);
  await write(ctx, tx, action, {
    people: chosen,
    after: (person) => changed(action, person),
    kind: "changed",
  });
  return { done: chosen.map(({ id }) => id), skipped };
}

/** Restores the values of people who have not changed since the action. @returns their ids */
export async function restoreAttributes(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<string[]> {
  const before = await findUnchanged(tx, action.id, people);
  const unchanged = people.filter(({ id }) => before.has(id));
  const after = ({ id }: LockedSubscriber): Partial<Attributes> => {
    const { fields = null, tags = [] } = before.get(id) ?? {};
    return action.kind === "set_field" ? { fields } : { tags: tags.length > 0 ? tags : null };
  };
  await write(ctx, tx, action, { people: unchanged, after, kind: "put_back" });
  return unchanged.map(({ id }) => id);
}
