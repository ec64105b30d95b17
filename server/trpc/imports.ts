import { z } from "zod";
import { Consent, PlanInput } from "../contract/imports";
import { plan } from "../services/import-plans";
import { undo, undoPlan } from "../services/import-undo";
import * as imports from "../services/imports";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";

const OfImport = z.object({ importId: z.string() });

export const importsRouter = router({
  plan: newsletterEditorProcedure
    .input(z.object({ plan: PlanInput, replaces: z.uuid().optional() }))
    .mutation(({ ctx, input }) => plan(ctx.acting, ctx.newsletter.id, input.plan, input.replaces)),

  commit: newsletterEditorProcedure
    .input(OfImport.extend({ digest: z.string(), consent: Consent }))
    .mutation(async ({ ctx, input: { importId, digest, consent } }) => {
      const { run, begun } = await imports.begin(ctx.acting, ctx.newsletter.id, importId, digest, consent);
      if (begun) ctx.app.imports.start(ctx.acting, { run, newsletter: ctx.newsletter });
      return run;
    }),

  get: newsletterProcedure
    .input(OfImport)
    .query(({ ctx, input }) => imports.get(ctx.acting, ctx.newsletter.id, input.importId)),

  progress: newsletterProcedure.input(OfImport).subscription(async function* ({ ctx, input, signal }) {
    const { closing } = ctx.app.imports;
    yield* imports.watch(ctx.acting, ctx.newsletter.id, input.importId, signal, closing);
  }),

  cancel: newsletterEditorProcedure
    .input(OfImport)
    .mutation(({ ctx, input }) => imports.cancel(ctx.acting, ctx.newsletter, input.importId)),

  undoPlan: newsletterProcedure
    .input(OfImport)
    .query(({ ctx, input }) => undoPlan(ctx.acting, ctx.newsletter.id, input.importId)),

  undo: newsletterEditorProcedure
    .input(OfImport)
    .mutation(({ ctx, input }) => undo(ctx.acting, ctx.newsletter, input.importId)),

  /** `cursor` is the number before which the page begins; `next` is the next page's, null on the last. */
  list: newsletterProcedure
    .input(z.object({ cursor: z.int().nullish() }))
    .query(({ ctx, input }) => imports.list(ctx.acting, ctx.newsletter.id, input.cursor ?? null)),

  rejected: newsletterEditorProcedure
    .input(OfImport)
    .query(({ ctx, input }) => imports.rejected(ctx.acting, ctx.newsletter.id, input.importId)),
});
