import { lineFaults, parseLine } from "../kernel/name";

export const fieldTypes = ["text", "number", "date", "boolean", "choice"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** A subscriber's field value; a date as "2026-06-11". */
export type FieldValue = string | number | boolean;

/** Values by key. A null prototype allows a field named `constructor`. */
export const fieldValueOf = (fields: Record<string, FieldValue>, key: string): FieldValue | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

/** The parts of a field that validation needs. */
export type FieldRule = { key: string; type: FieldType; choices: string[] };

export const longestFieldText = 1000;
const textFaults = lineFaults("text", longestFieldText);

/** A null `value` means no value. */
export type FieldValueValidation =
  | { ok: true; value: FieldValue | null }
  | { ok: false; code: string; message: string };

const reject = (code: string, message: string): FieldValueValidation => ({ ok: false, code, message });
const accept = (value: FieldValue | null): FieldValueValidation => ({ ok: true, value });

function parseText(input: string): FieldValueValidation {
  const line = parseLine(input, longestFieldText);
  return line.ok ? accept(line.text) : reject(line.code, textFaults[line.code]);
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Whether a text is a calendar day in ISO 8601, in the years 1 to 9999. */
export function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (!found || found[1] === "0000") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Finds the choice that a text names, ignoring case if necessary. */
export function findChoice(choices: string[], input: string): string | undefined {
  const wanted = input.trim().normalize("NFC");
  return (
    choices.find((choice) => choice === wanted) ??
    choices.find((choice) => choice.toLowerCase() === wanted.toLowerCase())
  );
}

/** The rule of each type, for a present value. */
const rules: Record<FieldType, (input: unknown, field: FieldRule) => FieldValueValidation> = {
  text: (input) =>
    typeof input === "string" ? parseText(input) : reject("invalid_type", "The value must be a string."),
  number: (input) =>
    typeof input === "number" && Number.isFinite(input)
      ? accept(input === 0 ? 0 : input)
      : reject("invalid_type", "The value must be a number, not in quotes."),
  date: (input) =>
    typeof input === "string" && isDate(input)
      ? accept(input)
      : reject("invalid_date", 'The value must be a date such as "2026-06-11".'),
  boolean: (input) =>
    typeof input === "boolean"
      ? accept(input)
      : reject("invalid_type", "The value must be true or false, not in quotes."),
  choice(input, { choices }) {
    const choice = typeof input === "string" ? findChoice(choices, input) : undefined;
    const listed = choices.map((one) => JSON.stringify(one)).join(", ");
    return choice === undefined
      ? reject("invalid_choice", `The value must be one of ${listed}.`)
      : accept(choice);
  },
};

/** Parses a query value: numbers as digits, true or false, other types as text. */
export function valueOfText({ type }: Pick<FieldRule, "type">, text: string): unknown {
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  return type === "number" && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Validates a JSON value by its field's type. Null and empty text mean no value. Never throws. */
export function parseFieldValue(field: FieldRule, input: unknown): FieldValueValidation {
  if (input === null || (typeof input === "string" && input.trim() === "")) return accept(null);
  return rules[field.type](input, field);
}

/** The canonical form of a tag's name. */
export const canonicalTag = (name: string) => name.normalize("NFC").toLowerCase();
