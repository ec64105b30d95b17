import { isAttributeRole } from "./attribute-cells";
import { dateOfCell } from "./cell-dates";
import { isNameRole } from "./column-titles";
import { mentionsOptOut } from "./leaving-signs";
import type {
  ColumnRole,
  LeavingReason,
  ListColumn,
  ListEvidence,
  Meaning,
  PastedPerson,
} from "./list-types";
import { isNegated, isWebAddress, meaningInside, reasonIn, sureReasonIn } from "./meanings";
import { memoized } from "./memoized";
import type { Questions } from "./questions";
import { isLeavingReason, isStatusWord, meaningOfWord } from "./status-words";
import { isKnownElsewhere } from "./title-signs";
import { emptyCell, isEmptyCell, parseYesOrNo, yesOrNo } from "./yes-or-no";

/** The content of a cell about its person's subscription. */
type CellClaim =
  | { kind: "leaving"; reason: LeavingReason; at: string | null }
  | { kind: "ask"; value: string }
  | { kind: "word"; value: string; understood: Meaning | null }
  | { kind: "unconfirmed" | "active" | "pending" }
  | { kind: "evidence"; of: keyof ListEvidence; value: string }
  | null;

type Column = ListColumn & {
  index: number;
  id: string;
  saysStatus: boolean;
  /** Whether the column holds yes and no or status words. A "Newsletter" column may hold titles instead. */
  decides: boolean;
  isDated: boolean;
  /** The status of an order or a customer, not of the subscription. */
  isElsewhere: boolean;
  /** Whether a yes or no in the column becomes a question. */
  isUnknown: boolean;
  read(written: string): CellClaim;
};

const aboutLeaving: readonly ColumnRole[] = [
  "status",
  "subscribed",
  "confirmed",
  "unsubscribed",
  "bounced",
  "complained",
];
/** Roles that do not tell the meaning of a yes or no. */
const unknownRoles: readonly ColumnRole[] = ["ignored", "state", "optedInAt"];
const longestEvidence = 200;
const plainCell = /^[ -~]{0,2}$/;

const layouts = [
  // phpList: `optedin` says how a person was confirmed, not whether.
  { has: ["confirmed", "blacklisted", "bouncecount"], saysNothing: ["optedin"] },
  // Our own exports: the status decides. Active people without a confirmation were added so.
  { has: ["status", "source", "added", "confirmed", "unsubscribed"], saysNothing: ["confirmed"] },
  {
    has: ["status", "source", "created_at", "confirmed_at", "unsubscribed_at"],
    saysNothing: ["confirmed_at"],
  },
  // Substack: the column says whether a person pays.
  { has: ["email", "active_subscription", "plan", "email_disabled"], saysNothing: ["active_subscription"] },
];

/** Reads each person's subscription from a table or JSON. The strictest cell decides. */
export class SubscriptionCells {
  readonly #columns: Column[] = [];

