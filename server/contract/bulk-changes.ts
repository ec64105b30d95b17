import { z } from "zod";
import { doneAtOnce } from "./bulk-actions";
import { TagsField } from "./fields";

const SomeTags = TagsField.refine((tags) => tags.length > 0, "Name a tag at least.");

/** What a bulk action changes about tags, or about one field; a value of null removes it. */
export const BulkChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("tag"), tags: SomeTags }),
  z.object({ kind: z.literal("untag"), tags: SomeTags }),
  z.object({
    kind: z.literal("set_field"),
    key: z.string().min(1, "Choose a field.").max(64),
    value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  }),
]);
export type BulkChange = z.output<typeof BulkChange>;

/** A person as who chose them has seen them: with another version by now they have changed since. */
const SeenPerson = z.object({ id: z.uuid(), version: z.int32().min(1) });

/** People who are one person by their addresses: one is kept, the others become unsubscribed. */
const MergeGroup = z.object({
  keep: SeenPerson,
  others: z.array(SeenPerson).min(1, "A group has two people at least.").max(doneAtOnce),
});
export type MergeGroup = z.output<typeof MergeGroup>;

export const idsOfGroups = (groups: MergeGroup[]) =>
  groups.flatMap(({ keep, others }) => [keep, ...others].map(({ id }) => id));

/** So few that they are merged at once: all or nothing. */
export const MergeGroups = z
  .array(MergeGroup)
  .min(1, "Choose a group at least.")
  .max(doneAtOnce)
  .refine((groups) => idsOfGroups(groups).length <= doneAtOnce, {
    error: `At most ${doneAtOnce} people are merged at once. Choose fewer groups.`,
    abort: true,
  })
  .refine((groups) => {
    const ids = idsOfGroups(groups);
    return new Set(ids).size === ids.length;
  }, "Somebody is in two groups, or twice in one. Choose them once.");
