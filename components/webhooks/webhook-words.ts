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
  "subscriber.updated": "Their name, address, status, fields or tags change",
  "subscriber.confirmed": "They press the button in the mail",
  "subscriber.unsubscribed": "They leave, or staff unsubscribe them",
  "subscriber.erased": "They are gone: delete what you keep of them",
  "subscriber.bounced": "A mail server rejected a mail to them for good",
  "subscriber.complained": "They marked a mail as spam",
  "import.finished": "A list was imported",
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
  staff: "Nothing is sent. Events are kept for 30 days and sent when the webhook is turned on.",
  failing:
    "It failed for three days, and was switched off. Mend what answers there, send a test, and switch it on: it goes on where it was.",
  gone: "It answered 410: nothing is there any more. Remove it here, or switch it on again once something is.",
  restored:
    "Rollcall was restored from a backup. Switch it on when this copy, and not the one before, is to call it.",
};

type Facts = Pick<WebhookEndpoint, "offReason" | "failingSince">;

/** How an endpoint is, in one word. */
export function endpointLook({ offReason, failingSince }: Facts): StatusLook {
  if (offReason === "staff" || offReason === "restored") return { word: "Off", tone: "off" };
  if (offReason) return { word: "Switched off", tone: "failed" };
  return failingSince ? { word: "Failing", tone: "failed" } : { word: "On", tone: "active" };
}
