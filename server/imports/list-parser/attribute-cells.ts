import { type FieldType, type FieldValueValidation, parseFieldValue } from "../../subscribers/field-values";
import { dateOfCell } from "./cell-dates";
import { isNothing } from "./clean-text";
import type { ColumnRole, ListColumn, ListField, PastedPerson } from "./list-types";
import { yesOrNo } from "./yes-or-no";

const fieldPrefix = "field:";
const tagTitles = new Set([
  "tags",
  "tag",
  "labels",
  "label",
  "etiquetas",
  "étiquettes",
  "schlagworte",
  "schlagwörter",
]);

/** Whether a column holds a field or tags. Other readers treat such columns as ignored. */
export const isAttributeRole = (role: ColumnRole) => role === "tags" || role.startsWith(fieldPrefix);
export const roleOfField = ({ key }: Pick<ListField, "key">): ColumnRole => `field:${key}`;
export const fieldOfRole = <T extends Pick<ListField, "key">>(
  role: ColumnRole,
  fields: readonly T[],
): T | undefined => fields.find((field) => roleOfField(field) === role);

/** The role of a column that has none yet: tags, or a field by its key, its label or its title in an export. */
function attributeRole(title: string, fields: readonly ListField[]): ColumnRole | null {
  const bare = title.trim().toLowerCase();
  const field =
    fields.find(({ key }) => bare === `fields.${key}`) ??
    fields.find(({ key, label }) => bare === key || bare === label.toLowerCase());
  if (field) return roleOfField(field);
  return tagTitles.has(bare) ? "tags" : null;
}

/** Gives ignored columns the roles of fields and tags. Each field has at most one column. */
export function withAttributeRoles(columns: ListColumn[], fields: readonly ListField[] = []): ListColumn[] {
  const taken = new Set<ColumnRole>();
  return columns.map((column) => {
    const role = column.role === "ignored" && !column.empty ? attributeRole(column.title, fields) : null;
    if (role === null || (role !== "tags" && taken.has(role))) return column;
    taken.add(role);
    return { ...column, role };
  });
}

/** Removes the apostrophe that exports write before formulas. */
const unguarded = (text: string) => text.replace(/(^|[;\t\r\n])(\s*)'(?=[=+\-@＝＋－＠])/g, "$1$2");

const piece = /\s*(?:"((?:[^"]|"")*)"|([^,;]*))\s*(?:[,;]|$)/y;

const googleLabels = /^\* | ::: /;

/** Splits a cell into tags at commas and semicolons. A tag with such a character is in double quotes. */
export function readTags(cell: string): string[] {
  // Skips Google's own groups, which every contact has: "* myContacts ::: Choir".
  if (googleLabels.test(cell)) return cell.split(" ::: ").filter((label) => !label.startsWith("* "));
  const tags: string[] = [];
  for (piece.lastIndex = 0; piece.lastIndex < cell.length; ) {
    const from = piece.lastIndex;
    const found = piece.exec(cell);
    // A quote within a tag: reads the rest as it is.
    const [, quoted, plain = ""] = found ?? [null, undefined, cell.slice(from)];
    if (!found) piece.lastIndex = cell.length;
    const tag = unguarded((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (tag !== "") tags.push(tag);
  }
  return tags;
}

/** Writes tags in the format of `readTags`. */
export const writeTags = (tags: readonly string[]): string =>
  tags.map((tag) => (/[",;]|^\s|\s$/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(", ");

const plainNumber = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** A German spreadsheet writes 3.5 as 3,5. Skips 1,234, which is ambiguous. */
const commaNumber = /^([+-]?\d+),(\d{1,2}|\d{4,})$/;

function numberOf(text: string): number | string {
  if (plainNumber.test(text)) return Number(text);
  const found = commaNumber.exec(text);
  return found ? Number(`${found[1]}.${found[2]}`) : text;
}

export function parseFieldCell(field: ListField, cell: string): FieldValueValidation {
  const text = unguarded(cell.trim());
  if (field.type === "number") {
    const validation = parseFieldValue(field, numberOf(text));
    return validation.ok
      ? validation
      : { ...validation, message: "The value must be a number such as 3 or 3.5." };
  }
  if (field.type === "boolean") {
    const validation = parseFieldValue(field, yesOrNo(text) ?? text);
    return validation.ok ? validation : { ...validation, message: "The value must be yes or no." };
  }
  if (field.type === "date") return parseFieldValue(field, dateOfCell(text)?.at?.slice(0, 10) ?? text);
  return parseFieldValue(field, text);
}

export function guessFieldType(cells: readonly string[]): FieldType {
  if (cells.length === 0) return "text";
  if (cells.every((cell) => typeof numberOf(cell) === "number")) return "number";
  if (cells.every((cell) => yesOrNo(cell) !== null)) return "boolean";
  return cells.every((cell) => dateOfCell(cell)?.at) ? "date" : "text";
}

type FieldColumn = { index: number; field: ListField };

/** Reads each person's fields and tags from a table. */
export class AttributeCells {
  readonly #tags: number[];
  readonly #fields: FieldColumn[];

  constructor(columns: readonly ListColumn[], fields: readonly ListField[] = []) {
    this.#tags = columns.flatMap(({ role }, index) => (role === "tags" ? [index] : []));
    this.#fields = columns.flatMap(({ role }, index) => {
      const field = fieldOfRole(role, fields);
      return field ? [{ index, field }] : [];
    });
  }

  /** @param textOf returns a column's cell, or "" */
  read(textOf: (index: number) => string, person: PastedPerson): void {
    for (const index of this.#tags) {
      const tags = readTags(textOf(index));
      if (tags.length > 0) person.tags = [...(person.tags ?? []), ...tags];
    }
    for (const { index, field } of this.#fields) {
      const cell = textOf(index);
      if (cell === "" || (field.type !== "text" && isNothing(cell))) continue;
      const validation = parseFieldCell(field, cell);
      if (!validation.ok) person.fault ??= `${field.label}: ${validation.message}`;
      else if (validation.value !== null) person.fields = { ...person.fields, [field.key]: validation.value };
    }
  }
}
