import { z } from "zod";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { listImportRows } from "./import-records";
import {
  beginImport,
  cancelImport,
  getActiveDespiteOptOut,
  getImport,
  listImports,
  listRejectedLines,
} from "./imports";
import { planUpload } from "./plan";
import { Consent, maxRowsForStaff, UploadHead, UploadPart } from "./schema/imports";
import { planImportUndo, undoImport } from "./undo";
import { beginUpload, storePart } from "./upload";

const OfImport = z.object({ importId: z.string().max(100) });

export const importsRouter = router({
  begin: newsletterEditorProcedure
    .input(z.object({ head: UploadHead, replaces: z.uuid().optional() }))
    .mutation(calls(beginUpload)),

  upload: newsletterEditorProcedure.input(OfImport.extend(UploadPart.shape)).mutation(calls(storePart)),

  plan: newsletterEditorProcedure.input(OfImport).mutation(calls(planUpload)),

  commit: newsletterEditorProcedure
    .input(OfImport.extend({ digest: z.string().max(100), consent: Consent.nullable() }))
    .mutation(async ({ ctx, input }) => (await beginImport(ctx.acting, input)).record),

  get: newsletterProcedure.input(OfImport).query(calls(getImport)),

  cancel: newsletterEditorProcedure.input(OfImport).mutation(calls(cancelImport)),

  /** The first rows of a plan. */
  rows: newsletterProcedure.input(OfImport).query(
    async ({ ctx: { acting, newsletter }, input: { importId } }) =>
      (
        await listImportRows(acting, {
          ...{ newsletterId: newsletter.id, importId },
          ...{ result: null, after: null, limit: maxRowsForStaff },
        })
      ).items,
  ),

  undoPlan: newsletterProcedure.input(OfImport).query(calls(planImportUndo)),

  undo: newsletterEditorProcedure
    .input(OfImport.extend({ removeOptOuts: z.boolean().default(false) }))
    .mutation(calls(undoImport)),

  /** `cursor` is an import number: the page starts below it. `next` is null on the last page. */
  list: newsletterProcedure.input(z.object({ cursor: z.int32().min(0).nullish() })).query(calls(listImports)),

  activeDespiteOptOut: newsletterProcedure.input(OfImport).query(calls(getActiveDespiteOptOut)),

  rejected: newsletterEditorProcedure.input(OfImport).query(calls(listRejectedLines)),
});
