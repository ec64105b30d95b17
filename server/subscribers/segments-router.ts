import { z } from "zod";
import { newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { NewSegment } from "./schema/segments";
import * as segments from "./segments";

const OfSegment = z.object({ id: z.uuid() });

/** Saved filters. */
export const segmentsRouter = router({
  list: newsletterProcedure.query(({ ctx }) => segments.listSegments(ctx.acting, ctx.newsletter.id)),

  create: newsletterEditorProcedure
    .input(NewSegment)
    .mutation(({ ctx, input: { name, filter, order, columns } }) =>
      segments.createSegment(ctx.acting, ctx.newsletter, { name, filter, order, columns }),
    ),

  change: newsletterEditorProcedure
    .input(OfSegment.extend({ version: z.int32().min(0), segment: NewSegment }))
    .mutation(({ ctx, input }) => segments.updateSegment(ctx.acting, ctx.newsletter, input)),

  remove: newsletterEditorProcedure
    .input(OfSegment)
    .mutation(({ ctx, input }) => segments.removeSegment(ctx.acting, ctx.newsletter, input.id)),
});
