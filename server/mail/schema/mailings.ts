import type { SkippedCounts } from "../../bulk-actions/schema/bulk-actions";

/** The kinds of mailing: confirmations of a bulk action or an import, or failed mails sent again. */
export type MailingKind = "confirm" | "import" | "retry";

/** The longest delay of mails to more than one person, during which staff can cancel them. */
export const maxSendDelaySeconds = 600;
/** A preview checks at most this many people one by one. For more people it shows an upper limit. */
export const maxPreviewed = 20_000;

/** Mails to many people that have not left yet and can be cancelled. */
export type OpenMailing = {
  id: string;
  kind: MailingKind;
  /** The name of the staff member who started the mailing; null when that account was deleted. */
  by: string | null;
  /** The number of mails that wait now. */
  mails: number;
  /** Milliseconds until they leave. */
  dueInMs: number;
};

/** The mails that an action would send, shown before it runs. */
export type MailingPreview = {
  mails: number;
  /** `mails` is an upper limit: there were too many people to check each. */
  atMost: boolean;
  /** The names or addresses of the first few recipients. */
  names: string[];
  /** The number of people who get no mail, by reason. */
  skipped: SkippedCounts;
  delaySeconds: number;
};

/** The state of an import's mailing. */
export type MailingState = "waiting" | "released" | "cancelled";
