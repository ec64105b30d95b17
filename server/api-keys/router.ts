import { z } from "zod";
import { calls, newsletterProcedure, router } from "../trpc/base";
import { listRequests, RequestView } from "./requests";

export const requestsRouter = router({
  page: newsletterProcedure
    .input(z.object({ view: RequestView, cursor: z.uuid().nullish() }))
    .query(calls(listRequests)),
});
