import { z } from "zod";

/** What an endpoint can be told of. The first five are the changes of the feed, under the same names. */
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
/** Endpoints that a newsletter can have. */
export const maxWebhookEndpoints = 10;
/** How long an endpoint may take for its whole answer. */
export const webhookAnswerSeconds = 10;
/** How long an endpoint may fail before it is switched off. */
export const webhookFailureDays = 3;
/** How long messages are kept, and with them what an endpoint that was off has missed; as long as changes are. */
export const webhookKeptDays = 30;
/** How long messages are signed with the old secret, too, after a rotation. */
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
 * Why an endpoint is off. staff: somebody switched it off. failing: it failed for three days. gone: it answered 410.
 * restored: the database was restored from a backup, whose copy must not call the same address unasked.
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
  /** When it last took a message. */
  deliveredAt: Date | null;
  /** Since when each attempt has failed; null when the last one worked. */
  failingSince: Date | null;
  /** When the next attempt is made, of one that fails. */
  nextTryAt: Date | null;
  /** What the last failed attempt met, as one sentence; null when the last one worked. */
  failure: string | null;
  /** Messages that are numbered and not delivered; 1,000 means at least so many. */
  waiting: number;
};

/** waiting: it will be sent. delivered: an answer of 2xx came. skipped: staff took it out of the line. */
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
  /** Of the last attempt. */
  triedAt: Date | null;
  attempts: number;
  /** The status of the last answer; null where none came. */
  answerStatus: number | null;
};
/** One message, whole. */
export type WebhookMessageDetails = WebhookMessage & {
  /** The JSON that is sent. */
  body: string;
  /** The beginning of the last answer's body, at most 1,000 characters; or what went wrong where no answer came. */
  answer: string | null;
};

/** What came of a test, which is sent at once, apart from the line, and not logged. */
export type WebhookTest = { delivered: boolean; says: string };

/** Messages on a page of the log. */
export const webhookPageSize = 50;
