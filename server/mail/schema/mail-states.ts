/** How a state looks. */
export type StatusLook = { tone: "active" | "pending" | "off" | "failed" };
type MailStateFacts = StatusLook & {
  /** The mail is still to be sent, or somebody has to look after it. */
  open: boolean;
  /** Its link is somebody's to follow. */
  linked: boolean;
};

const facts = (look: StatusLook, ...holds: ("open" | "linked")[]): MailStateFacts => ({
  ...look,
  open: holds.includes("open"),
  linked: holds.includes("linked"),
});

/** The states of a mail. The database's checks and partial indexes name them, too. */
export const mailStates = {
  waiting: facts({ tone: "pending" }, "open", "linked"),
  deferred: facts({ tone: "pending" }, "open", "linked"),
  logged: facts({ tone: "off" }, "linked"),
  sending: facts({ tone: "pending" }, "open", "linked"),
  sent: facts({ tone: "active" }, "linked"),
  failed: facts({ tone: "failed" }, "open", "linked"),
  uncertain: facts({ tone: "failed" }, "open", "linked"),
  cancelled: facts({ tone: "off" }),
} as const;
export type MailState = keyof typeof mailStates;

/** What the provider reports of a mail that was sent. */
export const deliveryStatuses = {
  delivered: { tone: "active" },
  delayed: { tone: "pending" },
  bounced: { tone: "failed" },
  complained: { tone: "failed" },
} as const satisfies Record<string, StatusLook>;
export type DeliveryStatus = MailState | keyof typeof deliveryStatuses;

export const linkedStates: string[] = Object.entries(mailStates).flatMap(([state, { linked }]) =>
  linked ? [state] : [],
);

/** Mails that surely or perhaps were not sent, so that others can be sent in their place. */
export const retryableStates = ["failed", "uncertain"] as const satisfies MailState[];
export type RetryableState = (typeof retryableStates)[number];

/** What the list of mails can be filtered by. */
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

/** Mails by which a newsletter asks and welcomes people. */
export const newsletterMailKinds = ["confirmation", "welcome"] as const;
/** Mails that people of any status ask for themselves: the link to their preferences, and the question at a new address. */
export const ownMailKinds = ["preferences", "new_address"] as const;
/** All mails to people; the others are to staff. */
export const personMailKinds = [...newsletterMailKinds, ...ownMailKinds] as const;
export type PersonMailKind = (typeof personMailKinds)[number];
