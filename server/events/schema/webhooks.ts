import { z } from "zod";

/** The events that an endpoint can receive. The first five are the changes of the feed, under the same names. */
export const webhookEvents = [
  "subscriber.created",
  "subscriber.updated",
  "subscriber.confirmed",
  "subscriber.unsubscribed",
  "subscriber.erased",
  "subscriber.bounced",
  "subscriber.complained",
  "import.finished",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** @param kind of an entry of the log of changes */
export const webhookEventOf = (kind: string) =>
  (kind.includes(".") ? kind : `subscriber.${kind}`) as WebhookEvent;
/** The most endpoints of one newsletter. */
export const maxWebhookEndpoints = 10;
/** The timeout for an endpoint's whole answer, in seconds. */
export const webhookAnswerSeconds = 10;
/** How long an endpoint may fail before it is switched off. */
export const webhookFailureDays = 3;
/** Messages are kept as long as changes. An endpoint that was off can catch up on this many days. */
export const webhookKeptDays = 30;
/** After a rotation, messages are also signed with the old secret for this many hours. */
export const webhookOverlapHours = 24;

/** An endpoint, as staff set it. */
export const WebhookEndpointInput = z.object({
  url: z
    .string()
    .trim()
    .min(1, "Enter the URL of the webhook.")
    .max(2000, "The URL has more than 2,000 characters."),
  description: z.string().trim().max(100, "Enter at most 100 characters.").default(""),
  events: z.array(z.enum(webhookEvents)).min(1, "Choose at least one event.").max(webhookEvents.length),
});
export type WebhookEndpointInput = z.infer<typeof WebhookEndpointInput>;

/**
 * Why an endpoint is off. staff: a staff member switched it off. failing: it failed for three days. gone: it answered
 * 410. restored: the database was restored from a backup. The restored copy must not call the same address unasked.
 */
export type WebhookOffReason = "staff" | "failing" | "gone" | "restored";

/** An endpoint, as staff see it. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  version: number;
  /** null: it is on. */
  offReason: WebhookOffReason | null;
  createdAt: Date;
  /** The time of the last delivery. */
  deliveredAt: Date | null;
  /** Since when every attempt has failed; null when the last attempt worked. */
  failingSince: Date | null;
  /** The time of the next attempt of a failing endpoint. */
  nextTryAt: Date | null;
  /** The error of the last attempt, as one sentence; null when the last attempt worked. */
  failure: string | null;
  /** Messages that are numbered and not delivered; 1,000 means at least 1,000. */
  waiting: number;
};

/** waiting: it will be sent. delivered: the endpoint answered 2xx. skipped: staff removed it from the queue. */
export const webhookStates = ["waiting", "delivered", "skipped"] as const;
export type WebhookState = (typeof webhookStates)[number];

/** A message of the log, newest first. */
export type WebhookMessage = {
  /** Counted from 1 for each endpoint, without gaps, in the order in which they are delivered. */
  number: number;
  /** The `webhook-id` header; the same in each attempt and each repeat. */
  id: string;
  type: WebhookEvent;
  state: WebhookState;
  createdAt: Date;
  /** The time of the last attempt. */
  triedAt: Date | null;
  attempts: number;
  /** The status of the last answer; null without an answer. */
  answerStatus: number | null;
};
export type WebhookMessageDetails = WebhookMessage & {
  /** The JSON that is sent. */
  body: string;
  /** The beginning of the last answer's body, at most 1,000 characters; the error when no answer arrived. */
  answer: string | null;
};

/** The result of a test. Tests are sent at once, outside the queue, and are not logged. */
export type WebhookTest = { delivered: boolean; says: string };

/** Messages on a page of the log. */
export const webhookPageSize = 50;
