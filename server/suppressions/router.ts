import { z } from "zod";
import { parseEmail } from "../kernel/email";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { maxSuppressionsPerCall, suppressionReasons } from "./schema/suppression-messages";
import { NewSuppression } from "./schema/suppressions";
import { addSuppressions, checkSuppressions, listSuppressions, removeSuppression } from "./suppressions";

const PAGE = 100;

export const suppressionsRouter = router({
  page: newsletterProcedure
    .input(
      z.object({
        reason: z.enum(suppressionReasons).optional(),
        search: z.string().trim().max(1_000).optional(),
        cursor: z.uuid().nullish(),
      }),
    )
    .query(({ ctx, input: { reason, search, cursor = null } }) => {
      // A search for a whole address also finds erased addresses, which have only a digest.
      const address = search ? parseEmail(search) : null;
      const emailCanonical = address?.ok ? address.canonical : undefined;
      const filter = { newsletterId: ctx.newsletter.id, reason, search, emailCanonical };
      return listSuppressions(ctx.acting, { filter, limit: PAGE, after: cursor });
    }),

  // A mutation although it changes nothing: its input is too long for a URL.
  check: newsletterEditorProcedure
    .meta({ onArchived: true })
    .input(z.object({ canonicals: z.array(z.string().max(254)).max(maxSuppressionsPerCall) }))
    .mutation(calls(checkSuppressions)),

  add: newsletterEditorProcedure
    .input(
      z.object({
        inputs: z.array(NewSuppression).min(1).max(maxSuppressionsPerCall),
        source: z.enum(["dashboard", "import"]),
        continues: z.boolean(),
      }),
    )
    .mutation(calls(addSuppressions)),

  remove: newsletterEditorProcedure
    .input(
      z.object({
        id: z.uuid(),
        why: z.string().trim().min(1, "Enter a reason. It is stored in the audit log.").max(500),
      }),
    )
    .mutation(calls(removeSuppression)),
});
