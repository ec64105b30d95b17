import {
  WebhookMessageRecord,
  WebhookRecord,
  WebhookTest,
  WebhookWithSecret,
  writeMessageCursor,
} from "../events/schema/webhook-records";
import { type WebhookEvent, webhookEvents } from "../events/schema/webhooks";
import type { webhookOperations } from "../rest/schema/webhook-operations";
import { SubscriberRecord } from "../subscribers/schema/subscriber";
import { answer, exampleOf, type Json, type OperationExample } from "./example-parts";

const webhook = exampleOf(WebhookRecord);
const withSecret = exampleOf(WebhookWithSecret);
const message = exampleOf(WebhookMessageRecord);
const { url, events, description } = webhook;

export const webhookOperationExamples: Record<keyof typeof webhookOperations, OperationExample> = {
  listWebhooks: { answers: { 200: answer("webhooks", [webhook]) } },
  createWebhook: {
    body: { "from now on": { value: { url, events, description } } },
    answers: { 201: answer("created", { ...withSecret, delivered_at: null }) },
  },
  getWebhook: {
    answers: {
      200: {
        ...answer("webhook", webhook),
        ...answer("failing", {
          ...webhook,
          waiting: 3,
          failing_since: "2026-06-11T17:09:00+00:00",
          failure: "It answered 500.",
          next_attempt_at: "2026-06-11T17:11:31+00:00",
        }),
      },
    },
  },
  updateWebhook: {
    body: { "turn off": { value: { enabled: false } } },
    answers: { 200: answer("changed", { ...webhook, enabled: false, off_reason: "manual" }) },
  },
  deleteWebhook: { answers: { 200: answer("deleted", webhook) } },
  testWebhook: {
    answers: {
      200: {
        ...answer("delivered", exampleOf(WebhookTest)),
        ...answer("failed", { delivered: false, status: 500, message: "The test failed. It answered 500." }),
      },
    },
  },
  rotateWebhookSecret: { answers: { 200: answer("rotated", withSecret) } },
  listWebhookMessages: {
    answers: {
      200: answer("page", [message], { pagination: { limit: 1, next_cursor: writeMessageCursor(17) } }),
    },
  },
  retryWebhookMessage: { answers: { 200: answer("queued", { ...message, state: "waiting" }) } },
};

const { id, ...record } = exampleOf(SubscriberRecord);
const subscriber = {
  id,
  ...record,
  status: "active",
  fields: { edition: "Print" },
  tags: ["vip"],
  subscribed_at: record.created_at,
  external_id: "customer-1815",
};

/** The meaning of each event, and the `data` of its message. */
const eventSamples: Record<WebhookEvent, { means: string; data: Json }> = {
  "subscriber.created": {
    means: "A subscriber was added. `subscriber` is the record when the message is created.",
    data: { subscriber: { ...subscriber, status: "pending" } },
  },
  "subscriber.updated": {
    means: "A subscriber changed: their email, name, status, fields, tags, subscribed_at or external_id.",
    data: { subscriber: { ...subscriber, name: "Ada King" } },
  },
  "subscriber.confirmed": { means: "A subscriber confirmed by email.", data: { subscriber } },
  "subscriber.unsubscribed": {
    means: "A subscriber unsubscribed, or was unsubscribed.",
    data: { subscriber: { ...subscriber, status: "unsubscribed" } },
  },
  "subscriber.erased": {
    means:
      "A subscriber was erased: delete your copy of the data. Waiting messages about an erased subscriber have this `data`, too.",
    data: { subscriber_id: id },
  },
  "subscriber.bounced": {
    means: "An email bounced permanently. `reason` has the mail server's words.",
    data: {
      subscriber: { ...subscriber, status: "unsubscribed" },
      reason: "550 5.1.1 The email account does not exist.",
    },
  },
  "subscriber.complained": {
    means: "A subscriber reported an email as spam.",
    data: { subscriber: { ...subscriber, status: "unsubscribed" } },
  },
  "import.finished": {
    means:
      "An import finished. `added` counts its new subscribers, and `unsubscribed` those that the list reported as opted out.",
    data: { import: { id: "01a1fab8-2250-7c66-b1d2-4a8e0c9f7d35", number: 7, added: 300, unsubscribed: 2 } },
  },
};

/** The body of a message of each event. */
export const webhookSamples = webhookEvents.map((type, index) => ({
  ...{ type, timestamp: "2026-06-11T17:04:31+00:00", number: index + 1, data: eventSamples[type].data },
}));

/** Each event with a sample of its body, as Markdown. */
export function webhookSampleBlocks(): string {
  const blocks = webhookSamples.map((body) => {
    const lines = Object.entries(body).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
    return `\`${body.type}\`: ${eventSamples[body.type].means}\n\n\`\`\`json\n{\n${lines.join(",\n")}\n}\n\`\`\``;
  });
  return blocks.join("\n\n");
}
