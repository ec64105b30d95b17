import { z } from "zod";
import { answersThat, loggedOperations } from "../contract/request-log";
import { liftLockout, listLockouts, listRequests } from "../services/requests";
import { newsletterOwnerProcedure, newsletterProcedure, router } from "./base";

const MONTH_MINUTES = 30 * 24 * 60;

const View = z.object({
  keyId: z.uuid().optional(),
  operation: z.enum(loggedOperations).optional(),
  answer: z
    .string()
    .refine((word) => answersThat(word).length > 0, "The API has no such answer.")
    .optional(),
  withinMinutes: z.int().min(1).max(MONTH_MINUTES).optional(),
});

export const requestsRouter = router({
  page: newsletterProcedure
    .input(z.object({ view: View, cursor: z.uuid().nullish() }))
    .query(({ ctx, input: { newsletterId, view, cursor } }) =>
      listRequests(ctx.acting, { newsletterId, view, before: cursor ?? null }),
    ),

  lockouts: newsletterProcedure.query(({ ctx, input }) => {
    const { LOCKOUT_ERRORS, LOCKOUT_AUTH } = ctx.app.config;
    const lockouts = { errors: LOCKOUT_ERRORS ?? null, auth: LOCKOUT_AUTH ?? null };
    return listLockouts({ ...ctx.acting, lockouts }, input);
  }),

  lift: newsletterOwnerProcedure
    .input(z.object({ keyId: z.uuid() }))
    .mutation(({ ctx, input }) => liftLockout(ctx.acting, input)),
});
