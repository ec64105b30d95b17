import type { StatusLook } from "@/server/contract/mail-states";
import type {
  WebhookEndpoint,
  WebhookEvent,
  WebhookOffReason,
  WebhookState,
} from "@/server/contract/webhooks";

/** What an event is, for those who choose. */
export const eventNotes: Record<WebhookEvent, string> = {
  "subscriber.created": "A subscriber is added",
  "subscriber.updated": "Name, address, status, fields or tags change",
  "subscriber.confirmed": "A subscriber confirms by email",
  "subscriber.unsubscribed": "A subscriber unsubscribes or is unsubscribed by staff",
  "subscriber.erased": "A subscriber is erased: delete your copy of the data",
  "subscriber.bounced": "An email bounced permanently",
  "subscriber.complained": "An email was reported as spam",
  "import.finished": "An import finished",
};

/** What a message is about, in the log. */
export const typeWords: Record<WebhookEvent, string> = {
  "subscriber.created": "Added",
  "subscriber.updated": "Changed",
  "subscriber.confirmed": "Confirmed",
  "subscriber.unsubscribed": "Unsubscribed",
  "subscriber.erased": "Erased",
  "subscriber.bounced": "Bounced",
  "subscriber.complained": "Marked as spam",
  "import.finished": "Import finished",
};

export const stateLooks: Record<WebhookState, StatusLook> = {
  waiting: { word: "Waiting", tone: "pending" },
  delivered: { word: "Delivered", tone: "active" },
  skipped: { word: "Skipped", tone: "off" },
};

/** Why an endpoint is off, and what is to be done. */
export const offNotes: Record<WebhookOffReason, string> = {
  staff: "Turned off by staff. Events are kept for 30 days and sent when you turn on the webhook.",
  failing:
    "Turned off after three days of failures. Fix the receiving server, send a test and turn the webhook on. Delivery continues where it stopped.",
  gone: "Turned off because the URL answered 410 (gone). Remove the webhook, or turn it on once the URL works again.",
  restored:
    "Turned off because Rollcall was restored from a backup. Turn it on if this copy should send the events.",
};

type Facts = Pick<WebhookEndpoint, "offReason" | "failingSince">;

/** How an endpoint is, in one word. */
export function endpointLook({ offReason, failingSince }: Facts): StatusLook {
  if (offReason === "staff" || offReason === "restored") return { word: "Off", tone: "off" };
  if (offReason) return { word: "Off", tone: "failed" };
  return failingSince ? { word: "Failing", tone: "failed" } : { word: "On", tone: "active" };
}
