import { z } from "zod";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { NewSegment } from "./schema/segments";
import * as segments from "./segments";

const OfSegment = z.object({ id: z.uuid() });

export const segmentsRouter = router({
  list: newsletterProcedure.query(calls(segments.listSegments)),

  create: newsletterEditorProcedure.input(NewSegment).mutation(calls(segments.createSegment)),

  change: newsletterEditorProcedure
    .input(OfSegment.extend({ version: z.int32().min(0), segment: NewSegment }))
    .mutation(calls(segments.updateSegment)),

  remove: newsletterEditorProcedure.input(OfSegment).mutation(calls(segments.removeSegment)),
});
