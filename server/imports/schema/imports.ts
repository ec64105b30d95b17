import { z } from "zod";
import { DAY_MS } from "../../kernel/time";
import type { WorkProgress } from "../../kernel/work-progress";
import type { MailingState } from "../../mail/schema/mailings";
import type { Agreement } from "../../sign-up/schema/sign-up-page";
import type { NewSubscriber } from "../../subscribers/schema/subscriber";
import {
  type Answers,
  type Leaving,
  type ListEvidence,
  leavingReasons,
  maxPartRows,
  meanings,
} from "../list-parser/list-types";
import type { OutcomeCounts, RowOutcome } from "./import-counts";

/** The rows of a plan over MCP. The dashboard shows all of them before staff commit it. */
export const maxRowsForStaff = 1_000;
/** A key's plans over MCP that can wait for staff at a time. Reading keys make them, so few may fill the disk. */
export const maxPlansForStaff = 20;

/**
 * `uploading`: parts are arriving. `planned`: compared and shown, no subscriber changed. `running`: being written. The
 * states after `running` are final, except that `done` can become `undoing`, and then `undone` or `done` again.
 */
export const importStates = [
  ...(["uploading", "planned", "running"] as const),
  ...(["done", "cancelled", "outdated", "failed", "undoing", "undone"] as const),
] as const;
export type ImportState = (typeof importStates)[number];

export type NewStatus = "active" | "pending";

/**
 * `list`: each person's status in the list, else pending. `pending`, `active`: the same for all. Opt-outs always win.
 */
export const statusRules = ["list", "pending", "active"] as const;
export type StatusRule = (typeof statusRules)[number];

/**
 * One valid, unique person of a list; `line` is their line in the text. Their own `status` overrides the default, and
 * `leaving` overrides both.
 */
export type PlanRow = { line: number; leaving?: Leaving; evidence?: ListEvidence } & z.input<
  typeof NewSubscriber
>;
const hasLine = (row: unknown) => {
  const { line } = Object(row);
  return Number.isSafeInteger(line) && line >= 1;
};

/** Text of a list for a JSON column. PostgreSQL accepts neither zero bytes nor lone surrogates there. */
const ListText = (longest: number) =>
  z.string().transform((text) =>
    text
      .slice(0, longest)
      .replace(/[\p{Cc}\p{Cs}]/gu, " ")
      .trim(),
  );

/** Earlier dates are taken for errors. */
const EARLIEST = Date.UTC(1990, 0, 1);
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * An ISO 8601 time with an offset, not in the future. An invalid time becomes null: a wrong date must not lose an
 * opt-out.
 */
const ListTime = z.unknown().transform((value): string | null => {
  const at = typeof value === "string" && isoTime.test(value) ? Date.parse(value) : Number.NaN;
  const now = Date.now();
  // Accepts up to a day ahead, because clocks and time zones differ.
  return at >= EARLIEST && at <= now + DAY_MS ? new Date(Math.min(at, now)).toISOString() : null;
});

/** Leaves out an invalid time and an empty text. */
const optional = (schema: z.ZodType<string | null>) =>
  schema.transform((value) => value || undefined).optional();

/** Claims of a row beyond the fields of a new subscriber. */
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
      optedInAt: optional(ListTime),
      confirmedAt: optional(ListTime),
      ip: optional(ListText(64)),
      source: optional(ListText(200)),
    })
    .optional(),
});
export type RowClaims = z.infer<typeof RowClaims>;

/** Written by earlier versions only. Times are ISO 8601; `newsletter` is its name at that time. */
type CopiedFrom = {
  newsletter: string;
  moved: boolean;
  addedAt: string;
  confirmedAt: string | null;
  /** As staff stated it; null for people who were asked to confirm. */
  consent: { source: string; wording: string } | null;
};

/**
 * Evidence that is stored with the event of a person's creation. `agreed` comes from a sign-up page. Earlier versions
 * wrote `copied` when they copied a person from another newsletter, and `copiedTo`, the target's name, on the original.
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
/** The editor's answers: question → value → meaning. */
const ListAnswers: z.ZodType<Answers> = z
  .record(
    AnswerText,
    z
      .record(AnswerText, z.enum(meanings))
      .refine(atMost(mostValues), { error: `One question has at most ${mostValues} answers.` }),
  )
  .refine(atMost(mostQuestions), { error: `There are at most ${mostQuestions} questions.` });

