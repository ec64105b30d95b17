import type { PlanRow, RejectedLine } from "@/server/contract/imports";
import { fixAddress, fixDomain, type TextEdit } from "@/server/domain/list-parser/edits";
import type { ListProblem, Override, PastedList, PastedPerson } from "@/server/domain/list-parser/list-types";
import { parseList } from "@/server/domain/list-parser/parse-list";
import {
  type Assessment,
  ListValidator,
  type RowValidation,
  type ValidateContext,
} from "@/server/domain/list-parser/validate-list";
import { Fingerprint } from "./fingerprint";
import { type Group, type GroupCounts, groups, type Item, type Marks, type Reading } from "./messages";
import { groupOf, reasonOf } from "./reasons";

const longestShown = 160;
const longestRejected = 1000;

type TextPlace = { from: number; to: number };

/** `fileName`: where the text comes from; null for a paste. */
export type ListSource = { text: string; override: Override; fileName: string | null };

/** A text, read and validated. An item is a record, or, from `records.length` on, a problem. */
export class ListReading {
  readonly #list: PastedList;
  readonly #validator: ListValidator;
  #assessment: Assessment;
  /** Items by group, in the order of the lines. */
  #grouped: Record<Group, number[]>;

  constructor(
    readonly version: number,
    { text, override, fileName }: ListSource,
    context: ValidateContext,
  ) {
    this.#list = parseList(text, override, fileName);
    this.#validator = new ListValidator(this.#list.records);
    this.#assessment = this.#validator.validate(context);
    this.#grouped = this.#group();
  }

  /** After the server has answered a check, or the person keeps an address. */
  validateAgain(context: ValidateContext): void {
    this.#assessment = this.#validator.validate(context);
    this.#grouped = this.#group();
  }

