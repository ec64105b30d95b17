import { writeTags } from "@/server/imports/list-parser/attribute-cells";
import { csvByteOrderMark, csvLine } from "@/server/kernel/csv";
import { fieldValueOf } from "@/server/subscribers/field-values";
import type { Outputs } from "../trpc";
import { fieldNames, type Person, personFields } from "./person-fields";

export type ExportedPerson = Outputs["people"]["exportChosen"][number];

/** Writes rows as a CSV file. The rows include the header. */
export const csv = (rows: string[][]) => csvByteOrderMark + rows.map(csvLine).join("");

const fieldsOf = (person: Person) =>
  fieldNames.map((name) => {
    const value = personFields[name].value(person);
    return (value instanceof Date ? value.toISOString() : value) ?? "";
  });

/**
 * Writes people as CSV. Each custom field has a column. Tags have one column, and so do unsubscribe links if the
 * export includes them.
 */
export function toCsv(people: ExportedPerson[], keys: string[] = []): string {
  const hasLinks = people.some(({ unsubscribeLink }) => unsubscribeLink !== undefined);
  const links = hasLinks ? ["unsubscribe_link"] : [];
  const head = [...fieldNames, ...keys.map((key) => `fields.${key}`), "tags", ...links];
  const cellsOf = (person: ExportedPerson) => [
    ...fieldsOf(person),
    ...keys.map((key) => String(fieldValueOf(person.fields, key) ?? "")),
    writeTags(person.tags),
    ...(hasLinks ? [person.unsubscribeLink ?? ""] : []),
  ];
  return csv([head, ...people.map(cellsOf)]);
}

export function toJson(people: Person[]): string {
  const records = people.map((person) => {
    const values = fieldsOf(person);
    const record = Object.fromEntries(fieldNames.map((name, i) => [name, values[i] || null]));
    return { ...record, fields: person.fields, tags: person.tags };
  });
  return `${JSON.stringify(records, null, 2)}\n`;
}
