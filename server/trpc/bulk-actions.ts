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

/** Things done to many people at once, which go on whether or not anybody looks. */
export const bulkActionsRouter = router({
  current: newsletterProcedure.query(({ ctx }) => bulk.listBulkActions(ctx.acting, ctx.newsletter.id)),

  start: newsletterEditorProcedure
    .input(z.object({ kind: z.enum(bulkActionKinds), target: BulkTarget }))
    .mutation(async ({ ctx, input: { kind, target } }) => {
      const meant =
        "ids" in target
          ? { ids: [...new Set(target.ids)] }
          : { filter: { newsletterId: ctx.newsletter.id, ...target.filter } };
      return bulk.startBulkAction(ctx.acting, ctx.newsletter, { kind, target: meant });
    }),

  cancel: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.cancelBulkAction(ctx.acting, ctx.newsletter.id, input.id)),

  undo: newsletterEditorProcedure.input(OfBulkAction).mutation(async ({ ctx, input }) => {
    const action = await bulk.undoBulkAction(ctx.acting, ctx.newsletter, input.id);
    return action;
  }),

  dismiss: newsletterEditorProcedure
    .input(OfBulkAction)
    .mutation(({ ctx, input }) => bulk.dismissBulkAction(ctx.acting, ctx.newsletter.id, input.id)),
});
