import { z } from "zod";
import { checkRecentSignIn } from "../staff/sign-in/recent-sign-in";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import * as bulk from "./bulk-actions";
import { isErasing, plainBulkKinds } from "./schema/bulk-actions";
import { BulkChange } from "./schema/bulk-changes";
import { BulkTargetInput, targetIn } from "./target";

const OfBulkAction = z.object({ id: z.uuid() });
/** Bulk actions on people: they run in the background, whether or not the page is open. */
export const bulkActionsRouter = router({
  current: newsletterProcedure.query(calls(bulk.listBulkActions)),

  start: newsletterEditorProcedure
    .input(z.object({ kind: z.enum(plainBulkKinds), target: BulkTargetInput }))
    .mutation(async ({ ctx: { acting, staff }, input }) => {
      if (isErasing(input.kind)) checkRecentSignIn(staff);
      return bulk.startBulkAction(acting, { ...input, target: await targetIn(acting, input) });
    }),

  change: newsletterEditorProcedure
    .input(z.object({ change: BulkChange, target: BulkTargetInput }))
    .mutation(async ({ ctx: { acting }, input }) =>
      bulk.startBulkChange(acting, { ...input, target: await targetIn(acting, input) }),
    ),

  cancel: newsletterEditorProcedure.input(OfBulkAction).mutation(calls(bulk.cancelBulkAction)),

  undo: newsletterEditorProcedure.input(OfBulkAction).mutation(calls(bulk.undoBulkAction)),

  dismiss: newsletterEditorProcedure
    .meta({ onArchived: true })
    .input(OfBulkAction)
    .mutation(calls(bulk.dismissBulkAction)),
});
