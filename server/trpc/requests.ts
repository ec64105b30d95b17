import { z } from "zod";
import { answersThat, loggedOperations } from "../contract/request-log";
import { lockoutSubject } from "../http/rest/authenticate";
import { liftLockout, lockoutsOf, requestsOf } from "../services/requests";
import { newsletterOwnerProcedure, newsletterProcedure, router } from "./base";

const MONTH_MINUTES = 30 * 24 * 60;

const View = z.object({
  keyId: z.uuid().optional(),
  operation: z.enum(loggedOperations).optional(),
  answer: z
    .string()
    .refine((word) => answersThat(word).length > 0, "This is no answer that the API gives.")
    .optional(),
  withinMinutes: z.int().min(1).max(MONTH_MINUTES).optional(),
});

/** Absent and undefined are the same to the browser; to the query only absent is. */
const given = (view: z.infer<typeof View>) =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));

export const requestsRouter = router({
  page: newsletterProcedure
    .input(z.object({ view: View, cursor: z.uuid().nullish() }))
    .query(({ ctx, input }) =>
      requestsOf(ctx.acting, ctx.newsletter.id, given(input.view), input.cursor ?? null),
    ),

  lockouts: newsletterProcedure.query(({ ctx }) => {
    const { limiter, config } = ctx.app;
    const rules = { errors: config.LOCKOUT_ERRORS ?? null, auth: config.LOCKOUT_AUTH ?? null };
    return lockoutsOf(ctx.acting, ctx.newsletter.id, { limiter, rules, subjectOf: lockoutSubject });
  }),

  lift: newsletterOwnerProcedure
    .input(z.object({ keyId: z.uuid() }))
    .mutation(({ ctx, input }) => liftLockout(ctx.acting, ctx.newsletter, input.keyId, ctx.app.limiter)),
});
