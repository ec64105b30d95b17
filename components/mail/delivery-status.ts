import type { DeliveryStatus, MailState } from "@/server/mail/schema/mail-states";

type DeliveryTimes = {
  state: string;
  delayedAt: Date | null;
  deliveredAt: Date | null;
  bouncedAt: Date | null;
  complainedAt: Date | null;
};

/** Returns an email's delivery status. The latest report counts, and failures outrank successes. */
export function deliveryStatusOf(mail: DeliveryTimes): DeliveryStatus {
  if (mail.complainedAt) return "complained";
  if (mail.bouncedAt) return "bounced";
  if (mail.state !== "sent") return mail.state as MailState;
  if (mail.deliveredAt) return "delivered";
  return mail.delayedAt ? "delayed" : "sent";
}

/** Whether only another address helps. Sending again to this address is pointless. */
export const isAddressWrong = ({ bounced, code }: { bounced: boolean; code: string | null }): boolean =>
  bounced || code === "validation_error";
