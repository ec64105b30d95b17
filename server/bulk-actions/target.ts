import { z } from "zod";
import type { Ctx } from "../subscribers/context";
import { PeopleFilterInput } from "../subscribers/schema/filter";
import { resolvePeopleFilter } from "../subscribers/segments";
import type { BulkTarget } from "./bulk-actions";
import { maxSelected } from "./schema/bulk-actions";

export const BulkTargetInput = z.union([
  z.object({ filter: PeopleFilterInput }),
  z.object({ ids: z.array(z.uuid()).min(1).max(maxSelected) }),
]);

export const targetIn = async (
  ctx: Pick<Ctx, "db">,
  { newsletterId, target }: { newsletterId: string; target: z.output<typeof BulkTargetInput> },
): Promise<BulkTarget> =>
  "ids" in target
    ? { ids: [...new Set(target.ids)] }
    : { filter: await resolvePeopleFilter(ctx, { newsletterId, filter: target.filter }) };
