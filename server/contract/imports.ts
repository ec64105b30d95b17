import { z } from "zod";
import type { MailingState } from "./mailings";
import type { NewSubscriber } from "./subscriber";

/** How many people one import may bring. */
export const maxImportRows = 100_000;

/** `planned`: checked and shown, nothing written. Every state after `running` is an end; only `done` can become `undone`. */
export const importStates = [
  "planned",
  "running",
  "done",
  "cancelled",
  "outdated",
  "failed",
  "undone",
] as const;
export type ImportState = (typeof importStates)[number];

/** What becomes of one row when the plan is carried out. */
export const rowOutcomes = [
  "new_active",
  "new_pending",
  "already_active",
  "already_pending",
  "unsubscribed",
  "suppressed",
] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

const NewStatus = z.enum(["active", "pending"]);
/** The status that new people get. */
export type NewStatus = z.infer<typeof NewStatus>;

/**
 * One person of the list as the editor read them, valid, and once each; `line` is where they stand in the text. Their own
 * status wins over the form's.
 */
export type PlanRow = { line: number } & z.input<typeof NewSubscriber>;
const HasLine = z.object({ line: z.int().min(1) });
/** Only the line: the rest is validated as a `NewSubscriber`, a batch at a time, while others are served. */
const PlanRowField = z.custom<PlanRow>((row) => HasLine.safeParse(row).success, {
  error: "Each row must be an object with the number of its line.",
});

/** A line that adds nobody, stored with the import so that it can be fixed later. */
export const RejectedLine = z.object({
  line: z.int().min(1),
  text: z.string().max(1000),
  reason: z.string().max(300),
});
export type RejectedLine = z.infer<typeof RejectedLine>;

export const PlanInput = z.object({
  rows: z.array(PlanRowField).min(1, "There is nobody in the list to add.").max(maxImportRows),
  rejected: z.array(RejectedLine).max(maxImportRows),
  /** The name of the dropped file, or null for a paste. */
  fileName: z.string().max(255).nullable(),
  /** For rows without a status of their own. */
  defaultStatus: NewStatus,
});
export type PlanInput = z.infer<typeof PlanInput>;

/** Where these people agreed to be written to, and in what words; `people` is the number that the box names. */
export const Consent = z.object({
  source: z
    .string()
    .trim()
    .min(1, "Say where these people agreed, such as a form or an event.")
    .max(200, "Keep where they agreed under 200 characters."),
  wording: z.string().trim().max(2000, "Keep the wording under 2,000 characters."),
  people: z.int().min(0),
});
export type Consent = z.infer<typeof Consent>;

/** How many rows have each outcome; together they are the rows of the plan. */
export type OutcomeCounts = Record<RowOutcome, number>;

export const noOutcomes: OutcomeCounts = {
  new_active: 0,
  new_pending: 0,
  already_active: 0,
  already_pending: 0,
  unsubscribed: 0,
  suppressed: 0,
};

/** How many people an import adds: the number on the button, in the consent and in the audit log. */
export const addedBy = (counts: OutcomeCounts) => counts.new_active + counts.new_pending;

/** A row that became something else than the plan had said. */
export type PlanChange = { line: number; email: string; was: RowOutcome; is: RowOutcome };

/** Exactly what will happen. */
export type ImportPlan = {
  importId: string;
  /** Names this very plan: a commit with another digest is rejected. */
  digest: string;
  counts: OutcomeCounts;
  /** Everybody of the list who is a subscriber or must not be mailed, by canonical address. */
  known: [canonical: string, status: "active" | "pending" | "unsubscribed" | "suppressed"][];
  /** Domains that many subscribers have: they are right although they look mistyped. */
  trustedDomains: string[];
};

/** What an undo did, or would do; `stayed` have done something since. */
export type Undone = { people: number; stayed: number; mails: number };

/** One import, as its own page and the list of imports show it. */
export type ImportRecord = {
  id: string;
  /** Counts up within the newsletter: "Paste #41"; given when the import starts, and 0 before. */
  number: number;
  state: ImportState;
  fileName: string | null;
  /** The name of the staff member; null when they are gone. */
  by: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  defaultStatus: NewStatus;
  consent: { source: string; wording: string } | null;
  rows: number;
  rejected: number;
  /** Rows written so far while running; when done, all. */
  written: number;
  counts: OutcomeCounts;
  /** For `failed`: a sentence that says what is still safe and what to do. */
  error: string | null;
  /** For `outdated`: how many rows became something else, and the first 100 of them. */
  changed: number;
  changes: PlanChange[];
  /** Until when it can be undone; null when it cannot. */
  undoUntil: Date | null;
  undone: Undone | null;
  /** What became of its mails, where they waited to be sent together; null where there were none or they did not wait. */
  mailing: MailingState | null;
};
