import { z } from "zod";
import { newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import {
  beginImport,
  cancelImport,
  getActiveDespiteOptOut,
  getImport,
  listImports,
  listRejectedLines,
} from "./imports";
import { planUpload } from "./plan";
import { Consent, UploadHead, UploadPart } from "./schema/imports";
import { planImportUndo, undoImport } from "./undo";
import { beginUpload, storePart } from "./upload";

const OfImport = z.object({ importId: z.string().max(100) });

export const importsRouter = router({
  begin: newsletterEditorProcedure
    .input(z.object({ head: UploadHead, replaces: z.uuid().optional() }))
    .mutation(({ ctx, input }) => beginUpload(ctx.acting, ctx.newsletter.id, input)),

  upload: newsletterEditorProcedure
    .input(OfImport.extend(UploadPart.shape))
    .mutation(({ ctx, input }) => storePart(ctx.acting, ctx.newsletter.id, input)),

  plan: newsletterEditorProcedure
    .input(OfImport)
    .mutation(({ ctx, input }) => planUpload(ctx.acting, ctx.newsletter.id, input.importId)),

  commit: newsletterEditorProcedure
    .input(OfImport.extend({ digest: z.string().max(100), consent: Consent.nullable() }))
    .mutation(async ({ ctx, input }) => (await beginImport(ctx.acting, ctx.newsletter.id, input)).record),

  get: newsletterProcedure
    .input(OfImport)
    .query(({ ctx, input }) => getImport(ctx.acting, ctx.newsletter.id, input.importId)),

  cancel: newsletterEditorProcedure
    .input(OfImport)
    .mutation(({ ctx, input }) => cancelImport(ctx.acting, ctx.newsletter, input.importId)),

  undoPlan: newsletterProcedure
    .input(OfImport)
    .query(({ ctx, input }) => planImportUndo(ctx.acting, ctx.newsletter.id, input.importId)),

  undo: newsletterEditorProcedure
    .input(OfImport.extend({ removeOptOuts: z.boolean().default(false) }))
    .mutation(({ ctx, input }) => undoImport(ctx.acting, ctx.newsletter.id, input)),

  /** `cursor` is an import number: the page starts below it. `next` is null on the last page. */
  list: newsletterProcedure
    .input(z.object({ cursor: z.int32().min(0).nullish() }))
    .query(({ ctx, input }) => listImports(ctx.acting, ctx.newsletter.id, input.cursor ?? null)),

  activeDespiteOptOut: newsletterProcedure
    .input(OfImport)
    .query(({ ctx, input }) => getActiveDespiteOptOut(ctx.acting, ctx.newsletter.id, input.importId)),

  rejected: newsletterEditorProcedure
    .input(OfImport)
    .query(({ ctx, input }) => listRejectedLines(ctx.acting, ctx.newsletter.id, input.importId)),
});
