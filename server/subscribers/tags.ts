import { withTransaction } from "../accounts/context";
import { invalidField } from "../kernel/errors";
import type { Ctx } from "./context";
import { countTagRows, findTags, insertTags, listTagRows } from "./queries/tags";
import { maxTagsOfNewsletter, type Tag } from "./schema/fields";

export async function listTagNames(
  { db }: Pick<Ctx, "db">,
  { newsletterId }: { newsletterId: string },
): Promise<string[]> {
  return (await listTagRows(db, newsletterId)).map(({ name }) => name);
}

/**
 * Tag numbers by canonical name. Adds new tags to the newsletter. Without a transaction of the caller it uses its own, before
 * any subscriber is locked, because concurrent calls that add tags wait for each other.
 * @throws AppError validation_error on `tags` if the newsletter has too many
 */
export async function resolveTagIds(
  ctx: Pick<Ctx, "db" | "tx">,
  newsletterId: string,
  tags: Tag[],
): Promise<Map<string, number>> {
  // The first of two spellings in a request counts, and Map keeps the last.
  const wanted = new Map(tags.toReversed().map((tag) => [tag.canonical, tag]));
  const find = async () => {
    const rows = await findTags(ctx.tx ?? ctx.db, newsletterId, [...wanted.keys()]);
    return new Map(rows.map(({ canonical, number }) => [canonical, number]));
  };
  const known = await find();
  const missing = [...wanted.values()].filter(({ canonical }) => !known.has(canonical));
  if (missing.length === 0) return known;
  await withTransaction(ctx, async (tx) => {
    if ((await countTagRows(tx, newsletterId)) + missing.length > maxTagsOfNewsletter) {
      const message = `A newsletter has at most ${maxTagsOfNewsletter.toLocaleString("en")} tags. Use a field for values that differ from person to person.`;
      throw invalidField("tags", message);
    }
    await insertTags(tx, newsletterId, missing);
  });
  return find();
}
