import { dateOfCell } from "./cell-dates";
import { isNothing } from "./clean-text";
import { isNameRole } from "./column-titles";
import type {
  ColumnRole,
  LeavingReason,
  ListColumn,
  ListEvidence,
  Meaning,
  PastedPerson,
} from "./list-types";
import {
  isLeavingReason,
  isNegated,
  meaningInside,
  meaningOfWord,
  reasonIn,
  speaksOfLeaving,
  sureReasonIn,
  yesOrNo,
} from "./meanings";
import type { Questions } from "./questions";

/** What one cell says about the subscription of its person. */
type Said =
  | { kind: "leaving"; reason: LeavingReason; at: string | null }
  | { kind: "ask"; value: string; understood: null }
  | { kind: "unconfirmed" | "active" | "pending" }
  | { kind: "evidence"; evidence: ListEvidence }
  | null;

type Column = ListColumn & {
  index: number;
  id: string;
  filled: boolean;
  saysStatus: boolean;
  /** "Newsletter" may be a yes or no, or the title of one. */
  decides: boolean;
  isDated: boolean;
};

const longestEvidence = 200;
const empty = "(empty)";
const plainCell = /^[ -~]{0,2}$/;

// In phpList's table of users `optedin` tells how somebody was confirmed, not whether.
const layouts = [{ has: ["confirmed", "blacklisted", "bouncecount"], saysNothing: ["optedin"] }];

/** Reads what the columns of a table, or the keys of JSON, say about each person's subscription. The strictest wins. */
export class SubscriptionCells {
  readonly #columns: Column[] = [];
  readonly #cached = new Map<string, boolean>();

  /** @param samples the first cells of each column, without the empty ones */
  constructor(
    columns: readonly ListColumn[],
    samples: (index: number) => readonly string[],
    readonly questions: Questions,
  ) {
    const titles = columns.map(({ title }) => title.toLowerCase());
    const silent = layouts
      .filter(({ has }) => has.every((title) => titles.includes(title)))
      .flatMap(({ saysNothing }) => saysNothing);
    for (const [index, column] of columns.entries()) {
      if (column.role === "email" || column.dismissed || silent.includes(column.title.toLowerCase()))
        continue;
      const cells = samples(index).map(bareCell);
      const doubled = columns.findIndex(({ title }) => title === column.title) !== index;
      // A column named "Type" may hold states all the same.
      const role =
        column.role === "ignored" && cells.some((cell) => sureReasonIn(cell)) ? "state" : column.role;
      this.#columns.push({
        ...column,
        role,
        index,
        id: `column:${column.title}${doubled ? ` ${index + 1}` : ""}`,
        filled: cells.length > 0,
        saysStatus: cells.some((cell) => (meaningOfWord(cell) ?? "nothing") !== "nothing"),
        decides: cells.some(
          (cell) => answerOf(cell) !== null || (meaningOfWord(cell) ?? "nothing") !== "nothing",
        ),
        isDated: cells.some((cell) => dateOfCell(cell) !== null),
      });
    }
  }

  /** Gives people what the cells of their row say. @param textOf the cell of a column; "" when there is none */
  read(textOf: (index: number) => string, people: readonly PastedPerson[]): void {
    const said: { column: Column; said: Exclude<Said, null> }[] = [];
    for (const column of this.#columns) {
      const written = textOf(column.index);
      const one = written === "" && !column.filled ? null : this.#said(column, bareCell(written));
      if (one) said.push({ column, said: one });
    }
    if (said.length === 0) return;
    for (const person of people) this.#give(person, said);
  }

  #give(person: PastedPerson, all: { column: Column; said: Exclude<Said, null> }[]): void {
    for (const { said } of all) if (said.kind === "leaving") addLeaving(person, said.reason, said.at);
    for (const { column, said } of all) {
      if (said.kind === "evidence") person.evidence = { ...person.evidence, ...said.evidence };
      else if (said.kind === "ask" && !person.leaving) this.#ask(person, column, said.value);
    }
    const says = (kind: string) => all.some(({ said }) => said.kind === kind);
    if (person.leaving) return;
    if (says("pending")) person.status = "pending";
    // Who never confirmed elsewhere has agreed to nothing.
    else if (says("unconfirmed")) addLeaving(person, "unsubscribed", null);
    else if (says("active") && person.status !== "pending") person.status = "active";
  }

  #ask(person: PastedPerson, { id, title }: Column, value: string): void {
    applyMeaning(person, id, this.questions.meaning(id, { about: "column", title }, value, null));
  }

  #said(column: Column, cell: string): Said {
    const { role } = column;
    const isEmpty = cell === "" || isNothing(cell) || nothing.test(cell);
    if (role === "confirmed") return confirmedCell(column, cell, isEmpty);
    if (role === "subscribed") return this.#subscribedCell(column, cell, isEmpty);
    if (isEmpty || role === "otherChannel") return null;
    if (role === "status" || (role === "state" && (column.saysStatus || isNegated(cell))))
      return this.#statusCell(column, cell);
    if (role === "unsubscribed" || role === "bounced" || role === "complained")
      return this.#leavingCell(column, role, cell);
    const evidence = evidenceOf(role, cell);
    if (evidence) return { kind: "evidence", evidence };
    return this.#besideCell(column, cell);
  }

  /** A column that is about something else holds people back all the same where it speaks of leaving. */
  #besideCell({ role }: Column, cell: string): Said {
    if (!this.#speaks(cell)) return null;
    if (isNameRole(role) && !speaksOfLeaving(cell, true)) return null;
    const reason = sureReasonIn(cell);
    return reason ? { kind: "leaving", reason, at: null } : ask(cell);
  }

  #statusCell({ id, title, role }: Column, cell: string): Said {
    if (dateOfCell(cell)) return null;
    const understood = meaningOfWord(cell) ?? meaningInside(cell);
    const isAsked = role === "status" || isNegated(cell) || this.questions.answers[id]?.[cell] !== undefined;
    if (understood === null && !isAsked) return null;
    const meaning = this.questions.meaning(id, { about: "column", title }, cell, understood);
    return meaning === null ? ask(cell) : saidOf(meaning);
  }

  #subscribedCell(column: Column, cell: string, isEmpty: boolean): Said {
    const answer = answerOf(cell);
    if (answer !== null) return answer ? null : { kind: "leaving", reason: "unsubscribed", at: null };
    if (isEmpty) return column.isDated || !column.decides ? null : ask(empty);
    const date = dateOfCell(cell);
    if (date) return date.at ? { kind: "evidence", evidence: { optedInAt: date.at } } : null;
    const word = meaningOfWord(cell) ?? meaningInside(cell);
    if (word !== null) return saidOf(word);
    return column.decides || isNegated(cell) || /false/i.test(cell) ? ask(cell) : null;
  }

  #leavingCell({ title }: Column, reason: LeavingReason, cell: string): Said {
    const counts = /count|\bbounces\b|number|num\b|anzahl/i.test(title);
    const answer = answerOf(cell);
    if (answer === false || (counts && Number(cell) === 0)) return null;
    if (counts && /^\d+$/.test(cell)) return ask(cell);
    const date = dateOfCell(cell);
    if (date) return { kind: "leaving", reason, at: date.at };
    const word = meaningOfWord(cell);
    if (word === "active" || word === "nothing") return null;
    if (isLeavingReason(word)) return { kind: "leaving", reason: word, at: null };
    const speaks = speaksOfLeaving(cell);
    if (answer || speaks || /reason|grund|motif|motivo/i.test(title))
      return {
        kind: "leaving",
        reason: speaks && reason === "unsubscribed" ? reasonIn(cell) : reason,
        at: null,
      };
    return /^https?:/i.test(cell) ? null : ask(cell);
  }

  /** Long lists have the same short cells again and again. */
  #speaks(cell: string): boolean {
    if (plainCell.test(cell) || dateLike.test(cell)) return false;
    const known = this.#cached.get(cell);
    if (known !== undefined) return known;
    const speaks = speaksOfLeaving(cell);
    if (this.#cached.size < 20_000 && cell.length <= 60) this.#cached.set(cell, speaks);
    return speaks;
  }
}
const nothing = /^(?:\[\]|\{\}|0000-00-00.*|null|none)$/i;
const dateLike = /^[\d\s.,:/+()-]+$/;