  /** @param samples returns the first non-empty cells of a column */
  constructor(
    columns: readonly ListColumn[],
    samples: (index: number) => readonly string[],
    readonly questions: Questions,
  ) {
    const titles = columns.map(({ title }) => title.toLowerCase());
    const silent = layouts
      .filter(({ has }) => has.every((title) => titles.includes(title)))
      .flatMap(({ saysNothing }) => saysNothing);
    const seen = new Set<string>();
    for (const [index, column] of columns.entries()) {
      const doubled = seen.has(column.title);
      seen.add(column.title);
      if (column.role === "email" || column.dismissed || silent.includes(column.title.toLowerCase()))
        continue;
      const cells = samples(index).map(bareCell);
      // A column such as "Type" may still hold status words.
      const own = isAttributeRole(column.role) ? "ignored" : column.role;
      const role = own === "ignored" && cells.some((cell) => sureReasonIn(cell)) ? "state" : own;
      const made: Column = {
        ...column,
        role,
        index,
        id: `column:${column.title}${doubled ? ` ${index + 1}` : ""}`,
        saysStatus: cells.some(isStatusWord),
        decides: cells.some((cell) => parseYesOrNo(cell) !== null || isStatusWord(cell)),
        isDated: cells.some((cell) => dateOfCell(cell) !== null),
        isElsewhere: column.role === "state" && isKnownElsewhere(column.title),
        isUnknown: unknownRoles.includes(column.role) && !isKnownElsewhere(column.title),
        read: memoized((written) => this.#readCell(made, bareCell(written)), 1_000),
      };
      this.#columns.push(made);
    }
  }

  /** Whether any column is about the subscription. */
  get tellsWhoLeft(): boolean {
    return this.#columns.some(({ role }) => aboutLeaving.includes(role));
  }

  /** Applies the cells of a row to its person. @param textOf returns a column's cell, or "" */
  read(textOf: (index: number) => string, person: PastedPerson): void {
    const is = { pending: false, active: false, unconfirmed: false };
    let asked: [Column, value: string][] | null = null;
    for (const column of this.#columns) {
      const written = textOf(column.index);
      const read = column.read(written);
      if (read === null && column.isUnknown) this.questions.unknown.add(column, bareCell(written), person);
      const said = this.#countWord(column, read);
      if (said === null) continue;
      if (said.kind === "leaving") addOptOut(person, said.reason, said.at);
      else if (said.kind === "evidence") {
        person.evidence ??= {};
        person.evidence[said.of] = said.value;
      } else if (said.kind === "ask") {
        asked ??= [];
        asked.push([column, said.value]);
      } else is[said.kind] = true;
    }
    // People known as opted out need no question.
    if (asked && !person.leaving) for (const [column, value] of asked) this.#ask(person, column, value);
    if (person.leaving) return;
    if (is.pending) person.status = "pending";
    // People who never confirmed elsewhere have not agreed.
    else if (is.unconfirmed) addOptOut(person, "unsubscribed", null);
    else if (is.active && person.status !== "pending") person.status = "active";
  }

  /** Counts a status word for its column's question and applies the answer. */
  #countWord({ id, title }: Column, said: CellClaim): Exclude<CellClaim, { kind: "word" }> {
    if (said?.kind !== "word") return said;
    const { value, understood } = said;
    // `#ask` counts this value later.
    if (understood === null) return { kind: "ask", value };
    return claimOf(this.questions.meaning(id, { about: "column", title }, value, understood));
  }

  #ask(person: PastedPerson, { id, title }: Column, value: string): void {
    applyMeaning(person, id, this.questions.meaning(id, { about: "column", title }, value, null));
  }

  #readCell(column: Column, cell: string): CellClaim {
    const { role } = column;
    const isEmpty = isEmptyCell(cell);
    if (role === "confirmed") return confirmedCell(column, cell, isEmpty);
    if (role === "subscribed") return this.#subscribedCell(column, cell, isEmpty);
    if (isEmpty || role === "otherChannel") return null;
    if (column.isElsewhere) {
      const reason = sureReasonIn(cell);
      return reason && leaving(reason);
    }
    if (role === "status" || (role === "state" && (column.saysStatus || isNegated(cell))))
      return this.#statusCell(column, cell);
    if (role === "unsubscribed" || role === "bounced" || role === "complained")
      return this.#leavingCell(column, role, cell);
    return evidenceOf(role, cell) ?? this.#besideCell(column, cell);
  }

  /** Holds people back if a column about something else mentions opting out. */
  #besideCell({ role }: Column, cell: string): CellClaim {
    if (plainCell.test(cell) || dateLike.test(cell) || isWebAddress(cell)) return null;
    if (!mentionsOptOut(cell)) return null;
    if (isNameRole(role) && !mentionsOptOut(cell, true)) return null;
    const reason = sureReasonIn(cell);
    return reason ? leaving(reason) : ask(cell);
  }

  #statusCell({ id, role }: Column, cell: string): CellClaim {
    if (dateOfCell(cell)) return null;
    const understood = meaningOfWord(cell) ?? meaningInside(cell);
    const isAsked = role === "status" || isNegated(cell) || this.questions.answers[id]?.[cell] !== undefined;
    return understood === null && !isAsked ? null : { kind: "word", value: cell, understood };
  }

  #subscribedCell(column: Column, cell: string, isEmpty: boolean): CellClaim {
    const answer = parseYesOrNo(cell);
    if (answer !== null) return answer ? null : leaving("unsubscribed");
    if (isEmpty) return column.isDated || !column.decides ? null : ask(emptyCell);
    const date = dateOfCell(cell);
    if (date) return evidence("optedInAt", date.at);
    const word = meaningOfWord(cell) ?? meaningInside(cell);
    if (word !== null) return claimOf(word);
    return column.decides || isNegated(cell) || /false/i.test(cell) ? ask(cell) : null;
  }

  #leavingCell({ title }: Column, reason: LeavingReason, cell: string): CellClaim {
    const counts = /count|\bbounces\b|number|num\b|anzahl/i.test(title);
    const answer = parseYesOrNo(cell);
    if (answer === false || (counts && Number(cell) === 0)) return null;
    if (counts && /^\d+$/.test(cell)) return ask(cell);
    const date = dateOfCell(cell);
    if (date) return leaving(reason, date.at);
    const word = meaningOfWord(cell);
    if (word === "active" || word === "nothing") return null;
    if (isLeavingReason(word)) return leaving(word);
    if (isWebAddress(cell)) return null;
    const speaks = mentionsOptOut(cell);
    if (answer || speaks || /reason|grund|motif|motivo/i.test(title))
      return leaving(speaks && reason === "unsubscribed" ? reasonIn(cell) : reason);
    return ask(cell);
  }
}
const dateLike = /^[\d\s.,:/+()-]+$/;

