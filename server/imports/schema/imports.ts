import { z } from "zod";
import { DAY_MS } from "../../kernel/time";
import type { WorkProgress } from "../../kernel/work-progress";
import type { MailingState } from "../../mail/schema/mailings";
import type { Agreement } from "../../sign-up/schema/sign-up-page";
import type { NewSubscriber } from "../../subscribers/schema/subscriber";
import {
  type Answers,
  type Leaving,
  type LeavingReason,
  type ListEvidence,
  leavingReasons,
  maxPartRows,
  meanings,
} from "../list-parser/list-types";
import type { KnownAddresses } from "./known-addresses";

/** How many people one import may bring. */
export const maxImportRows = 100_000;

/**
 * `uploading`: the list arrives in parts. `planned`: checked and shown, nothing written. Every state after `running` is an end; only `done` can become `undoing`, which
 * becomes `undone`, or `done` again.
 */
export const importStates = [
  "uploading",
  "planned",
  "running",
  "done",
  "cancelled",
  "outdated",
  "failed",
  "undoing",
  "undone",
] as const;
export type ImportState = (typeof importStates)[number];

/** Outcomes of who is not on the list yet. `new_unsubscribed`: they have left elsewhere, and nobody can add them back here. */
export const newOutcomes = ["new_active", "new_pending", "new_unsubscribed"] as const;

/** What becomes of one row when the plan is carried out. */
export const rowOutcomes = [
  ...newOutcomes,
  "already_active",
  "already_pending",
  "unsubscribed",
  "suppressed",
] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** The status that new people get. */
export type NewStatus = "active" | "pending";

/** Which status new people get: their own of the list (pending without one), or one for all. Who is leaving has no choice. */
export const statusRules = ["list", "pending", "active"] as const;
export type StatusRule = (typeof statusRules)[number];

/**
 * One person of the list as the editor read them, valid, and once each; `line` is where they stand in the text. Their own
 * status wins over the form's, and `leaving` over both.
 */
export type PlanRow = { line: number; leaving?: Leaving; evidence?: ListEvidence } & z.input<
  typeof NewSubscriber
>;
const hasLine = (row: unknown) => {
  const { line } = Object(row);
  return Number.isSafeInteger(line) && line >= 1;
};

/** Text of a list that is stored as JSON, where PostgreSQL takes neither a zero byte nor half a character. */
const ListText = (longest: number) =>
  z.string().transform((text) =>
    text
      .slice(0, longest)
      .replace(/[\p{Cc}\p{Cs}]/gu, " ")
      .trim(),
  );

/** No list is older. */
const EARLIEST = Date.UTC(1990, 0, 1);
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/** A moment up to now, in ISO 8601 with an offset. One that cannot be is absent: a wrong date must not lose an opt-out. */
const ListTime = z.unknown().transform((value): Date | null => {
  const at = typeof value === "string" && isoTime.test(value) ? Date.parse(value) : Number.NaN;
  const now = Date.now();
  // Clocks and time zones differ by up to a day.
  return at >= EARLIEST && at <= now + DAY_MS ? new Date(Math.min(at, now)) : null;
});

/** What a row says beside a new subscriber's fields. */
export const RowClaims = z.object({
  leaving: z
    .object({
      reason: z.enum(leavingReasons, {
        error: `The opt-out reason must be one of ${leavingReasons.join(", ")}.`,
      }),
      at: ListTime,
    })
    .optional(),
  evidence: z
    .object({
      optedInAt: ListTime.optional(),
      confirmedAt: ListTime.optional(),
      ip: ListText(64).optional(),
      source: ListText(200).optional(),
    })
    .optional(),
});
export type RowClaims = z.infer<typeof RowClaims>;

/** Where an earlier version copied a person from; times in ISO 8601, the newsletter's name at that time. */
type CopiedFrom = {
  newsletter: string;
  moved: boolean;
  addedAt: string;
  confirmedAt: string | null;
  /** What staff stated; null of who was asked to confirm. */
  consent: { source: string; wording: string } | null;
};

/**
 * What is stored of that with the activity of a person's creation; `agreed` is of a sign-up page instead, `copied` of another
 * newsletter, by an earlier version. `copiedTo` is of the activity there: the name of the newsletter they were copied to.
 */
export type StoredEvidence = ListEvidence & {
  left?: Leaving;
  agreed?: Agreement;
  copied?: CopiedFrom;
  copiedTo?: string;
};

const mostQuestions = 100;
const mostValues = 200;
const AnswerText = ListText(200);
const atMost = (most: number) => (record: object) => Object.keys(record).length <= most;
/** What a person said that words of the list mean, by question and value; stored with the import. */
const ListAnswers: z.ZodType<Answers> = z
  .record(
    AnswerText,
    z
      .record(AnswerText, z.enum(meanings))
      .refine(atMost(mostValues), { error: `One question has at most ${mostValues} answers.` }),
  )
  .refine(atMost(mostQuestions), { error: `There are at most ${mostQuestions} questions.` });

