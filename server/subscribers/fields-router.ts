import { z } from "zod";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import * as fields from "./fields";
import { FieldPatch, maxFields, NewField } from "./schema/fields";
import { listTags } from "./tags";

const OfField = z.object({ key: z.string().max(64) });

/** The newsletter's custom fields. */
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

/** The newsletter's tags. */
export const tagsProcedure = newsletterProcedure.query(calls(listTags));