const ask = (value: string): CellClaim => ({ kind: "ask", value });

const leaving = (reason: LeavingReason, at: string | null = null) =>
  ({ kind: "leaving", reason, at }) as const;

function claimOf(meaning: Meaning | null): Exclude<CellClaim, { kind: "word" }> {
  if (meaning === null || meaning === "nothing") return null;
  return isLeavingReason(meaning) ? leaving(meaning) : { kind: meaning };
}

function confirmedCell({ isDated }: Column, cell: string, isEmpty: boolean): CellClaim {
  const answer = yesOrNo(cell);
  if (answer === false || (isEmpty && isDated)) return { kind: "unconfirmed" };
  if (isEmpty || answer) return null;
  const date = dateOfCell(cell);
  if (date) return evidence("confirmedAt", date.at);
  const word = meaningOfWord(cell);
  return word === null ? (mentionsOptOut(cell) ? ask(cell) : null) : claimOf(word);
}

const evidence = (of: keyof ListEvidence, value: string | null): CellClaim =>
  value ? { kind: "evidence", of, value } : null;

function evidenceOf(role: ColumnRole, cell: string): CellClaim {
  if (role === "optedInAt") return evidence("optedInAt", dateOfCell(cell)?.at ?? null);
  if (role === "ip") return /^[\d.]{7,15}$|^[\da-f:.]{3,45}$/i.test(cell) ? evidence("ip", cell) : null;
  return role === "source" && !mentionsOptOut(cell)
    ? evidence("source", cell.slice(0, longestEvidence))
    : null;
}

// Programs write lists and texts as ["HARD_BOUNCE"] and 'active'.
function bareCell(cell: string): string {
  return /^[[{"']/.test(cell)
    ? cell.replace(/^[[{"'\s]+|[\]}"'\s]+$/g, "").replaceAll('""', '"')
    : cell.trim();
}

const weight: Record<LeavingReason, number> = { unsubscribed: 1, bounced: 2, complained: 3 };

/** Marks a person as opted out, with the gravest reason and the latest time. */
export function addOptOut(person: PastedPerson, reason: LeavingReason, at: string | null): void {
  const before = person.leaving;
  person.leaving = {
    reason: before && weight[before.reason] > weight[reason] ? before.reason : reason,
    at: before?.at && (!at || before.at > at) ? before.at : at,
  };
  delete person.status;
  delete person.asked;
}

/** Applies the answer to a question; null holds the person back. */
export function applyMeaning(person: PastedPerson, id: string, meaning: Meaning | null): void {
  if (person.leaving) return;
  if (meaning === null) person.asked = [...(person.asked ?? []), id];
  else if (isLeavingReason(meaning)) addOptOut(person, meaning, null);
  else if (meaning === "pending") person.status = "pending";
  else if (meaning === "active") person.status ??= "active";
}
