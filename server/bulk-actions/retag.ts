import { lockNewsletter } from "../accounts/shared-queries";
import { invalidField, noLongerExists } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import type { TagPatch, TagRecord } from "../subscribers/schema/fields";
import { peopleWith } from "../subscribers/shared-queries";
import { countTag, getTag, type OfTag, renameTag, retire } from "../subscribers/tag-changes";
import { startBulkAction } from "./bulk-actions";
import { isTagInUse } from "./queries/bulk-actions";

/** `action` changes the people of a merged or deleted tag; null: the tag was only renamed. */
type ChangedTag = { tag: TagRecord; action: Awaited<ReturnType<typeof startBulkAction>> | null };

/**
 * Deletes a tag or merges it into another one. Readers see the result at once. A bulk action changes the people.
 * @param input into: the name of the other tag; null: the tag is deleted
 */
async function startRetag(ctx: Ctx, { into, ...of }: OfTag & { into: string | null }) {
  const { newsletterId } = of;
  const read = (db: Ctx["db"] | Tx) =>
    Promise.all([getTag(db, of), into === null ? null : getTag(db, { ...of, name: into })]);
  const [{ number }] = await read(ctx.db);
  const prepare = async (tx: Tx) => {
    await lockNewsletter(tx, newsletterId);
    const [tag, target] = await read(tx);
    if (tag.number !== number || target?.number === number) throw noLongerExists("tag");
    const numbers = [number, ...(target ? [target.number] : [])];
    for (const one of numbers)
      if (await isTagInUse(tx, newsletterId, one))
        throw invalidField(
          "name",
          "A bulk action that uses this tag is still running. Wait until it ends, or stop it. Nothing was changed.",
        );
    return { tags: numbers, retired: await retire(ctx, tx, { ...of, tag, into: target }) };
  };
  const filter = peopleWith(newsletterId, { about: "tag", is: [number] });
  return startBulkAction(ctx, { newsletterId, kind: "retag", target: { filter }, prepare });
}

/**
 * Renames a tag. If another tag has the new name, merges the tag into it.
 * @param input merge: false: a name that another tag has is rejected
 * @returns the tag that remains
 * @throws AppError not_found; validation_error on `name` for a taken name, or while a bulk action uses a merged tag
 */
export async function updateTag(
  ctx: Ctx,
  { patch, merge, ...of }: OfTag & { patch: TagPatch; merge: boolean },
): Promise<ChangedTag> {
  const { name: newName } = patch;
  const isRenamed = await renameTag(ctx, { ...of, newName });
  if (!isRenamed && !merge) throw invalidField("name", "A tag with this name already exists.");
  const action = isRenamed ? null : await startRetag(ctx, { ...of, into: newName });
  return { tag: await countTag(ctx, { ...of, name: newName }), action };
}

/**
 * Deletes a tag. A bulk action removes it from people.
 * @returns the tag before
 * @throws AppError not_found; validation_error on `name` while a segment or a bulk action uses the tag
 */
export async function deleteTag(ctx: Ctx, of: OfTag): Promise<ChangedTag> {
  const tag = await countTag(ctx, of);
  return { tag, action: await startRetag(ctx, { ...of, into: null }) };
}
