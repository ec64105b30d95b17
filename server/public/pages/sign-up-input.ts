import { DomainSuggestions } from "../../imports/list-parser/domain-suggestions";
import { parseEmail } from "../../kernel/email";
import { parseName } from "../../kernel/name";
import { fieldInput, signUpInputs } from "../../sign-up/schema/sign-up-page";
import type { SignUpField, SignUpView } from "../../sign-up/sign-up-page";
import { type FieldValue, parseFieldValue, valueOfText } from "../../subscribers/field-values";
import type { Address, PersonName } from "../../subscribers/schema/subscriber";
import type { SignUpError } from "./messages";

/** The typed texts by input name, so that a page can show them again. */
export type Typed = Record<string, string>;
export type SignUpErrors = Record<string, SignUpError>;

type SignUpReading =
  | { ok: true; email: Address; name: PersonName; fields: Record<string, FieldValue> }
  | { ok: false; errors: SignUpErrors };

/** Returns the form's inputs that the page has. All other inputs are ignored. */
export function typedIn(form: URLSearchParams, { fields }: Pick<SignUpView, "fields">): Typed {
  const names = [signUpInputs.email, signUpInputs.name, ...fields.map(({ key }) => fieldInput(key))];
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]));
}

/** The errors of those validation codes that have another name. */
const errorOfCode: Partial<Record<string, SignUpError>> = {
  too_long: "tooLong",
  lone_surrogate: "characters",
  control_char: "characters",
  bidi_control: "characters",
  invalid_type: "number",
  invalid_date: "date",
  invalid_choice: "choice",
};

/** The replacement character for undecodable bytes. */
const UNDECODABLE = "\uFFFD";

type FieldReading = { value: FieldValue | null } | { error: SignUpError };

const missing = ({ type }: SignUpField): SignUpError => (type === "choice" ? "choose" : "missing");

export function readField(field: SignUpField, text: string): FieldReading {
  const { type, required } = field;
  // Browsers don't send an unchecked checkbox.
  if (type === "boolean") {
    if (required && text !== "true") return { error: "tick" };
    return { value: text === "true" };
  }
  if (text.includes(UNDECODABLE)) return { error: "characters" };
  // Much of Europe writes 3,5 for 3.5.
  const written = type === "number" ? text.trim().replace(/^([+-]?\d+),(\d+)$/, "$1.$2") : text;
  const parsed = parseFieldValue(field, valueOfText(field, written));
  if (!parsed.ok) return { error: errorOfCode[parsed.code] ?? "missing" };
  if (parsed.value === null && required) return { error: missing(field) };
  return { value: parsed.value };
}

export function readEmail(text: string): { email: Address } | { error: SignUpError } {
  if (text.trim() === "") return { error: "emailMissing" };
  const parsed = parseEmail(text);
  return parsed.ok ? { email: { email: parsed.email, canonical: parsed.canonical } } : { error: "email" };
}

const suggestions = new DomainSuggestions(new Map());

/** The address that a person with a mistyped domain probably meant; null when the domain looks right. */
export function meantAddress({ email, canonical }: Address): Address | null {
  const meant = suggestions.for(canonical.slice(canonical.lastIndexOf("@") + 1));
  if (meant === null) return null;
  const reading = readEmail(`${email.slice(0, email.lastIndexOf("@"))}@${meant}`);
  return "email" in reading ? reading.email : null;
}

export function readTypedName(text: string): { name: PersonName } | { error: SignUpError } {
  const parsed = parseName(text);
  if (!parsed.ok) return { error: errorOfCode[parsed.code] ?? "characters" };
  if (text.includes(UNDECODABLE)) return { error: "characters" };
  return { name: { firstName: parsed.firstName, lastName: parsed.lastName } };
}

/** Validates a form with the API's rules. Never throws. */
export function readSignUp(typed: Typed, { fields, asksName }: SignUpView): SignUpReading {
  const errors: SignUpErrors = {};
  const email = readEmail(typed[signUpInputs.email] ?? "");
  if ("error" in email) errors[signUpInputs.email] = email.error;
  const name = readTypedName(asksName ? (typed[signUpInputs.name] ?? "") : "");
  if ("error" in name) errors[signUpInputs.name] = name.error;
  const values: Record<string, FieldValue> = {};
  for (const field of fields) {
    const reading = readField(field, typed[fieldInput(field.key)] ?? "");
    if ("error" in reading) errors[fieldInput(field.key)] = reading.error;
    else if (reading.value !== null) values[field.key] = reading.value;
  }
  if ("error" in email || "error" in name || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, ...email, ...name, fields: values };
}
