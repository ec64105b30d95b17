import { z } from "zod";
import { webhookEvents } from "./webhooks";

const eventNames = webhookEvents.join(", ");

/** An endpoint, as staff and API keys set it. */
export const WebhookEndpointInput = z.object({
  url: z
    .string({ error: "The url must be text." })
    .trim()
    .min(1, "Enter the URL of the webhook.")
    .max(2000, "The URL has more than 2,000 characters."),
  description: z.string().trim().max(100, "Enter at most 100 characters.").default(""),
  events: z
    .array(z.enum(webhookEvents, { error: `Each event must be one of ${eventNames}.` }), {
      error: "The events must be an array of event names.",
    })
    .min(1, "Choose at least one event.")
    .max(webhookEvents.length),
});
export type WebhookEndpointInput = z.infer<typeof WebhookEndpointInput>;