/** A line that adds nobody, stored with the import so that it can be fixed later. */
export const RejectedLine = z.object({
  line: z.int().min(1),
  text: z.string().max(1000),
  reason: z.string().max(300),
});
export type RejectedLine = z.infer<typeof RejectedLine>;

/** What an upload says beside its rows. */
export const UploadHead = z.object({
  /** The name of the dropped file, or null for a paste. */
  fileName: z.string().max(255).nullable(),
  statusRule: z.enum(statusRules),
  answers: ListAnswers.default({}),
});
export type UploadHead = z.infer<typeof UploadHead>;

export const UploadPart = z.object({
  /** Counts the calls of one upload from 0: a part that comes again is stored once. */
  part: z.int32().min(0),
  /** Only the line is checked here; the rest is validated as a `NewSubscriber`. */
  rows: z
    .array(z.custom<PlanRow>(hasLine, { error: "Each row must be an object with its line number." }))
    .max(maxPartRows),
  rejected: z.array(RejectedLine).max(maxPartRows),
});
export type UploadPart = z.infer<typeof UploadPart>;

/** A whole list, as the command line has it. */
export type ListInput = UploadHead & Pick<UploadPart, "rows" | "rejected">;

/** Text of a form, without what PostgreSQL takes neither as text nor as JSON. */
const FormText = z.string().overwrite((text) => text.replace(/[\0\p{Cs}]/gu, " "));

/** Where these people agreed to be written to, and in what words; `people` is the number that the box names. */
export const Consent = z.object({
  source: FormText.trim()
    .min(1, "Enter where these people agreed, such as a form or an event.")
    .max(200, "Enter at most 200 characters for where they agreed."),
  wording: FormText.trim().max(2000, "Enter at most 2,000 characters for the wording."),
  people: z.int().min(0),
});
export type Consent = z.infer<typeof Consent>;

/** How many rows have each outcome; together they are the rows of the plan. */
export type OutcomeCounts = Record<RowOutcome, number>;

export const noOutcomes: OutcomeCounts = {
  new_active: 0,
  new_pending: 0,
  new_unsubscribed: 0,
  already_active: 0,
  already_pending: 0,
  unsubscribed: 0,
  suppressed: 0,
};

/** How many people an import adds who can be written to: the number on the button, in the consent and in the audit log. */
export const addedBy = (counts: OutcomeCounts) => counts.new_active + counts.new_pending;

/** How many people an import writes to the list, those who have left included. */
export const storedBy = (counts: OutcomeCounts) => addedBy(counts) + counts.new_unsubscribed;

/** A row that became something else than the plan had said. */
export type PlanChange = { line: number; email: string; was: RowOutcome; is: RowOutcome };

/** Somebody on the list who left according to the pasted one: nothing is changed, somebody must look at them. */
export type StillHere = {
  email: string;
  status: "active" | "pending";
  reason: LeavingReason;
  at: Date | null;
};

/** How many of those a plan and an import's page name. */
export const mostStillHere = 100;

/** Exactly what will happen. */
export type ImportPlan = {
  importId: string;
  /** Names this very plan: a commit with another digest is rejected. */
  digest: string;
  counts: OutcomeCounts;
  /** Of `already_active` and `already_pending`: those the list calls unsubscribed, and the first of them by line. */
  stillHere: { people: number; first: (StillHere & { line: number })[] };
  /** Of `new_active`: those of whose address another spelling has opted out, and the first few addresses. */
  relatedOptOuts: { people: number; first: string[] };
  /** Everybody of the list who is a subscriber or must not be mailed. */
  known: KnownAddresses;
  /** Domains that many subscribers have: they are right although they look mistyped. */
  trustedDomains: string[];
};

/**
 * What an undo did, or would do; `stayed` have done something since. `optOuts`: how many of `people` the import brought as
 * unsubscribed, and whose addresses stay suppressed; absent of undos by earlier versions.
 */
export type Undone = { people: number; stayed: number; mails: number; optOuts?: number };

/** One import, as its own page and the list of imports show it. */
export type ImportRecord = {
  id: string;
  /** Counts up within the newsletter: "Import #41"; given when the import starts, and 0 before. */
  number: number;
  state: ImportState;
  fileName: string | null;
  /** The name of the staff member; null when they are gone. */
  by: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  statusRule: StatusRule;
  consent: { source: string; wording: string } | null;
  rows: number;
  rejected: number;
  progress: WorkProgress;
  counts: OutcomeCounts;
  /** How many of the unchanged the list calls unsubscribed. */
  stillHere: number;
  /** What somebody said that its words mean: by question and value. */
  answers: Answers;
  /** For `failed`, and for `done` where an undo came to nothing: a sentence that says what is still safe and what to do. */
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
