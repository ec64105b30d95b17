import { z } from "zod";
import { bulkActionKinds, maxChosen } from "../contract/bulk-actions";
import { PeopleFilterInput } from "../contract/people-filter";
import * as bulk from "../services/bulk-actions";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";

const OfBulkAction = z.object({ id: z.uuid() });
const BulkTarget = z.union([
  z.object({ filter: PeopleFilterInput }),
  z.object({ ids: z.array(z.uuid()).min(1).max(maxChosen) }),
]);

/** Bulk actions on people: they run in the background, whether or not the page is open. */
export const bulkActionsRouter = router({
  current: newsletterProcedure.query(({ ctx }) => bulk.listBulkActions(ctx.acting, ctx.newsletter.id)),

  start: newsletterEditorProcedure
    .input(z.object({ kind: z.enum(bulkActionKinds), target: BulkTarget }))
    .mutation(({ ctx: { acting, newsletter }, input: { kind, target } }) => {
      const resolved =
        "ids" in target
          ? { ids: [...new Set(target.ids)] }
          : { filter: { newsletterId: newsletter.id, ...target.filter } };
      return bulk.startBulkAction(acting, newsletter, { kind, target: resolved });
    }),

  cancel: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.cancelBulkAction(ctx.acting, ctx.newsletter.id, input.id)),

  undo: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.undoBulkAction(ctx.acting, ctx.newsletter, input.id)),

  dismiss: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.dismissBulkAction(ctx.acting, ctx.newsletter.id, input.id)),
});
