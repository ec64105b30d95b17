import { z } from "zod";
import {
  NewWebhook,
  WebhookMessageRecord,
  WebhookMessagesQuery,
  WebhookPatch,
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
} from "../../events/schema/webhook-records";
import { maxWebhookEndpoints, webhookKeptDays, webhookOverlapHours } from "../../events/schema/webhooks";
import { ActivityPagination } from "../../subscribers/schema/activities";
import type { Operation } from "./operation";

const path = "/api/v1/webhooks";

export const webhookOperations = {
  listWebhooks: {
    method: "GET",
    path,
    summary: "List webhooks",
    description: "Returns all webhooks of the newsletter, oldest first.",
    permission: "webhooks",
    answers: [{ status: 200, data: z.array(WebhookRecord) }],
  },
  createWebhook: {
    method: "POST",
    path,
    summary: "Create a webhook",
    description: `The signing secret is only in this response. A newsletter can have at most ${maxWebhookEndpoints} webhooks.`,
    permission: "webhooks",
    body: NewWebhook,
    idempotent: true,
    hasSecret: true,
    answers: [{ status: 201, data: WebhookWithSecret }],
  },
  getWebhook: {
    method: "GET",
    path: `${path}/{id}`,
    summary: "Get a webhook",
    description: "Webhooks of other newsletters return 404.",
    permission: "webhooks",
    answers: [{ status: 200, data: WebhookRecord }],
  },
  updateWebhook: {
    method: "PUT",
    path: `${path}/{id}`,
    summary: "Update a webhook",
    description:
      "Send at least one of url, events, description and enabled. Members that you leave out keep their value. Waiting messages go to the new URL.",
    permission: "webhooks",
    body: WebhookPatch,
    answers: [{ status: 200, data: WebhookRecord }],
  },
  deleteWebhook: {
    method: "DELETE",
    path: `${path}/{id}`,
    summary: "Delete a webhook",
    description: "Deliveries end, and the messages are deleted. Returns the last record.",
    permission: "webhooks",
    answers: [{ status: 200, data: WebhookRecord }],
  },
  testWebhook: {
    method: "POST",
    path: `${path}/{id}/test`,
    summary: "Test a webhook",
    description:
      "Sends a signed message of the type test, also while the webhook is off. Returns when the URL has answered. Takes no body.",
    permission: "webhooks",
    policy: "bulk",
    answers: [{ status: 200, data: WebhookTest }],
  },
  rotateWebhookSecret: {
    method: "POST",
    path: `${path}/{id}/secret`,
    summary: "Rotate a webhook's secret",
    description: `The new secret is only in this response. For ${webhookOverlapHours} hours, messages also have a signature by the old secret. Takes no body.`,
    permission: "webhooks",
    answers: [{ status: 200, data: WebhookWithSecret }],
  },
  listWebhookMessages: {
    method: "GET",
    path: `${path}/{id}/messages`,
    summary: "List a webhook's messages",
    description: `Newest first, without their bodies. Messages are kept for ${webhookKeptDays} days. Follow \`pagination.next_cursor\` until it is null.`,
    permission: "webhooks",
    query: WebhookMessagesQuery,
    answers: [{ status: 200, data: z.array(WebhookMessageRecord), pagination: ActivityPagination }],
  },
  retryWebhookMessage: {
    method: "POST",
    path: `${path}/{id}/messages/{number}/retry`,
    summary: "Retry a message",
    description:
      "Sends a message again, with its old id, number and body. If it is already waiting, the next attempt is made immediately. A webhook that is off sends it when it is turned on. Takes no body.",
    permission: "webhooks",
    answers: [{ status: 200, data: WebhookMessageRecord }],
  },
} as const satisfies Record<string, Operation>;
