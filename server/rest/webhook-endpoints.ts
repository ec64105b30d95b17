import {
  NewWebhook,
  WebhookMessagesQuery,
  WebhookPatch,
  writeMessageCursor,
} from "../events/schema/webhook-records";
import { listMessages, retryMessage } from "../events/webhook-messages";
import { getWebhookRecord, listWebhookRecords, presentWebhookMessage } from "../events/webhook-records";
import {
  createEndpoint,
  patchEndpoint,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
  type WebhookCtx,
} from "../events/webhooks";
import { parse } from "../kernel/errors";
import type { Ctx } from "../subscribers/context";
import { pageBounds } from "../subscribers/schema/list-query";
import { type Answer, success } from "./envelope";
import { once, readOnce } from "./idempotency";
import { type RestContext, readBody, readChange, readQuery } from "./read-request";

const webhookCtx = ({ app }: RestContext, ctx: Ctx): WebhookCtx => ({
  ...ctx,
  authSecrets: app.authSecrets,
  webhookGuard: app.webhookGuard,
});

/** The webhook that the path names. Verbs find it only on the key's newsletter. */
const endpointOf = (context: RestContext) => ({ ...context.of, id: context.id });

async function answerRecord(context: RestContext): Promise<Answer> {
  return success(200, await getWebhookRecord(context.ctx, endpointOf(context)));
}

async function listWebhooks(context: RestContext): Promise<Answer> {
  return success(200, await listWebhookRecords(context.ctx, context.of));
}

async function createWebhook(context: RestContext): Promise<Answer> {
  const { value, idempotent } = await readOnce(context);
  const { after, description = "", ...given } = parse(NewWebhook, value);
  const of = context.of;
  const create = async (ctx: Ctx) => {
    const endpoint = { ...given, description };
    const made = await createEndpoint(webhookCtx(context, ctx), { ...of, endpoint, after: after ?? "now" });
    const record = await getWebhookRecord(ctx, { ...of, id: made.id });
    return success(201, { ...record, secret: made.secret });
  };
  return once(context, idempotent, create);
}

async function updateWebhook(context: RestContext): Promise<Answer> {
  const patch = readChange(WebhookPatch, await readBody(context));
  await patchEndpoint(webhookCtx(context, context.ctx), { ...endpointOf(context), patch });
  return answerRecord(context);
}

async function deleteWebhook(context: RestContext): Promise<Answer> {
  const answer = await answerRecord(context);
  await removeEndpoint(webhookCtx(context, context.ctx), endpointOf(context));
  return answer;
}

async function testWebhook(context: RestContext): Promise<Answer> {
  const { says, ...outcome } = await testEndpoint(webhookCtx(context, context.ctx), endpointOf(context));
  return success(200, { ...outcome, message: says });
}

async function rotateWebhookSecret(context: RestContext): Promise<Answer> {
  const of = endpointOf(context);
  const { secret } = await rotateSecret(webhookCtx(context, context.ctx), of);
  return success(200, { ...(await getWebhookRecord(context.ctx, of)), secret });
}

async function listWebhookMessages(context: RestContext): Promise<Answer> {
  const { ctx, url } = context;
  const { limit = pageBounds.default, cursor, state = null } = readQuery(WebhookMessagesQuery, url);
  const of = endpointOf(context);
  await getWebhookRecord(ctx, of);
  const { items, next } = await listMessages(ctx, { ...of, state, limit, cursor });
  const pagination = { limit, next_cursor: next && writeMessageCursor(next) };
  return success(200, items.map(presentWebhookMessage), { pagination });
}

async function retryWebhookMessage(context: RestContext): Promise<Answer> {
  const of = { ...endpointOf(context), number: context.number };
  return success(200, presentWebhookMessage(await retryMessage(webhookCtx(context, context.ctx), of)));
}

export const webhookEndpoints = {
  listWebhooks,
  createWebhook,
  getWebhook: answerRecord,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateWebhookSecret,
  listWebhookMessages,
  retryWebhookMessage,
};
