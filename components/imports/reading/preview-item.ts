import { fixAddress, type TextEdit } from "@/server/imports/list-parser/edits";
import {
  type ListProblem,
  type PastedList,
  type PastedPerson,
  problemMessages,
} from "@/server/imports/list-parser/list-types";
import type { Oddity } from "@/server/imports/list-parser/oddities";
import type { Assessment, RowValidation } from "@/server/imports/list-parser/validate-list";
import type { NewStatus, StatusRule, StoredEvidence } from "@/server/imports/schema/imports";
import { defaultStatusOf, type Status } from "@/server/subscribers/status-moves";
import type { Group, Item } from "./messages";

const longestShown = 160;

/** A reading's entries: records, and from `records.length` on, problems. */
export type Read = { list: PastedList; assessment: Assessment; oddities: (Oddity | null)[] | null };

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

function personItem(read: Read, id: number, record: PastedPerson, rule: StatusRule): Item {
  const validation = read.assessment.validations[id] as RowValidation;
  const group = groupOf(validation);
  const suggestion = "suggestion" in validation ? validation.suggestion : null;
  const oddity = group === "ready" ? read.oddities?.[id] : null;
  const deletable = oddity != null && isAloneOnItsLine(read.list, id);
  const isStored = group !== "fix" && group !== "asked";
  const isAdded = group === "ready" || group === "leaving";
  return {
    group,
    line: record.line,
    from: record.address.from,
    to: record.address.to,
    text: isStored ? record.email.trim() : record.raw.slice(0, longestShown),
    name: isStored ? record.name : record.name.slice(0, longestShown),
    status: statusOf(validation, record, rule),
    message: [reasonOf(validation), oddity && oddityReasons[oddity]].filter(Boolean).join(" "),
    evidence: evidenceOf(group, record),
    mustCheck: group === "here" && record.leaving !== undefined,
    fields: (isAdded && record.fields) || {},
    tags: (isAdded && record.tags) || [],
    suggestion,
    edits:
      suggestion !== null
        ? fixAddress(record, suggestion)
        : deletable
          ? [withoutLines(read.list, record)]
          : [],
    slip: validation.kind === "mistyped" ? slipOf(read.assessment, validation) : null,
    deletable,
  };
}

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

function slipOf({ slips }: Assessment, { canonical, domain, suggestedDomain }: Mistyped): Item["slip"] {
  const people = slips.find((slip) => slip.domain === domain)?.records.length ?? 1;
  return { canonical, domain, suggestedDomain, people };
}

function problemItem(list: PastedList, problem: ListProblem): Item {
  const { line, code, text } = problem;
  const deletable = code === "no_address" || code === "heading";
  return {
    group: code === "heading" ? "skipped" : "fix",
    line,
    ...placeOfProblem(list, problem),
    text: text.slice(0, longestShown),
    name: "",
    status: null,
    message: problemMessages[code],
    evidence: null,
    mustCheck: false,
    fields: {},
    tags: [],
    suggestion: null,
    edits: deletable ? [withoutLines(list, { line })] : [],
    slip: null,
    deletable,
  };
}

export function placeOfProblem({ lines }: PastedList, { line, column, text }: ListProblem) {
  const from = lines.start(line - 1) + column - 1;
  return { from, to: Math.min(lines.end(line - 1), from + text.length) };
}

// A line is a person only in these shapes. In JSON and cards it is a part of one; in pairs the name would stay.
function isAloneOnItsLine({ records, shape }: PastedList, id: number): boolean {
  if (shape !== "lines" && shape !== "table") return false;
  const line = records[id]?.line;
  return records[id - 1]?.line !== line && records[id + 1]?.line !== line;
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

const groupOfKind: Record<RowValidation["kind"], Group> = {
  invalid: "fix",
  mistyped: "fix",
  twice: "twice",
  active: "here",
  pending: "here",
  unsubscribed: "unsubscribed",
  leaving: "leaving",
  asked: "asked",
  suppressed: "suppressed",
  ready: "ready",
};

export const groupOf = ({ kind }: RowValidation): Group => groupOfKind[kind];

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
