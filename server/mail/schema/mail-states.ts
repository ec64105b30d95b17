export type StatusLook = { tone: "active" | "pending" | "off" | "failed" };

/** The states of a mail. The database's checks and partial indexes name them too. */
export const mailStates = {
  waiting: { tone: "pending" },
  deferred: { tone: "pending" },
  logged: { tone: "off" },
  sending: { tone: "pending" },
  sent: { tone: "active" },
  failed: { tone: "failed" },
  uncertain: { tone: "failed" },
  cancelled: { tone: "off" },
} as const satisfies Record<string, StatusLook>;
export type MailState = keyof typeof mailStates;

/** The provider's reports on a sent mail. */
export const deliveryStatuses = {
  delivered: { tone: "active" },
  delayed: { tone: "pending" },
  bounced: { tone: "failed" },
  complained: { tone: "failed" },
} as const satisfies Record<string, StatusLook>;
export type DeliveryStatus = MailState | keyof typeof deliveryStatuses;

/** States of mails whose link a person may follow. */
export const linkedStates: string[] = Object.keys(mailStates).filter((state) => state !== "cancelled");

/** States of mails that were certainly or perhaps not sent, so that new mails can replace them. */
export const retryableStates = ["failed", "uncertain"] as const satisfies MailState[];
export type RetryableState = (typeof retryableStates)[number];

export const mailFilters = [
  "waiting",
  "deferred",
  "logged",
  "sending",
  "sent",
  "delivered",
  "bounced",
  "failed",
  "uncertain",
  "cancelled",
] as const satisfies DeliveryStatus[];
export type MailFilter = (typeof mailFilters)[number];

/** Mails that a newsletter sends: it asks for a confirmation, and welcomes. */
export const newsletterMailKinds = ["confirmation", "welcome"] as const;
/** Mails that people of any status request: the link to their preferences, and the confirmation of a new address. */
export const ownMailKinds = ["preferences", "new_address"] as const;
/** All mails to people; the others are to staff. */
export const personMailKinds = [...newsletterMailKinds, ...ownMailKinds] as const;
export type PersonMailKind = (typeof personMailKinds)[number];
