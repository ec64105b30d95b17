import type { WebhookState } from "@/server/events/schema/webhooks";
import type { StatusLook } from "@/server/mail/schema/mail-states";
import type { Outputs } from "../trpc";

export type WebhookEndpoint = Outputs["webhooks"]["list"][number];

export const stateTones: Record<WebhookState, StatusLook["tone"]> = {
  waiting: "pending",
  delivered: "active",
  skipped: "off",
};

type Facts = Pick<WebhookEndpoint, "offReason" | "failingSince">;
type EndpointStatus = { status: "on" | "off" | "failing"; tone: StatusLook["tone"] };

/** Returns an endpoint's status. */
export function endpointStatus({ offReason, failingSince }: Facts): EndpointStatus {
  if (offReason === "staff" || offReason === "restored") return { status: "off", tone: "off" };
  if (offReason) return { status: "off", tone: "failed" };
  return failingSince ? { status: "failing", tone: "failed" } : { status: "on", tone: "active" };
}
