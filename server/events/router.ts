import { z } from "zod";
import { hasRight } from "../staff/schema/roles";
import {
  afterRecentSignIn,
  calls,
  newsletterOwnerProcedure,
  newsletterProcedure,
  router,
  validatedByVerb,
} from "../trpc/base";
import type { WebhookEndpointInput } from "./schema/webhook-records";
import { webhookStates } from "./schema/webhooks";
import { getMessage, listMessages, repeat, skip } from "./webhook-messages";
import {
  createEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  saveEndpoint,
  switchEndpoint,
  testEndpoint,
} from "./webhooks";

const OfEndpoint = z.object({ id: z.uuid() });
const OfInput = z.object({ endpoint: validatedByVerb<WebhookEndpointInput>() });
const Number32 = z.int32().min(1);

export const webhooksRouter = router({
  list: newsletterProcedure.query(async ({ ctx: { acting, newsletter, staff } }) => {
    const endpoints = await listEndpoints(acting, { newsletterId: newsletter.id });
    if (hasRight(staff.role, "manage")) return endpoints;
    // The path may be a secret.
    return endpoints.map((endpoint) => ({ ...endpoint, url: `${new URL(endpoint.url).origin}/…` }));
  }),
  messages: newsletterProcedure
    .input(OfEndpoint.extend({ cursor: Number32.nullish(), state: z.enum(webhookStates).nullable() }))
    .query(calls(listMessages)),
  message: newsletterProcedure.input(OfEndpoint.extend({ number: Number32 })).query(calls(getMessage)),

  create: newsletterOwnerProcedure.use(afterRecentSignIn).input(OfInput).mutation(calls(createEndpoint)),
  save: newsletterOwnerProcedure
    .use(afterRecentSignIn)
    .input(OfEndpoint.extend({ version: Number32, ...OfInput.shape }))
    .mutation(calls(saveEndpoint)),
  setOn: newsletterOwnerProcedure
    .input(OfEndpoint.extend({ on: z.boolean() }))
    .mutation(calls(switchEndpoint)),
  rotate: newsletterOwnerProcedure.use(afterRecentSignIn).input(OfEndpoint).mutation(calls(rotateSecret)),
  remove: newsletterOwnerProcedure.input(OfEndpoint).mutation(calls(removeEndpoint)),
  test: newsletterOwnerProcedure.input(OfEndpoint).mutation(calls(testEndpoint)),
  repeat: newsletterOwnerProcedure
    .input(OfEndpoint.extend({ from: Number32, to: Number32 }))
    .mutation(calls(repeat)),
  skip: newsletterOwnerProcedure.input(OfEndpoint.extend({ number: Number32 })).mutation(calls(skip)),
});