const ask = (value: string): Said => ({ kind: "ask", value, understood: null });

function saidOf(meaning: Meaning | null): Said {
  if (meaning === null || meaning === "nothing") return null;
  if (meaning === "active" || meaning === "pending") return { kind: meaning };
  return { kind: "leaving", reason: meaning, at: null };
}

function confirmedCell({ isDated, filled }: Column, cell: string, isEmpty: boolean): Said {
  const answer = yesOrNo(cell);
  if (answer === false || (isEmpty && isDated && filled)) return { kind: "unconfirmed" };
  if (isEmpty || answer) return null;
  const date = dateOfCell(cell);
  if (date) return date.at ? { kind: "evidence", evidence: { confirmedAt: date.at } } : null;
  const word = meaningOfWord(cell);
  return word === null ? (speaksOfLeaving(cell) ? ask(cell) : null) : saidOf(word);
}

/** "No, thanks" is a no. */
function answerOf(cell: string): boolean | null {
  return yesOrNo(cell) ?? yesOrNo(/^(\S{1,9})[,.!;]\s/.exec(cell)?.[1] ?? "");
}

function evidenceOf(role: ColumnRole, cell: string): ListEvidence | null {
  if (role !== "optedInAt" && role !== "ip" && role !== "source") return null;
  if (role === "optedInAt") {
    const date = dateOfCell(cell);
    return date?.at ? { optedInAt: date.at } : null;
  }
  if (role === "ip") return /^[\d.]{7,15}$|^[\da-f:.]{3,45}$/i.test(cell) ? { ip: cell } : null;
  return speaksOfLeaving(cell) ? null : { source: cell.slice(0, longestEvidence) };
}

// ["HARD_BOUNCE"] and 'active' are what a program wrote of a list or a text.
function bareCell(cell: string): string {
  return /^[[{"']/.test(cell)
    ? cell.replace(/^[[{"'\s]+|[\]}"'\s]+$/g, "").replaceAll('""', '"')
    : cell.trim();
}

const weight: Record<LeavingReason, number> = { unsubscribed: 1, bounced: 2, complained: 3 };

/** The list says that somebody left; of several reasons the gravest, of several times the latest. */
export function addLeaving(person: PastedPerson, reason: LeavingReason, at: string | null): void {
  const before = person.leaving;
  person.leaving = {
    reason: before && weight[before.reason] > weight[reason] ? before.reason : reason,
    at: before?.at && (!at || before.at > at) ? before.at : at,
  };
  delete person.status;
  delete person.asked;
}

/** Gives a person what was answered to a question; null holds them back. */
export function applyMeaning(person: PastedPerson, id: string, meaning: Meaning | null): void {
  if (person.leaving) return;
  if (meaning === null) person.asked = [...(person.asked ?? []), id];
  else if (isLeavingReason(meaning)) addLeaving(person, meaning, null);
  else if (meaning === "pending") person.status = "pending";
  else if (meaning === "active") person.status ??= "active";
}
