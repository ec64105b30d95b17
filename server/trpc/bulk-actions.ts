import { z } from "zod";
import { bulkActionKinds, maxChosen } from "../contract/bulk-actions";
import * as runs from "../services/bulk-actions";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";
import { Filter, filterOf } from "./people-filter";

const OfRun = z.object({ runId: z.uuid() });
const BulkTarget = z.union([
  z.object({ filter: Filter }),
  z.object({ ids: z.array(z.uuid()).min(1).max(maxChosen) }),
]);

/** Things done to many people at once, which go on whether or not anybody looks. */
export const bulkActionsRouter = router({
  current: newsletterProcedure.query(({ ctx }) => runs.current(ctx.acting, ctx.newsletter.id)),

  start: newsletterEditorProcedure
    .input(z.object({ act: z.enum(bulkActionKinds), target: BulkTarget }))
    .mutation(async ({ ctx, input: { act, target } }) => {
      const meant =
        "ids" in target
          ? { ids: [...new Set(target.ids)] }
          : { filter: filterOf(ctx.newsletter.id, target.filter) };
      return runs.start(ctx.acting, ctx.newsletter, act, meant);
    }),

  cancel: newsletterEditorProcedure
    .input(OfRun)
    .mutation(({ ctx, input }) => runs.cancel(ctx.acting, ctx.newsletter.id, input.runId)),

  undo: newsletterEditorProcedure.input(OfRun).mutation(async ({ ctx, input }) => {
    const run = await runs.undo(ctx.acting, ctx.newsletter, input.runId);
    return run;
  }),

  dismiss: newsletterEditorProcedure
    .input(OfRun)
    .mutation(({ ctx, input }) => runs.dismiss(ctx.acting, ctx.newsletter.id, input.runId)),
});
