import { z } from "zod";
import { checkRecentSignIn } from "../staff/sign-in/recent-sign-in";
import { newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import * as bulk from "./bulk-actions";
import { isErasing, plainBulkKinds } from "./schema/bulk-actions";
import { BulkChange } from "./schema/bulk-changes";
import { BulkTargetInput, targetIn } from "./target";

const OfBulkAction = z.object({ id: z.uuid() });
/** Bulk actions on people: they run in the background, whether or not the page is open. */
export const bulkActionsRouter = router({
  current: newsletterProcedure.query(({ ctx }) => bulk.listBulkActions(ctx.acting, ctx.newsletter.id)),

  start: newsletterEditorProcedure
    .input(z.object({ kind: z.enum(plainBulkKinds), target: BulkTargetInput }))
    .mutation(async ({ ctx: { acting, newsletter, staff }, input }) => {
      const { kind } = input;
      if (isErasing(kind)) checkRecentSignIn(staff);
      const target = await targetIn(acting, newsletter.id, input.target);
      return bulk.startBulkAction(acting, newsletter, { kind, target });
    }),

  change: newsletterEditorProcedure
    .input(z.object({ change: BulkChange, target: BulkTargetInput }))
    .mutation(async ({ ctx: { acting, newsletter }, input: { change, target } }) =>
      bulk.startBulkChange(acting, newsletter, {
        change,
        target: await targetIn(acting, newsletter.id, target),
      }),
    ),

  cancel: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.cancelBulkAction(ctx.acting, ctx.newsletter.id, input.id)),

  undo: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.undoBulkAction(ctx.acting, ctx.newsletter, input.id)),

  dismiss: newsletterEditorProcedure
    .meta({ onArchived: true })
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.dismissBulkAction(ctx.acting, ctx.newsletter.id, input.id)),
});