  #group(): Record<Group, number[]> {
    const { records, problems } = this.#list;
    const grouped = Object.fromEntries(groups.map((group) => [group, [] as number[]])) as Record<
      Group,
      number[]
    >;
    for (const [index, validation] of this.#assessment.validations.entries())
      grouped[groupOf(validation)].push(index);
    for (const [index, { code }] of problems.entries())
      grouped[code === "heading" ? "skipped" : "fix"].push(records.length + index);
    if (problems.length > 0) grouped.fix.sort((one, other) => this.#lineOf(one) - this.#lineOf(other));
    return grouped;
  }

  /** What the page shows. The arrays of `marks` are made for it and may be transferred. */
  summary(): Reading {
    const { format, shape, delimiter, headerLine, columns, ignoredColumns, notes, questions, lines } =
      this.#list;
    const counts = Object.fromEntries(groups.map((group) => [group, this.#grouped[group].length]));
    const { kept, planned } = this.#assessment;
    return {
      version: this.version,
      format,
      shape,
      delimiter,
      headerLine,
      columns,
      ignoredColumns,
      notes,
      questions,
      lineCount: lines.count,
      counts: counts as GroupCounts,
      marks: this.#marks(),
      kept,
      rows: planned.length,
      fingerprint: this.fingerprint(),
    };
  }

  /** A stretch of one group's items, or of all that are not simply ready, what is to be fixed first. */
  items(group: Group | null, from: number, to: number): Item[] {
    const ids: number[] = [];
    let before = 0;
    for (const each of group ? [group] : groups.filter((one) => one !== "ready")) {
      const list = this.#grouped[each];
      ids.push(...list.slice(Math.max(0, from - before), Math.max(0, to - before)));
      before += list.length;
    }
    return ids.map((id) => this.#item(id));
  }

  #item(id: number): Item {
    const record = this.#list.records[id];
    if (!record) return this.#problemItem(this.#list.problems[id - this.#list.records.length] as ListProblem);
    const validation = this.#assessment.validations[id] as RowValidation;
    const suggestion = "suggestion" in validation ? validation.suggestion : null;
    const ofName = validation.kind === "invalid" && validation.field === "name";
    return {
      ...reasonOf(validation),
      line: record.line,
      from: record.address.from,
      to: record.address.to,
      text: (ofName ? record.name : record.raw).slice(0, longestShown),
      suggestion,
      edits: suggestion === null ? [] : fixAddress(record, suggestion),
      slip: validation.kind === "mistyped" ? this.#slip(validation) : null,
      deletable: false,
    };
  }

  #slip({ canonical, domain, suggestedDomain }: Extract<RowValidation, { kind: "mistyped" }>): Item["slip"] {
    const people = this.#assessment.slips.find((slip) => slip.domain === domain)?.records.length ?? 1;
    return { canonical, domain, suggestedDomain, people };
  }

  #problemItem(problem: ListProblem): Item {
    const { line, code, message, text } = problem;
    const deletable = code === "no_address" || code === "heading";
    return {
      group: code === "heading" ? "skipped" : "fix",
      line,
      ...this.#placeOfProblem(problem),
      text: text.slice(0, longestShown),
      message,
      suggestion: null,
      edits: deletable ? [this.#withoutLine(line - 1)] : [],
      slip: null,
      deletable,
    };
  }

  /** The first item to fix after (or before) an offset, round the end; null when there is none. */
  next(offset: number, back: boolean): Item | null {
    const items = this.#grouped.fix.map((id) => ({ id, from: this.#placeOf(id).from }));
    if (back) items.reverse();
    const found = items.find(({ from }) => (back ? from < offset : from > offset)) ?? items[0];
    return found ? this.#item(found.id) : null;
  }

  #withoutLine(line: number): TextEdit {
    const { lines } = this.#list;
    const isLast = line + 1 >= lines.count;
    const from = isLast && line > 0 ? lines.end(line - 1) : lines.start(line);
    return { from, to: isLast ? lines.end(line) : lines.start(line + 1), insert: "" };
  }

  /** Fixes everyone at one mistyped domain. */
  domainEdits(domain: string): TextEdit[] {
    const slip = this.#assessment.slips.find((one) => one.domain === domain);
    if (!slip) return [];
    const people = slip.records.map((index) => this.#list.records[index] as PastedPerson);
    return fixDomain(people, slip.suggestedDomain);
  }

  /** The people of a plan, in the order of the lines. */
  rows(): PlanRow[] {
    return this.#assessment.planned.flatMap((index) => {
      const { line, email, name, status, leaving } = this.#list.records[index] as PastedPerson;
      return leaving ? [] : [{ line, email: email.trim(), name, ...(status && { status }) }];
    });
  }

  /** What is to be fixed and was not: stored with the import, so that it can be fixed later. */
  rejected(): RejectedLine[] {
    const { records, lines } = this.#list;
    const people = new Map<number, number>();
    for (const { line } of records) people.set(line, (people.get(line) ?? 0) + 1);
    return this.#grouped.fix.map((id) => {
      const { line, text, message } = this.#item(id);
      const record = records[id];
      const alone = !record || people.get(line) === 1;
      const end = lines.end((record?.endLine ?? line) - 1);
      const whole = lines.text.slice(lines.start(line - 1), end).trim();
      return { line, text: (alone ? whole : text).slice(0, longestRejected), reason: message.slice(0, 300) };
    });
  }

  /** Two readings with the same fingerprint ask for the same plan. */
  fingerprint(): number {
    const fingerprint = new Fingerprint();
    for (const { line, ...row } of this.rows()) fingerprint.add(line, ...Object.values(row));
    for (const id of this.#grouped.fix) fingerprint.add(this.#lineOf(id), String(id));
    return fingerprint.value;
  }

  #marks(): Marks {
    const shown = groups
      .flatMap((group, index) =>
        group === "ready" ? [] : this.#grouped[group].map((id) => ({ ...this.#placeOf(id), group: index })),
      )
      .filter(({ from, to }) => to > from)
      .sort((one, other) => one.from - other.from);
    return {
      from: Uint32Array.from(shown, ({ from }) => from),
      to: Uint32Array.from(shown, ({ to }) => to),
      group: Uint8Array.from(shown, ({ group }) => group),
    };
  }

  #placeOf(id: number): TextPlace {
    const { records, problems } = this.#list;
    const { from, to } =
      records[id]?.address ?? this.#placeOfProblem(problems[id - records.length] as ListProblem);
    return { from, to };
  }

  #placeOfProblem({ line, column, text }: ListProblem): TextPlace {
    const from = this.#list.lines.start(line - 1) + column - 1;
    return { from, to: Math.min(this.#list.lines.end(line - 1), from + text.length) };
  }

  #lineOf(id: number): number {
    const { records, problems } = this.#list;
    return (records[id] ?? problems[id - records.length])?.line ?? 0;
  }
}
