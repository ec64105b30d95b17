import { fixAddress, type TextEdit } from "@/server/imports/list-parser/edits";
import { accountLines } from "@/server/imports/list-parser/line-account";
import type { ListProblem, Override, PastedPerson } from "@/server/imports/list-parser/list-types";
import { type Oddity, oddities, oddityOf } from "@/server/imports/list-parser/oddities";
import { parseList } from "@/server/imports/list-parser/parse-list";
import { ListValidator, type ValidateContext } from "@/server/imports/list-parser/validate-list";
import type { PlanRow, RejectedLine, StatusRule } from "@/server/imports/schema/imports";
import { defaultStatusOf } from "@/server/subscribers/status-moves";
import { eachGroup, type Group, groups, type Marks } from "./messages";
import { groupOf, type Item, itemOf, newStatus, placeOfProblem, type Read } from "./preview-item";

const longestRejected = 1000;

/** Ready entries: `odd` ones need a look, the most telling first. */
type Ready = { odd: number[]; plain: number[] };

/** `fileName`: the text's source; null for a paste. */
type ListSource = { text: string; override: Override; fileName: string | null };

/** A text, read and validated. An entry is a record, or, from `records.length` on, a problem. */
export class ListReading {
  readonly #read: Read;
  readonly #validator: ListValidator;
  #grouped: Record<Group, number[]>;
  #ready: Ready | null = null;

  constructor(
    readonly version: number,
    private readonly source: ListSource,
    context: ValidateContext,
  ) {
    const list = parseList(source.text, source.override, source.fileName);
    this.#validator = new ListValidator(list.records);
    this.#read = { list, assessment: this.#validator.validate(context) };
    this.#grouped = this.#group();
  }

  /** Validates again after a check, or after the user keeps an address. */
  validateAgain(context: ValidateContext): void {
    this.#read.assessment = this.#validator.validate(context);
    this.#grouped = this.#group();
    this.#ready = null;
  }

  #group(): Record<Group, number[]> {
    const { list, assessment } = this.#read;
    const { records, problems } = list;
    const grouped = eachGroup((): number[] => []);
    for (const [index, validation] of assessment.validations.entries())
      grouped[groupOf(validation)].push(index);
    for (const [index, { code }] of problems.entries())
      grouped[code === "heading" ? "skipped" : "fix"].push(records.length + index);
    if (problems.length > 0) grouped.fix.sort((one, other) => this.#lineOf(one) - this.#lineOf(other));
    return grouped;
  }

  /** Summarizes the reading for the page. The arrays of `marks` are made for it and may be transferred. */
  summary() {
    const { list, assessment } = this.#read;
    const { shape, delimiter, headerLine, columns, ignoredKeys, notes } = list;
    const { kept, planned } = assessment;
    return {
      /** The text's version, as the page counts it. */
      version: this.version,
      shape,
      delimiter,
      headerLine,
      columns,
      /** The newsletter's fields, which a column can be about. */
      fields: this.source.override.fields ?? [],
      ignoredKeys,
      questions: list.questions,
      notes,
      account: accountLines(list),
      counts: eachGroup((group) => this.#grouped[group].length),
      /** Entries to fix that are people; the other entries have no address. */
      peopleToFix: this.#grouped.fix.filter((id) => id < list.records.length).length,
      /** Whether anyone has a status of their own in the list. `ownStatuses` counts these among the new people. */
      saysStatus: list.records.some(({ status }) => status !== undefined),
      ownStatuses: this.#ownStatuses(),
      marks: this.#marks(),
      /** Number of people with a kept address that would otherwise need a decision. */
      kept,
      /** Number of rows in a plan: ready people, and people already on the list. */
      rows: planned.length,
    };
  }

  #ownStatuses() {
    const own = { active: 0, pending: 0 };
    for (const id of this.#grouped.ready) {
      const status = this.#read.list.records[id]?.status;
      if (status) own[status]++;
    }
    return own;
  }

  /** A range of items of one group or of all. Entries to fix, to answer or odd come first, plain ready entries last. */
  items(group: Group | null, from: number, to: number, rule: StatusRule): Item[] {
    const ids = this.#stretches(group).flat().slice(from, to);
    return ids.map((id) => itemOf(this.#read, id, rule));
  }

  /** Runs only when the items are shown, because the counts don't need it. */
  #sortReady(): Ready {
    const { records } = this.#read.list;
    const odd = new Map<Oddity, number[]>(oddities.map((oddity) => [oddity, []]));
    const plain: number[] = [];
    for (const id of this.#grouped.ready) {
      const oddity = oddityOf(records[id] as PastedPerson);
      (oddity ? odd.get(oddity) : plain)?.push(id);
    }
    return { odd: [...odd.values()].flat(), plain };
  }

  #stretches(group: Group | null): number[][] {
    const { fix, asked } = this.#grouped;
    this.#ready ??= this.#sortReady();
    const { odd, plain } = this.#ready;
    if (group) return group === "ready" ? [odd, plain] : [this.#grouped[group]];
    const others = groups.filter((one) => one !== "fix" && one !== "asked" && one !== "ready");
    return [fix, asked, odd, ...others.map((one) => this.#grouped[one]), plain];
  }

  /** Returns the fixes for all people at one mistyped domain. */
  domainEdits(domain: string): TextEdit[] {
    const { list, assessment } = this.#read;
    return assessment.validations.flatMap((validation, index) =>
      validation.kind === "mistyped" && validation.domain === domain
        ? fixAddress(list.records[index] as PastedPerson, validation.suggestion)
        : [],
    );
  }

  /** The people of a plan, in line order. A status is set only where it differs from the rule's default. */
  rows(rule: StatusRule): PlanRow[] {
    const { list, assessment } = this.#read;
    return assessment.planned.map((index) => {
      const record = list.records[index] as PastedPerson;
      const { line, email, name, leaving, evidence, fields, tags } = record;
      const row: PlanRow = { line, email: email.trim(), name };
      const status = newStatus(record, rule);
      if (leaving) row.leaving = leaving;
      else if (status !== defaultStatusOf(rule)) row.status = status;
      if (evidence) row.evidence = evidence;
      if (fields) row.fields = fields;
      if (tags) row.tags = tags;
      return row;
    });
  }

  /** The unfixed lines. The import stores them, so staff can fix them later. */
  rejected(): RejectedLine[] {
    const { records, lines } = this.#read.list;
    const people = new Map<number, number>();
    for (const { line } of records) people.set(line, (people.get(line) ?? 0) + 1);
    return this.#grouped.fix.map((id) => {
      const { line, text, message } = itemOf(this.#read, id, "list");
      const record = records[id];
      const alone = !record || people.get(line) === 1;
      const end = lines.end((record?.endLine ?? line) - 1);
      const whole = this.source.text.slice(lines.start(line - 1), end).trim();
      return { line, text: (alone ? whole : text).slice(0, longestRejected), reason: message.slice(0, 300) };
    });
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

  #placeOf(id: number): { from: number; to: number } {
    const { records, problems } = this.#read.list;
    const place =
      records[id]?.address ?? placeOfProblem(this.#read.list, problems[id - records.length] as ListProblem);
    return { from: place.from, to: place.to };
  }

  #lineOf(id: number): number {
    const { records, problems } = this.#read.list;
    return (records[id] ?? problems[id - records.length])?.line ?? 0;
  }
}

/** The result of reading a text. Its size is independent of the text's length, except for `marks`. */
export type Reading = ReturnType<ListReading["summary"]> & {
  /** Counts the changes of the list and its corrections. Equal revisions request the same plan. */
  revision: number;
};
