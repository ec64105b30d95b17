import { z } from "zod";
import { TagsField } from "../../subscribers/schema/fields";

const SomeTags = TagsField.refine((tags) => tags.length > 0, "Enter at least one tag.");

/** The change to tags or to one field; the value null removes the field's value. */
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