/** A line that is not imported. It is stored so that it can be fixed later. */
export const RejectedLine = z.object({
  line: z.int().min(1),
  text: z.string().max(1000),
  reason: z.string().max(300),
});
export type RejectedLine = z.infer<typeof RejectedLine>;

/** An upload without its rows. */
export const UploadHead = z.object({
  /** The name of the dropped file; null for a paste. */
  fileName: z.string().max(255).nullable(),
  statusRule: z.enum(statusRules),
  answers: ListAnswers.default({}),
});
export type UploadHead = z.infer<typeof UploadHead>;

export const UploadPart = z.object({
  /** Counts from 0. A repeated part is stored once. */
  part: z.int32().min(0),
  /** Only `line` is checked here; `readPart` validates the rest. */
  rows: z
    .array(z.custom<PlanRow>(hasLine, { error: "Each row must be an object with its line number." }))
    .max(maxPartRows),
  rejected: z.array(RejectedLine).max(maxPartRows),
});
export type UploadPart = z.infer<typeof UploadPart>;

/** A whole list, as the command line reads it. */
export type ListInput = UploadHead & Pick<UploadPart, "rows" | "rejected">;

/** Text of a form. Replaces characters that PostgreSQL accepts neither as text nor as JSON. */
const FormText = z.string().overwrite((text) => text.replace(/[\0\p{Cs}]/gu, " "));

/** Where and in what words these people agreed to receive email; `people` is the number shown beside the checkbox. */
export const Consent = z.object({
  source: FormText.trim()
    .min(1, "Enter where these people agreed, such as a form or an event.")
    .max(200, "Enter at most 200 characters for where they agreed."),
  wording: FormText.trim().max(2000, "Enter at most 2,000 characters for the wording."),
  people: z.int().min(0),
});
export type Consent = z.infer<typeof Consent>;

/** A row whose outcome changed after the plan was made. */
export type PlanChange = { line: number; email: string; was: RowOutcome; is: RowOutcome };

/** Limit of the subscribers on an import's page that its list reports as opted out. */
export const maxActiveDespiteOptOut = 100;

/** Exactly what a commit will do. */
export type ImportPlan = {
  importId: string;
  /** Hash of this plan. A commit with another digest is rejected. */
  digest: string;
  counts: OutcomeCounts;
  /** How many of `already_active` and `already_pending` the list reports as opted out. */
  activeDespiteOptOut: number;
  /** Those of `new_active` who opted out under another spelling of their address; `first` has some of the addresses. */
  relatedOptOuts: { people: number; first: string[] };
  /** Addresses of the list that are subscribers or suppressed, for `entriesOfKnownAddresses`. */
  known: string;
  /** Domains of many subscribers. They are correct even if they look mistyped. */
  trustedDomains: string[];
};

/**
 * The result or the preview of an undo. `people` are removed; `stayed` have changed since the import and stay.
 * `optOuts`: those of `people` who were added as unsubscribed and stay suppressed; absent from undos by earlier
 * versions.
 */
export type Undone = { people: number; stayed: number; mails: number; optOuts?: number };

/** An import, as its page and the list of imports show it. */
export type ImportRecord = {
  id: string;
  /** Counts up within the newsletter, as in "Import #41"; 0 until the import starts. */
  number: number;
  state: ImportState;
  fileName: string | null;
  /** Name of the staff member or the API key; null if they were removed. */
  by: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  statusRule: StatusRule;
  consent: { source: string; wording: string } | null;
  /** Hash of the plan. A commit with another digest is rejected. */
  digest: string;
  /** The plan was made over MCP, so no key can commit it. */
  needsStaff: boolean;
  rows: number;
  rejected: number;
  /** Of the import, or of its undo. */
  progress: WorkProgress;
  counts: OutcomeCounts;
  /** How many subscribers the list reports as opted out. */
  activeDespiteOptOut: number;
  /** The editor's answers: question → value → meaning. */
  answers: Answers;
  /** A sentence for `failed`, or for `done` after a failed undo: what is safe and what to do. */
  error: string | null;
  /** For `outdated`: how many rows have another outcome, and the first 100 of them. */
  changed: number;
  changes: PlanChange[];
  /** Deadline of an undo; null if the import cannot be undone. */
  undoUntil: Date | null;
  undone: Undone | null;
  /** State of emails that wait to be sent together; null if there are none or they did not wait. */
  mailing: MailingState | null;
};
