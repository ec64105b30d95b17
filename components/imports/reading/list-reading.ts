import type { PlanRow, RejectedLine } from "@/server/contract/imports";
import { fixAddress, fixDomain, type TextEdit } from "@/server/domain/list-parser/edits";
import { LineIndex } from "@/server/domain/list-parser/line-index";
import type { Override, PastedList, PastedPerson, Problem } from "@/server/domain/list-parser/list-types";
import { parseList } from "@/server/domain/list-parser/parse-list";
import {
  type Assessment,
  type ValidateContext,
  type Validation,
  validate,
} from "@/server/domain/list-parser/validate-list";
import { Fingerprint } from "./fingerprint";
import { type Group, groups, type Item, type Marks, type Reading } from "./messages";

const longestShown = 160;
const longestRejected = 1000;

/** A text, read and validated: what the worker keeps, and what it tells the page of it. */
export class ListReading {
  readonly list: PastedList;
  readonly lines: LineIndex;
  assessment: Assessment;
  /** Items by group, in the order of the lines. An item is a record, or, from `records.length` on, a problem. */
  #grouped: Record<Group, number[]>;
  #kept = 0;
  #slipSizes = new Map<string, number>();

  constructor(
    readonly version: number,
    readonly text: string,
    readonly override: Override,
    context: ValidateContext,
  ) {
    this.list = parseList(text, override);
    this.lines = new LineIndex(text);
    [this.assessment, this.#grouped] = this.#validate(context);
  }

  validateAgain(context: ValidateContext): void {
    [this.assessment, this.#grouped] = this.#validate(context);
  }

  #validate(context: ValidateContext): [Assessment, Record<Group, number[]>] {
    const { records, problems } = this.list;
    const assessment = validate(records, context);
    const grouped = Object.fromEntries(groups.map((group) => [group, [] as number[]])) as Record<
      Group,
      number[]
    >;
    for (const [index, validation] of assessment.validations.entries())
      grouped[groupOf(validation)].push(index);
    for (const [index, { code }] of problems.entries())
      grouped[code === "heading" ? "skipped" : "fix"].push(records.length + index);
    if (problems.length > 0) grouped.fix.sort((one, other) => this.#lineOf(one) - this.#lineOf(other));
    this.#kept = countKept(assessment.validations, context.kept);
    this.#slipSizes = new Map(assessment.slips.map((slip) => [slip.domain, slip.records.length]));
    return [assessment, grouped];
  }

  /** What the page is told. The arrays of `marks` are made for it and may be handed over. */
  summary(): Reading {
    const { format, shape, delimiter, headerLine, columns, ignoredColumns, notes, lines } = this.list;
    const counts = Object.fromEntries(groups.map((group) => [group, this.#grouped[group].length]));
    const { rows, fingerprint } = this.#measure();
    return {
      version: this.version,
      format,
      shape,
      delimiter,
      headerLine,
      columns,
      ignoredColumns,
      notes,
      lineCount: lines.count,
      counts: counts as Reading["counts"],
      marks: this.#marks(),
      kept: this.#kept,
      rows,
      fingerprint,
    };
  }

  /** A stretch of one group's items, or of all that are not simply ready, what is to be fixed first. */
  items(group: Group | null, from: number, to: number): Item[] {
    const ids: number[] = [];
    let skipped = 0;
    for (const each of group ? [group] : groups.filter((one) => one !== "ready")) {
      const list = this.#grouped[each];
      ids.push(...list.slice(Math.max(0, from - skipped), Math.max(0, to - skipped)));
      skipped += list.length;
    }
    return ids.map((id) => this.item(id));
  }

  item(id: number): Item {
    const record = this.list.records[id];
    if (!record) return this.#problemItem(this.list.problems[id - this.list.records.length] as Problem);
    const validation = this.assessment.validations[id] as Validation;
    const suggestion = "suggestion" in validation ? validation.suggestion : null;
    const ofName = validation.kind === "invalid" && validation.field === "name";
    return {
      group: groupOf(validation),
      line: record.line,
      from: record.address.from,
      to: record.address.to,
      text: (ofName ? record.name : record.raw).slice(0, longestShown),
      message: messageOf(validation),
      suggestion,
      edits: suggestion === null ? [] : fixAddress(record, suggestion),
      keepKey: validation.kind === "mistyped" ? validation.canonical : null,
      slip:
        validation.kind === "mistyped"
          ? {
              domain: validation.domain,
              suggestedDomain: validation.suggestedDomain,
              people: this.#slipSizes.get(validation.domain) ?? 1,
            }
          : null,
      deletable: false,
      firstLine: validation.kind === "twice" ? validation.firstLine : null,
      code: null,
    };
  }

  #problemItem(problem: Problem): Item {
    const from = this.lines.start(problem.line - 1) + problem.column - 1;
    const to = Math.min(this.lines.end(problem.line - 1), from + problem.text.length);
    const deletable = problem.code === "no_address" || problem.code === "heading";
    return {
      group: problem.code === "heading" ? "skipped" : "fix",
      line: problem.line,
      from,
      to,
      text: problem.text.slice(0, longestShown),
      message: problem.message,
      suggestion: null,
      edits: deletable ? [this.#withoutLine(problem.line - 1)] : [],
      keepKey: null,
      slip: null,
      deletable,
      firstLine: null,
      code: problem.code,
    };
  }

  /** The first item to fix behind (or before) an offset, round the end; null when there is none. */
  next(offset: number, back: boolean): Item | null {
    const items = this.#grouped.fix.map((id) => ({ id, from: this.#fromOf(id) }));
    if (back) items.reverse();
    const found = items.find(({ from }) => (back ? from < offset : from > offset)) ?? items[0];
    return found ? this.item(found.id) : null;
  }

  #withoutLine(line: number): TextEdit {
    const isLast = line + 1 >= this.lines.count;
    const from = isLast && line > 0 ? this.lines.end(line - 1) : this.lines.start(line);
    return { from, to: isLast ? this.lines.end(line) : this.lines.start(line + 1), insert: "" };
  }

  /** Fixes everyone at one mistyped domain. */
  domainEdits(domain: string): TextEdit[] {
    const slip = this.assessment.slips.find((one) => one.domain === domain);
    if (!slip) return [];
    const people = slip.records.map((index) => this.list.records[index] as PastedPerson);
    return fixDomain(people, slip.suggestedDomain);
  }

  /** Who would be part of a plan, in the order of the lines. */
  rows(): PlanRow[] {
    const { records } = this.list;
    return this.#planned().map((index) => {
      const { line, email, name, status } = records[index] as PastedPerson;
      const row: PlanRow = { line, email: email.trim(), name };
      if (status === "active" || status === "pending") row.status = status;
      return row;
    });
  }

  // Whom the list itself calls unsubscribed is no part of it, wherever the list stands.
  #planned(): number[] {
    const { records } = this.list;
    const { validations } = this.assessment;
    const left = new Set<string>();
    for (const [index, validation] of validations.entries())
      if (records[index]?.status === "unsubscribed" && "canonical" in validation)
        left.add(validation.canonical);
    const planned: number[] = [];
    for (const [index, validation] of validations.entries()) {
      const { kind } = validation;
      if (kind === "invalid" || kind === "mistyped" || kind === "twice") continue;
      if (kind === "unsubscribed" && validation.by === "list") continue;
      if (left.size === 0 || !left.has(validation.canonical)) planned.push(index);
    }
    return planned;
  }

  /** What is to be fixed and was not: kept with the run, so that it can be fixed later. */
  rejected(): RejectedLine[] {
    const people = new Map<number, number>();
    for (const { line } of this.list.records) people.set(line, (people.get(line) ?? 0) + 1);
    return this.#grouped.fix.map((id) => {
      const { line, text, message, code } = this.item(id);
      const record = this.list.records[id];
      const alone = code !== null || people.get(line) === 1;
      const end = this.lines.end((record?.endLine ?? line) - 1);
      const whole = this.lines.text.slice(this.lines.start(line - 1), end).trim();
      return { line, text: (alone ? whole : text).slice(0, longestRejected), reason: message.slice(0, 300) };
    });
  }

  #measure(): { rows: number; fingerprint: number } {
    const fingerprint = new Fingerprint();
    const planned = this.#planned();
    for (const index of planned) {
      const { line, email, name, status } = this.list.records[index] as PastedPerson;
      fingerprint.add(line, email, name, status);
    }
    for (const id of this.#grouped.fix) fingerprint.add(this.#lineOf(id), String(id));
    return { rows: planned.length, fingerprint: fingerprint.value };
  }

  #marks(): Marks {
    const shown: { from: number; to: number; group: number }[] = [];
    for (const [index, group] of groups.entries()) {
      if (group === "ready") continue;
      for (const id of this.#grouped[group]) {
        const { from, to } = this.#placeOf(id);
        if (to > from) shown.push({ from, to, group: index });
      }
    }
    shown.sort((one, other) => one.from - other.from);
    const marks: Marks = {
      from: new Uint32Array(shown.length),
      to: new Uint32Array(shown.length),
      group: new Uint8Array(shown.length),
    };
    for (const [index, { from, to, group }] of shown.entries()) {
      marks.from[index] = from;
      marks.to[index] = to;
      marks.group[index] = group;
    }
    return marks;
  }

  #placeOf(id: number): { from: number; to: number } {
    const record = this.list.records[id];
    if (record) return record.address;
    const { from, to } = this.item(id);
    return { from, to };
  }

  #fromOf(id: number): number {
    return this.#placeOf(id).from;
  }

  #lineOf(id: number): number {
    const { records, problems } = this.list;
    return (records[id] ?? problems[id - records.length])?.line ?? 0;
  }
}

