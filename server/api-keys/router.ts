import { z } from "zod";
import { getAccount } from "../accounts/newsletters";
import {
  afterRecentSignIn,
  calls,
  newsletterOwnerProcedure,
  newsletterProcedure,
  router,
  validatedByVerb,
} from "../trpc/base";
import { createKey, listKeys, revokeKey, rotateKey } from "./api-keys";
import { listRequests, RequestView } from "./requests";
import type { NewKey } from "./schema/new-key";

const OfKey = z.object({ keyId: z.uuid() });

export const keysRouter = router({
  list: newsletterProcedure.query(async ({ ctx, input }) => {
    const [keys, { apiAccess }] = await Promise.all([
      listKeys(ctx.acting, input),
      getAccount(ctx.acting.db, ctx.staff.accountId),
    ]);
    return { keys, apiAccess };
  }),
  create: newsletterOwnerProcedure
    .use(afterRecentSignIn)
    .input(z.object({ key: validatedByVerb<NewKey>() }))
    .mutation(calls(createKey)),
  revoke: newsletterOwnerProcedure.meta({ onArchived: true }).input(OfKey).mutation(calls(revokeKey)),
  rotate: newsletterOwnerProcedure
    .use(afterRecentSignIn)
    .input(OfKey.extend({ overlapHours: z.int().min(0).max(720) }))
    .mutation(calls(rotateKey)),
});

export const requestsRouter = router({
  page: newsletterProcedure
    .input(z.object({ view: RequestView, cursor: z.uuid().nullish() }))
    .query(calls(listRequests)),
});
