import { actorOf } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import { applyAttributes, describeAttributes, resolveOwnAttributes } from "../subscribers/attributes";
import { sortSubscribers } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { maxTags } from "../subscribers/schema/fields";
import {
  insertActivities,
  type LockedSubscriber,
  numbersOfTags,
  type SubscriberRow,
  updateSubscribers,
} from "../subscribers/shared-queries";
import { resolveTagIds } from "../subscribers/tags";
import type { BulkActionRow } from "./queries/bulk-actions";
import { findUnchanged, type StoredChange, storeUndoData } from "./queries/bulk-changes";
import type { BulkChange } from "./schema/bulk-changes";
import type { PeopleKind } from "./status-actions";

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
  return { tags: [...(await numbersOfTags(ctx.db, newsletterId, canonicals)).values()].flat() };
}

type Column = keyof Attributes;

const textOf = (column: Column, { fields, tags }: Partial<Attributes>) =>
  JSON.stringify(column === "fields" ? Object.entries(fields ?? {}).sort() : (tags ?? []));

type Writing = {
  column: Column;
  people: LockedSubscriber[];
  after(person: LockedSubscriber): Partial<Attributes>;
  kind: "changed" | "put_back";
};

async function write(
  ctx: Ctx,
  tx: Tx,
  { newsletterId, id }: BulkActionRow,
  { column, people, after, kind }: Writing,
): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map((person) => person.id);
  const changes = people.map((before) => ({ before, after: after(before) }));
  const details = await describeAttributes(tx, newsletterId, changes);
  const each =
    column === "fields"
      ? { fields: changes.map((change) => change.after.fields ?? null) }
      : { tags: changes.map((change) => change.after.tags ?? null) };
  await updateSubscribers(tx, newsletterId, ids, { each });
  const cause = { kind: "bulk_action", id } as const;
  await insertActivities(tx, { newsletterId, ids, kind, actor: actorOf(ctx), details, cause });
}

/** A kind of bulk action that changes a column. @param changed the new values of a person */
function onColumn(
  column: Column,
  changed: (person: Attributes, change: StoredChange) => Partial<Attributes>,
): PeopleKind {
  return {
    async perform(ctx, tx, action, people) {
      const after = (person: Attributes) => changed(person, action.change ?? {});
      const { chosen, skipped } = sortSubscribers(people, (person) => {
        const next = after(person);
        if (textOf(column, next) === textOf(column, person)) return "already";
        return (next.tags ?? []).length > maxTags ? "too_many_tags" : null;
      });
      await storeUndoData(tx, action.id, chosen);
      await write(ctx, tx, action, { column, people: chosen, after, kind: "changed" });
      return { done: chosen.map(({ id }) => id), skipped };
    },
    async undo(ctx, tx, action, people) {
      const before = await findUnchanged(tx, action.id, people);
      const unchanged = people.filter(({ id }) => before.has(id));
      const after = ({ id }: LockedSubscriber): Partial<Attributes> => {
        const { fields = null, tags = [] } = before.get(id) ?? {};
        return column === "fields" ? { fields } : { tags: tags.length > 0 ? tags : null };
      };
      await write(ctx, tx, action, { column, people: unchanged, after, kind: "put_back" });
      return unchanged.map(({ id }) => id);
    },
  };
}

/** A kind that changes tags. @param change the new tags, from those of a person and those of the action */
export const onTags = (change: (had: number[], given: number[]) => number[]): PeopleKind =>
  onColumn("tags", (person, { tags = [] }) =>
    applyAttributes(person, { tags: change(person.tags ?? [], tags) }),
  );

/** The kind that sets or removes the value of a field. */
export const setField = onColumn("fields", (person, { fields = {} }) => applyAttributes(person, { fields }));