function countKept(validations: readonly Validation[], kept: ReadonlySet<string> | undefined): number {
  if (!kept || kept.size === 0) return 0;
  return validations.filter((validation) => {
    if (validation.kind !== "ready") return false;
    const { canonical } = validation;
    return kept.has(canonical) || kept.has(canonical.slice(canonical.lastIndexOf("@")));
  }).length;
}

function groupOf(validation: Validation): Group {
  switch (validation.kind) {
    case "invalid":
    case "mistyped":
      return "fix";
    case "active":
    case "pending":
      return "here";
    case "unsubscribed":
      return "left";
    default:
      return validation.kind;
  }
}

function messageOf(validation: Validation): string {
  switch (validation.kind) {
    case "invalid":
      return validation.message;
    case "mistyped":
      return `${validation.domain}: did you mean ${validation.suggestedDomain}?`;
    case "twice":
      return `The same person as on line ${validation.firstLine}, so they are added once.`;
    case "active":
      return "Already on the list, as active.";
    case "pending":
      return "Already on the list, as pending: asked to confirm, and has not yet.";
    case "unsubscribed":
      return validation.by === "newsletter"
        ? "Has unsubscribed earlier, and stays so: only their own yes brings them back."
        : "The list itself says that they have unsubscribed, so they are not added.";
    case "suppressed":
      return "Must not be mailed: their mailbox has rejected mail, or they have complained.";
    default:
      return "Ready to be added.";
  }
}
