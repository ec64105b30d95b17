import { lineFaults, parseLine } from "../kernel/line-of-text";

export const fieldTypes = ["text", "number", "date", "boolean", "choice"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** What a subscriber's field holds; a date as "2026-06-11". */
export type FieldValue = string | number | boolean;

/** A value by key. A field may be called `constructor`, which every object has. */
export const fieldValueOf = (fields: Record<string, FieldValue>, key: string): FieldValue | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

/** What a value is validated by. */
export type FieldRule = { key: string; type: FieldType; choices: string[] };

export const longestFieldText = 1000;
const textFaults = lineFaults("text", longestFieldText);

/** `value` null: none. */
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

/** Whether a text is a day of the calendar as ISO 8601 writes it, of the years 1 to 9999. */
export function isDate(text: string): boolean {
  const found = DATE.exec(text);
  if (!found || found[1] === "0000") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The choice that a text means: as it is written, or in other letters of case. */
export function findChoice(choices: string[], input: string): string | undefined {
  const wanted = input.trim().normalize("NFC");
  return (
    choices.find((choice) => choice === wanted) ??
    choices.find((choice) => choice.toLowerCase() === wanted.toLowerCase())
  );
}

/** Each type's rule, for a value that is there. */
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

/** A value as a query writes it: a number in figures, true or false; the others as they are. */
export function valueOfText({ type }: Pick<FieldRule, "type">, text: string): unknown {
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  return type === "number" && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Validates a value of JSON by its field's type. Null and an empty text are no value. Never throws. */
export function parseFieldValue(field: FieldRule, input: unknown): FieldValueValidation {
  if (input === null || (typeof input === "string" && input.trim() === "")) return accept(null);
  return rules[field.type](input, field);
}
