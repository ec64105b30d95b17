import { type EmailFault, parseEmail } from "../email";
import { type NameFault, parseName } from "../name";
import type { Status } from "../status-moves";
import { DomainSuggestions } from "./domain-suggestions";
import type { PastedPerson } from "./list-types";

/**
 * What becomes of one record. `canonical` is what makes a person unique. `unsubscribed` by `list`: the pasted list
 * itself calls them so, and they are not added whatever their status here.
 */
export type Validation =
  | { kind: "ready"; canonical: string }
  | { kind: "active" | "pending"; canonical: string }
  | { kind: "unsubscribed"; canonical: string; by: "newsletter" | "list" }
  | { kind: "suppressed"; canonical: string }
  /** `first` is the index of the record that counts, `firstLine` its line. */
  | { kind: "twice"; canonical: string; first: number; firstLine: number }
  | { kind: "mistyped"; canonical: string; domain: string; suggestedDomain: string; suggestion: string }
  | { kind: "invalid"; field: "email"; code: EmailFault; message: string; suggestion: string | null }
  | { kind: "invalid"; field: "name"; code: NameFault; message: string; canonical: string };
export type ValidationKind = Validation["kind"];

export type ValidateContext = {
  /** Canonical address → status of whoever is on the list. May be partial and grow: validating again is cheap. */
  known?: ReadonlyMap<string, Status>;
  /** Canonical addresses that must not be mailed. */
  suppressed?: ReadonlySet<string>;
  /** Domains (lower case, A-labels) that are right however they look, such as those with many people on the list. */
  trustedDomains?: ReadonlySet<string>;
  /** Canonical addresses, or `@domain` for all of one, whose suggestion was turned down with Keep. */
  kept?: ReadonlySet<string>;
};

/** Everyone at one mistyped domain, for "apply to all 6": indexes of records. */
export type SlipGroup = { domain: string; suggestedDomain: string; records: number[] };

export type Assessment = {
  /** One for each record, in their order. */
  validations: Validation[];
  counts: Record<ValidationKind, number>;
  /** The largest first. */
  slips: SlipGroup[];
};

/**
 * Validates each record. Of several reasons the first holds: invalid, twice, suppressed, on the list, unsubscribed by the
 * list, mistyped, ready. Somebody whom any line of the list calls unsubscribed is so on every line.
 */
export function validate(records: readonly PastedPerson[], context: ValidateContext = {}): Assessment {
  const parsed = records.map(({ email }) => parseEmail(email));
  const domains = new Map<string, number>();
  const left = new Set<string>();
  const firsts = new Map<string, number>();
  for (let index = 0; index < parsed.length; index++) {
    const validation = parsed[index];
    if (!validation?.ok) continue;
    const { canonical } = validation;
    if (records[index]?.status === "unsubscribed") left.add(canonical);
    if (firsts.has(canonical)) continue;
    firsts.set(canonical, index);
    const domain = domainOf(canonical);
    domains.set(domain, (domains.get(domain) ?? 0) + 1);
  }
  const suggestions = new DomainSuggestions(domains, context.trustedDomains);
  const counts = {
    ready: 0,
    active: 0,
    pending: 0,
    unsubscribed: 0,
    suppressed: 0,
    twice: 0,
    mistyped: 0,
    invalid: 0,
  };
  const groups = new Map<string, SlipGroup>();

  const validations = records.map((record, index): Validation => {
    const email = parsed[index] as (typeof parsed)[number];
    if (!email.ok) {
      const { code, message } = email;
      return { kind: "invalid", field: "email", code, message, suggestion: fix(record.email, suggestions) };
    }
    const { canonical } = email;
    const name = nameFault(record.name);
    if (name) return { kind: "invalid", field: "name", code: name.code, message: name.message, canonical };
    const first = firsts.get(canonical) ?? index;
    if (first !== index) return { kind: "twice", canonical, first, firstLine: records[first]?.line ?? 1 };
    if (context.suppressed?.has(canonical)) return { kind: "suppressed", canonical };
    const status = context.known?.get(canonical);
    if (status === "unsubscribed") return { kind: "unsubscribed", canonical, by: "newsletter" };
    if (status) return { kind: status, canonical };
    if (left.has(canonical)) return { kind: "unsubscribed", canonical, by: "list" };
    const domain = domainOf(canonical);
    const suggestedDomain = suggestions.for(domain);
    if (!suggestedDomain || context.kept?.has(canonical) || context.kept?.has(`@${domain}`)) {
      return { kind: "ready", canonical };
    }
    const group = groups.get(domain);
    if (group) group.records.push(index);
    else groups.set(domain, { domain, suggestedDomain, records: [index] });
    const suggestion = withDomain(record.email, suggestedDomain);
    return { kind: "mistyped", canonical, domain, suggestedDomain, suggestion };
  });
  for (const { kind } of validations) counts[kind]++;
  const slips = [...groups.values()].sort((one, other) => other.records.length - one.records.length);
  return { validations, counts, slips };
}

const plainName = /^[ -~]{0,255}$/;

// Most names are ASCII, and in those only the length can be wrong.
function nameFault(name: string): { code: NameFault; message: string } | null {
  if (plainName.test(name)) return null;
  const validation = parseName(name);
  return validation.ok ? null : validation;
}

function domainOf(canonical: string): string {
  return canonical.slice(canonical.lastIndexOf("@") + 1);
}

function withDomain(email: string, domain: string): string {
  return `${email.trim().slice(0, email.trim().lastIndexOf("@") + 1)}${domain}`;
}

/** What an invalid address was probably meant to be, where removing or replacing a few characters makes it valid. */
function fix(email: string, suggestions: DomainSuggestions): string | null {
  if (email.length > 300) return null;
  const fixed = spelledOut(email)
    .normalize("NFKC")
    .replace(/\s+/g, "")
    .replace(/@+/g, "@")
    .replace(/^[<("'[]+|[>)"'\]]+$/g, "")
    .replace(/[,;]/g, ".")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.:-]+|[.:-]+$/g, "")
    .replace(/\.?@\.?/g, "@");
  const validation = parseEmail(fixed);
  if (!validation.ok || fixed === email) return null;
  const better = suggestions.for(domainOf(validation.canonical));
  return better ? withDomain(fixed, better) : fixed;
}

// ada (at) lovelace [dot] org, ada at lovelace dot org: written so that no machine reads it.
function spelledOut(email: string): string {
  if (email.includes("@")) return email;
  return email
    .replace(/[([{]\s{0,3}at\s{0,3}[)\]}]|\s+at\s+/i, "@")
    .replace(/[([{]\s{0,3}(?:dot|punkt|point)\s{0,3}[)\]}]|\s+(?:dot|punkt|point)\s+/gi, ".");
}
