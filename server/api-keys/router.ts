import { z } from "zod";
import { calls, newsletterOwnerProcedure, newsletterProcedure, router } from "../trpc/base";
import { liftLockout, listLockouts, listRequests } from "./requests";
import { answersMatching, loggedOperations } from "./schema/request-log";

const MONTH_MINUTES = 30 * 24 * 60;

const View = z.object({
  keyId: z.uuid().optional(),
  operation: z.enum(loggedOperations).optional(),
  answer: z
    .string()
    .max(100)
    .refine((word) => answersMatching(word).length > 0, "Unknown result.")
    .optional(),
  withinMinutes: z.int().min(1).max(MONTH_MINUTES).optional(),
});

export const requestsRouter = router({
  page: newsletterProcedure
    .input(z.object({ view: View, cursor: z.uuid().nullish() }))
    .query(calls(listRequests)),

  lockouts: newsletterProcedure.query(({ ctx, input }) => {
    const { LOCKOUT_ERRORS: errors, LOCKOUT_AUTH: auth } = ctx.app.config;
    return listLockouts({ ...ctx.acting, lockouts: { errors, auth } }, input);
  }),

  lift: newsletterOwnerProcedure.input(z.object({ keyId: z.uuid() })).mutation(calls(liftLockout)),
});
