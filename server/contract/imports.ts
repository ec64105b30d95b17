import { z } from "zod";

/** How many people one run of the bulk form may bring. */
export const maxImportRows = 100_000;
/** How long a run can be taken back. */
export const undoDays = 7;

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

/** One person of the list, as the editor read them: clean, and once each. `line` is where they stand in the text. */
export const PlanRow = z.object({
  line: z.int().min(1),
  email: z.string().max(254),
  name: z.string().max(255),
  /** The row's own, which wins over the form's. */
  status: z.enum(["active", "pending"]).optional(),
});
export type PlanRow = z.infer<typeof PlanRow>;

/** A line that adds nobody, kept with the run so that it can be fixed later: its text, and why. */
export const RejectedLine = z.object({
  line: z.int().min(1),
  text: z.string().max(1000),
  reason: z.string().max(300),
});
export type RejectedLine = z.infer<typeof RejectedLine>;

export const PlanOptions = z.object({
  /** For rows without a status of their own. */
  status: z.enum(["active", "pending"]),
  /** People who are on the list already: left as they are, or given the list's name where they have none. */
  existing: z.enum(["leave", "fill_blank_names"]),
});
export type PlanOptions = z.infer<typeof PlanOptions>;

export const PlanInput = z.object({
  rows: z.array(PlanRow).min(1, "There is nobody in the list to add.").max(maxImportRows),
  rejected: z.array(RejectedLine).max(maxImportRows),
  /** The name of the dropped file, or null for a paste. */
  fileName: z.string().max(255).nullable(),
  options: PlanOptions,
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

/** How many rows have each outcome; all of them together are the rows of the plan. */
export type OutcomeCounts = Record<RowOutcome, number> & {
  /** Of those on the list already: who is given a name. */
  namesFilled: number;
};

/** What one row became instead of what the plan had said. */
export type PlanChange = {
  line: number;
  email: string;
  was: RowOutcome;
  is: RowOutcome;
  /** It is the name: blank by the plan and given by somebody since, or the reverse. Then `was` and `is` may be the same. */
  name?: boolean;
};

/** Exactly what will happen. */
export type ImportPlan = {
  importId: string;
  /** Names this very plan: a commit that carries another is rejected. */
  digest: string;
  counts: OutcomeCounts;
  /** Everybody on the list who is on the list or must not be mailed, for the editor's validations: canonical address → standing. */
  known: [canonical: string, standing: "active" | "pending" | "unsubscribed" | "suppressed"][];
  /** Domains that many people on the list have, which are right however they look. */
  trustedDomains: string[];
};

/** One run, as the imports page and the run's own page show it. */
export type ImportRun = {
  id: string;
  /** Counts up within the newsletter: "Paste #41"; given when it starts, and 0 before. */
  number: number;
  state: ImportState;
  fileName: string | null;
  /** Who ran it, by name; null when they are gone. */
  by: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  options: PlanOptions;
  consent: { source: string; wording: string } | null;
  rows: number;
  rejected: number;
  /** Rows written so far of a running one; of a done one, all. */
  written: number;
  /** The plan's; of a done run, what happened. */
  counts: OutcomeCounts;
  /** Why it ended as it did, for `failed`; a sentence that says what is still safe and what to do. */
  error: string | null;
  /** For `outdated`: how many rows became something else, and the first 100 of them. */
  changed: number;
  changes: PlanChange[];
  /** Until when it can be undone; null when it cannot. */
  undoUntil: Date | null;
  /** What an undo did: people taken back, and people who stay because they have done something since. */
  undone: { people: number; stayed: number; mails: number } | null;
};
