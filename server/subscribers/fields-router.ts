import { z } from "zod";
import { newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import * as fields from "./fields";
import { FieldPatch, maxFields, NewField } from "./schema/fields";
import { listTags } from "./tags";

const OfField = z.object({ key: z.string().max(64) });

/** The newsletter's custom fields. */
export const fieldsRouter = router({
  list: newsletterProcedure.query(({ ctx }) => fields.listFields(ctx.acting, ctx.newsletter.id)),

  people: newsletterProcedure
    .input(OfField)
    .query(({ ctx, input }) => fields.countPeopleWithField(ctx.acting, ctx.newsletter.id, input.key)),

  create: newsletterEditorProcedure
    .input(z.object({ field: NewField }))
    .mutation(({ ctx, input }) => fields.createField(ctx.acting, ctx.newsletter, input.field)),

  change: newsletterEditorProcedure
    .input(OfField.extend({ patch: FieldPatch }))
    .mutation(({ ctx, input }) => fields.updateField(ctx.acting, ctx.newsletter, input)),

  order: newsletterEditorProcedure
    .input(z.object({ keys: z.array(z.string().max(64)).max(maxFields) }))
    .mutation(({ ctx, input }) => fields.orderFields(ctx.acting, ctx.newsletter, input.keys)),

  delete: newsletterEditorProcedure
    .input(OfField)
    .mutation(({ ctx, input }) => fields.deleteField(ctx.acting, ctx.newsletter, input.key)),
});

/** The newsletter's tags. */
export const tagsProcedure = newsletterProcedure.query(({ ctx }) => listTags(ctx.acting, ctx.newsletter.id));
