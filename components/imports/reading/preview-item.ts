import { fixAddress, type TextEdit } from "@/server/imports/list-parser/edits";
import {
  type ListProblem,
  type PastedList,
  type PastedPerson,
  problemMessages,
} from "@/server/imports/list-parser/list-types";
import { type Oddity, oddityOf } from "@/server/imports/list-parser/oddities";
import type { Assessment, RowValidation } from "@/server/imports/list-parser/validate-list";
import type { NewStatus, StatusRule, StoredEvidence } from "@/server/imports/schema/imports";
import { defaultStatusOf, type Status } from "@/server/subscribers/status-moves";
import type { Group } from "./messages";

const longestShown = 160;

/** A reading's entries: records, and from `records.length` on, problems. */
export type Read = { list: PastedList; assessment: Assessment };

/** The status of a person who is added. */
export function newStatus({ status }: PastedPerson, rule: StatusRule): NewStatus {
  return rule === "list" && status === "active" ? "active" : defaultStatusOf(rule);
}

export function itemOf(read: Read, id: number, rule: StatusRule): Item {
  const { records, problems } = read.list;
  const record = records[id];
  return record
    ? personItem(read, id, record, rule)
    : problemItem(read.list, problems[id - records.length] as ListProblem);
}

/** One row of the preview: the stored values, or the reason why none are stored. */
export type Item = ReturnType<typeof personItem>;

function personItem(read: Read, id: number, record: PastedPerson, rule: StatusRule) {
  const validation = read.assessment.validations[id] as RowValidation;
  const group = groupOf(validation);
  const suggestion = "suggestion" in validation ? validation.suggestion : null;
  const oddity = group === "ready" ? oddityOf(record) : null;
  const isStored = group !== "fix" && group !== "asked";
  const added: Partial<PastedPerson> = group === "ready" || group === "leaving" ? record : {};
  return {
    group,
    line: record.line,
    /** The entry's range in the read text. */
    from: record.address.from,
    to: record.address.to,
    /** The stored address, or the written text where it has no valid address. */
    text: isStored ? record.email.trim() : record.raw.slice(0, longestShown),
    name: isStored ? record.name : record.name.slice(0, longestShown),
    status: statusOf(validation, record, rule),
    /** English sentences from this worker and the list parser. The page translates them. */
    message: [reasonOf(validation), oddity && oddityReasons[oddity]].filter(Boolean).join(" "),
    evidence: evidenceOf(group, record),
    fields: added.fields ?? {},
    tags: added.tags ?? [],
    /** The address that one click writes instead, or null. */
    suggestion,
    /** The edits of that click. Without a suggestion, they delete the entry's line. */
    edits: suggestion !== null ? fixAddress(record, suggestion) : oddity ? deletion(read.list, id) : [],
    slip: validation.kind === "mistyped" ? slipOf(read.assessment, validation) : null,
  };
}

/** The future or current status; null for people who are not on the list and aren't added. */
function statusOf(validation: RowValidation, record: PastedPerson, rule: StatusRule): Status | null {
  const { kind } = validation;
  if (kind === "ready") return newStatus(record, rule);
  if (kind === "active" || kind === "pending") return kind;
  return kind === "leaving" || kind === "unsubscribed" ? "unsubscribed" : null;
}

/** Evidence stored with the person, or that a listed person left elsewhere; null without either. */
function evidenceOf(group: Group, { leaving, evidence }: PastedPerson): StoredEvidence | null {
  if (group === "here") return leaving ? { left: leaving } : null;
  if (group !== "ready" && group !== "leaving") return null;
  return leaving || evidence ? { ...evidence, ...(leaving && { left: leaving }) } : null;
}

type Mistyped = Extract<RowValidation, { kind: "mistyped" }>;

/** A domain that looks mistyped, and its number of people. Keep one by `canonical`, all by `@domain`. */
function slipOf({ slips }: Assessment, { canonical, domain, suggestedDomain }: Mistyped) {
  return { canonical, domain, suggestedDomain, people: slips.get(domain) ?? 1 };
}

function problemItem(list: PastedList, problem: ListProblem): Item {
  const { line, code, text } = problem;
  return {
    group: code === "heading" ? "skipped" : "fix",
    line,
    ...placeOfProblem(list, problem),
    text: text.slice(0, longestShown),
    name: "",
    status: null,
    message: problemMessages[code],
    evidence: null,
    fields: {},
    tags: [],
    suggestion: null,
    edits: code === "no_address" || code === "heading" ? [withoutLines(list, { line })] : [],
    slip: null,
  };
}

export function placeOfProblem({ lines }: PastedList, { line, from, text }: ListProblem) {
  return { from, to: Math.min(lines.end(line - 1), from + text.length) };
}

/** Deletes the person's line, unless it holds others too. In JSON and cards a line is a part of a person. */
function deletion(list: PastedList, id: number): TextEdit[] {
  const { records, shape } = list;
  const record = records[id];
  const isAlone = record && records[id - 1]?.line !== record.line && records[id + 1]?.line !== record.line;
  return isAlone && (shape === "lines" || shape === "table") ? [withoutLines(list, record)] : [];
}

function withoutLines(
  { lines }: PastedList,
  { line, endLine = line }: { line: number; endLine?: number },
): TextEdit {
  const first = line - 1;
  const isLast = endLine >= lines.count;
  const from = isLast && first > 0 ? lines.end(first - 1) : lines.start(first);
  return { from, to: isLast ? lines.end(endLine - 1) : lines.start(endLine), insert: "" };
}

export function groupOf({ kind }: RowValidation): Group {
  if (kind === "invalid" || kind === "mistyped") return "fix";
  return kind === "active" || kind === "pending" ? "here" : kind;
}

/** The sentence that the page shows. */
function reasonOf(validation: RowValidation): string {
  switch (validation.kind) {
    case "invalid":
      return validation.message;
    case "mistyped":
      return `${validation.domain}: did you mean ${validation.suggestedDomain}?`;
    case "twice":
      return `Same person as on line ${validation.firstLine}, added once.`;
    case "active":
      return "Already on the list as active.";
    case "pending":
      return "Already on the list as pending: not confirmed yet.";
    case "unsubscribed":
      return "Unsubscribed earlier. Only they can resubscribe, by confirming by email.";
    case "asked":
      return "Needs your answer to a question about the list.";
    case "suppressed":
      return "Suppressed: the address never receives email. The person unsubscribed, reported spam or said “this wasn’t me”, or the address bounced.";
    default:
      return "";
  }
}

/** Why a ready person needs a look first. */
export const oddityReasons: Record<Oddity, string> = {
  name_is_address: "The name is an address. Is it theirs?",
  name_is_status: "The name is a word for a status. Is the right column the name?",
  name_is_label: "The name is a label, not a person’s. Is the right column the name?",
  name_has_digits: "The name has digits in it.",
  role_address: "A role address, not a person’s: emails to it are often marked as spam.",
  name_in_capitals: "The name is in capitals and is stored in capitals.",
};
