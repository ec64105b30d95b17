import { z } from "zod";
import { deleteTag, updateTag } from "../bulk-actions/retag";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import * as fields from "./fields";
import { FieldPatch, maxFields, NewField, TagPatch } from "./schema/fields";
import { listTags } from "./tag-changes";
import { listTagNames } from "./tags";

const OfField = z.object({ key: z.string().max(64) });

export const fieldsRouter = router({
  list: newsletterProcedure.query(calls(fields.listFields)),

  people: newsletterProcedure.input(OfField).query(calls(fields.countPeopleWithField)),

  create: newsletterEditorProcedure.input(z.object({ field: NewField })).mutation(calls(fields.createField)),

  change: newsletterEditorProcedure
    .input(OfField.extend({ patch: FieldPatch }))
    .mutation(calls(fields.updateField)),

  order: newsletterEditorProcedure
    .input(z.object({ keys: z.array(z.string().max(64)).max(maxFields) }))
    .mutation(calls(fields.orderFields)),

  delete: newsletterEditorProcedure.input(OfField).mutation(calls(fields.deleteField)),
});

const OfTag = z.object({ name: z.string().max(1000) });

export const tagsRouter = router({
  names: newsletterProcedure.query(calls(listTagNames)),

  list: newsletterProcedure.query(calls(listTags)),

  change: newsletterEditorProcedure
    .input(OfTag.extend({ patch: TagPatch, merge: z.boolean() }))
    .mutation(({ ctx, input: { newsletterId, name, patch, merge } }) =>
      updateTag(ctx.acting, {
        newsletterId,
        accountId: ctx.staff.accountId,
        name,
        newName: patch.name,
        merge,
      }),
    ),

  delete: newsletterEditorProcedure.input(OfTag).mutation(calls(deleteTag)),
});
