import { z } from "zod";
import { maxChosen, peopleActs } from "../contract/people-runs";
import * as runs from "../services/people-runs";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";
import { Filter, filterOf } from "./people-filter";

const OfRun = z.object({ runId: z.uuid() });
const Whom = z.union([
  z.object({ filter: Filter }),
  z.object({ ids: z.array(z.uuid()).min(1).max(maxChosen) }),
]);

/** Things done to many people at once, which go on whether or not anybody looks. */
export const runsRouter = router({
  current: newsletterProcedure.query(({ ctx }) => runs.current(ctx.acting, ctx.newsletter.id)),

  start: newsletterEditorProcedure
    .input(z.object({ act: z.enum(peopleActs), whom: Whom }))
    .mutation(async ({ ctx, input: { act, whom } }) => {
      const meant =
        "ids" in whom
          ? { ids: [...new Set(whom.ids)] }
          : { filter: filterOf(ctx.newsletter.id, whom.filter) };
      const run = await runs.start(ctx.acting, ctx.newsletter, act, meant);
      ctx.house.peopleRuns?.wake();
      return run;
    }),

  cancel: newsletterEditorProcedure
    .input(OfRun)
    .mutation(({ ctx, input }) => runs.cancel(ctx.acting, ctx.newsletter.id, input.runId)),

  undo: newsletterEditorProcedure.input(OfRun).mutation(async ({ ctx, input }) => {
    const run = await runs.undo(ctx.acting, ctx.newsletter, input.runId);
    ctx.house.peopleRuns?.wake();
    return run;
  }),

  dismiss: newsletterEditorProcedure
    .input(OfRun)
    .mutation(({ ctx, input }) => runs.dismiss(ctx.acting, ctx.newsletter.id, input.runId)),
});
