import type { SkippedCounts } from "../../bulk-actions/schema/bulk-actions";

/** What mails many people: confirmations of a bulk action or an import, failed mails sent again, or mails let go past a budget. */
export type MailingKind = "confirm" | "import" | "retry" | "release";

/** How long mails to more than one person may wait, for staff to cancel them. */
export const maxSendDelaySeconds = 600;
/** So many people are looked at one by one before a question; of more, it tells the most that it can be. */
export const maxPreviewed = 20_000;

/** Mails to many people that have not left yet and can be cancelled. */
export type OpenMailing = {
  id: string;
  kind: MailingKind;
  /** Who asked for them, by name; null when they are gone. */
  by: string | null;
  /** How many of them wait by now. */
  mails: number;
  /** Until they leave. */
  dueInMs: number;
};

/** What an action would mail, for the question before it. */
export type MailingPreview = {
  mails: number;
  /** It may be fewer: so many people that not each was looked at. */
  atMost: boolean;
  /** The first names of a few who get one, or their addresses. */
  names: string[];
  /** How many people get none, by reason. */
  skipped: SkippedCounts;
  delaySeconds: number;
};

/** What became of the mails of an import. */
export type MailingState = "waiting" | "released" | "cancelled";
