import { z } from "zod";
import { timeMeta } from "../../kernel/api-time";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { changesKeptDays } from "../../kernel/durations";
import { line } from "../../subscribers/schema/fields";
import { limitField } from "../../subscribers/schema/list-query";
import { ChangePosition } from "./changes";
import { webhookEvents, webhookOverlapHours, webhookStates } from "./webhooks";

const longestDescription = 100;

const url = z
  .string({ error: "The url must be text." })
  .trim()
  .min(1, "Enter the URL of the webhook.")
  .max(2000, "The URL has more than 2,000 characters.")
  .meta({
    description:
      "An https URL. Private addresses are refused unless the operator allows their network. A secret in the path is fine; a user name and password are not.",
    examples: ["https://shop.example.org/hooks/rollcall"],
  });
const events = z
  .array(z.enum(webhookEvents, { error: `Each event must be one of ${webhookEvents.join(", ")}.` }), {
    error: "The events must be an array of event names.",
  })
  .min(1, "Choose at least one event.")
  .max(webhookEvents.length)
  .meta({
    description: "The events to deliver.",
    examples: [["subscriber.confirmed", "subscriber.unsubscribed"]],
  });
const description = line("description", longestDescription, true).meta({
  description: `The name on the dashboard: one line of at most ${longestDescription} characters.`,
  examples: ["Shop"],
});

/** An endpoint, as staff and API keys set it. */
export const WebhookEndpointInput = z.object({ url, events, description: description.default("") });
export type WebhookEndpointInput = z.infer<typeof WebhookEndpointInput>;

export const NewWebhook = z
  .object(
    {
      url,
      events,
      description: description.optional(),
      after: ChangePosition.nullish().meta({
        description: `Deliveries begin after this position of the change feed, of the last ${changesKeptDays} days. Left out: now. Bounces, complaints and imports are delivered from now on.`,
        examples: ["now"],
      }),
    },
    { error: "The body must be a JSON object with a url and events." },
  )
  .meta({ id: "NewWebhook" });

export const WebhookPatch = z
  .object(
    {
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      enabled: z
        .boolean({ error: "enabled must be true or false." })
        .optional()
        .meta({
          description: `false: turns the webhook off. Its events are kept for ${changesKeptDays} days. true: turns it on, and delivery continues where it stopped.`,
        }),
    },
    { error: "The body must be a JSON object with a url, events, a description or enabled." },
  )
  .meta({ id: "WebhookPatch" });
export type WebhookPatch = z.output<typeof WebhookPatch>;

const time = (what: string, example: string | null) => z.string().nullable().meta(timeMeta(what, example));

export const WebhookRecord = z
  .object({
    id: z.uuid().meta({ examples: ["01a1fab8-2240-7b31-a0c2-91d7e5f3b604"] }),
    url: z.string().meta(url.meta() ?? {}),
    events: z.array(z.enum(webhookEvents)).meta(events.meta() ?? {}),
    description: z.string().meta(description.meta() ?? {}),
    enabled: z.boolean().meta({ examples: [true] }),
    off_reason: z
      .enum(["manual", "failing", "gone", "restored"])
      .nullable()
      .meta({
        description:
          "Why the webhook is off. failing: it failed for three days. gone: the URL answered 410. restored: Rollcall was restored from a backup.",
        examples: [null],
      }),
    waiting: z
      .int()
      .nonnegative()
      .meta({
        description: "Messages that wait for delivery. 1000 means at least 1000.",
        examples: [0],
      }),
    failing_since: time("The first failure since the last delivery.", null),
    failure: z
      .string()
      .nullable()
      .meta({ description: "The last failure, for people.", examples: [null] }),
    next_attempt_at: time("The next attempt after a failure.", null),
    delivered_at: time("The last delivery.", "2026-06-11T17:04:32+00:00"),
    created_at: z.string().meta(timeMeta()),
  })
  .meta({ id: "Webhook" });
export type WebhookRecord = z.infer<typeof WebhookRecord>;

export const WebhookWithSecret = WebhookRecord.extend({
  secret: z.string().meta({
    description: `Signs the messages by Standard Webhooks. Shown only in this response. After a rotation, messages also have a signature by the old secret for ${webhookOverlapHours} hours.`,
    examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Uk4lVZS0Xo="],
  }),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookTest = z
  .object({
    delivered: z.boolean().meta({ examples: [true] }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The status of the answer. Null without an answer.", examples: [204] }),
    message: z.string().meta({ description: "For people.", examples: ["It answered 204."] }),
  })
  .meta({ id: "WebhookTest" });
export type WebhookTest = z.infer<typeof WebhookTest>;

export const WebhookMessageRecord = z
  .object({
    number: z
      .int()
      .nonnegative()
      .meta({
        description: "Counts from 1 for each webhook, without gaps, in the order of delivery.",
        examples: [17],
      }),
    id: z.string().meta({
      description: "The header webhook-id.",
      examples: ["msg_01a1fab8-2241-7ac4-8d5e-6c0f2b9a7e13"],
    }),
    type: z.enum(webhookEvents).meta({ examples: ["subscriber.confirmed"] }),
    state: z.enum(webhookStates).meta({
      description: "waiting: it will be sent. skipped: staff removed it from the queue.",
      examples: ["delivered"],
    }),
    attempts: z
      .int()
      .nonnegative()
      .meta({ examples: [1] }),
    status: z
      .int()
      .nullable()
      .meta({ description: "The status of the last answer. Null without an answer.", examples: [204] }),
    attempted_at: time("The last attempt.", "2026-06-11T17:04:32+00:00"),
    created_at: z.string().meta(timeMeta("When it happened:", "2026-06-11T17:04:31+00:00")),
  })
  .meta({ id: "WebhookMessage" });
export type WebhookMessageRecord = z.infer<typeof WebhookMessageRecord>;

export const maxMessageNumber = 2 ** 31 - 1;

/** The cursor of a page of messages: the number of the last one. */
export const writeMessageCursor = (number: number): string => writeCursor(`m${number}`);

function readNumber(text: string): number | null {
  const number = /^m([1-9]\d{0,9})$/.exec(text)?.[1];
  return number !== undefined && Number(number) <= maxMessageNumber ? Number(number) : null;
}

export const WebhookMessagesQuery = z.object({
  state: z
    .enum(webhookStates, { error: `state must be one of ${webhookStates.join(", ")}.` })
    .optional()
    .meta({ description: "Only messages in this state." }),
  limit: limitField,
  cursor: cursorSchema(readNumber).optional().meta({ description: "The next_cursor of the previous page." }),
});
