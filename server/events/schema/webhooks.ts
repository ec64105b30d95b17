import { changesKeptDays } from "../../kernel/durations";

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
export const maxWebhookEndpoints = 10;
/** The timeout for an endpoint's whole answer, in seconds. */
export const webhookAnswerSeconds = 10;
/** How long an endpoint may fail before it is switched off. */
export const webhookFailureDays = 3;
/** Messages are kept as long as changes. An endpoint that was off can catch up on this many days. */
export const webhookKeptDays = changesKeptDays;
/** After a rotation, messages are also signed with the old secret for this many hours. */
export const webhookOverlapHours = 24;

/**
 * Why an endpoint is off. staff: a staff member or an API key switched it off. failing: it failed for three days. gone: it answered
 * 410. restored: the database was restored from a backup. The restored copy must not call the same address unasked.
 */
export type WebhookOffReason = "staff" | "failing" | "gone" | "restored";

/** waiting: it will be sent. delivered: the endpoint answered 2xx. skipped: staff removed it from the queue. */
export const webhookStates = ["waiting", "delivered", "skipped"] as const;
export type WebhookState = (typeof webhookStates)[number];

export const webhookPageSize = 50;
