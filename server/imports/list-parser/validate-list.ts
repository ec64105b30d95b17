import type { EmailFault, EmailValidation } from "../../kernel/email";
import { type NameFault, parseName } from "../../kernel/name";
import type { Status } from "../../subscribers/status-moves";
import { parseListed, suggestAddress, withDomain } from "./address-fixes";
import { DomainSuggestions } from "./domain-suggestions";
import type { Leaving, PastedPerson } from "./list-types";
import { addLeaving } from "./subscription-cells";

/**
 * What becomes of one record. `canonical` is what makes a person unique. `leaving`: the list itself says that they left,
 * and they are added as unsubscribed; `asked`: something the list says of them has to be answered first.
 */
export type RowValidation =
  | { kind: "ready"; canonical: string }
  | { kind: "active" | "pending"; canonical: string }
  | { kind: "unsubscribed"; canonical: string }
  | ({ kind: "leaving"; canonical: string } & Leaving)
  | { kind: "asked"; canonical: string; questions: string[] }
  | { kind: "suppressed"; canonical: string }
  /** `first` is the index of the record that counts, `firstLine` its line. */
  | { kind: "twice"; canonical: string; first: number; firstLine: number }
  | { kind: "mistyped"; canonical: string; domain: string; suggestedDomain: string; suggestion: string }
  | { kind: "invalid"; field: "email"; code: EmailFault; message: string; suggestion: string | null }
  | { kind: "invalid"; field: "name"; code: NameFault; message: string; canonical: string }
  | { kind: "invalid"; field: `fields.${string}`; code: "invalid_field"; message: string; canonical: string };
export type ValidationKind = RowValidation["kind"];

export type ValidateContext = {
  /** Canonical address → status of who is here already. May be partial and grow. */
  known?: ReadonlyMap<string, Status>;
  /** Canonical addresses that must not be mailed. */
  suppressed?: ReadonlySet<string>;
  /** Domains (lower case, A-labels) that are right although they look mistyped, such as those of many subscribers. */
  trustedDomains?: ReadonlySet<string>;
  /** Canonical addresses, or `@domain` for all of one, whose suggestion was declined with Keep. */
  kept?: ReadonlySet<string>;
};

/** Everyone at one mistyped domain, for "apply to all 6": indexes of records. */
export type SlipGroup = { domain: string; suggestedDomain: string; records: number[] };

export type Assessment = {
  /** One for each record, in their order. */
  validations: RowValidation[];
  counts: Record<ValidationKind, number>;
  /** The largest first. */
  slips: SlipGroup[];
  /** How many people would be mistyped, had they not been kept. */
  kept: number;
  /** Indexes of the records that a plan consists of: who is ready, or already here. */
  planned: number[];
};

const noKinds: Record<ValidationKind, number> = {
  ready: 0,
  active: 0,
  pending: 0,
  unsubscribed: 0,
  leaving: 0,
  asked: 0,
  suppressed: 0,
  twice: 0,
  mistyped: 0,
  invalid: 0,
};

/**
 * Validates the records of one list. Addresses are parsed once, however often the context changes; the first record of a
 * person gets what the others say about their subscription.
 */
export class ListValidator {
  readonly #emails: EmailValidation[];
  /** For each record, the index of the first one with its address. */
  readonly #firsts: Int32Array;
  /** For each record that is the first, the index of its domain. */
  readonly #domainOf: Int32Array;
  readonly #domains: string[] = [];
  /** How many people each domain has. */
  readonly #counts: ReadonlyMap<string, number>;

  constructor(readonly records: readonly PastedPerson[]) {
    this.#emails = records.map(({ email }) => parseListed(email));
    this.#firsts = new Int32Array(records.length);
    this.#domainOf = new Int32Array(records.length);
    const firsts = new Map<string, number>();
    const domains = new Map<string, number>();
    const people: number[] = [];
    for (const [index, email] of this.#emails.entries()) {
      if (!email.ok) continue;
      const { canonical } = email;
      const first = firsts.get(canonical);
      this.#firsts[index] = first ?? index;
      if (first !== undefined) {
        merge(records[first] as PastedPerson, records[index] as PastedPerson);
        continue;
      }
      firsts.set(canonical, index);
      const domain = canonical.slice(canonical.lastIndexOf("@") + 1);
      let at = domains.get(domain);
      if (at === undefined) {
        at = this.#domains.push(domain) - 1;
        domains.set(domain, at);
      }
      this.#domainOf[index] = at;
      people[at] = (people[at] ?? 0) + 1;
    }
    this.#counts = new Map(this.#domains.map((domain, at) => [domain, people[at] ?? 0]));
  }

  /**
   * Validates each record. Of several reasons the first holds: invalid, twice, suppressed, here already, leaving, asked,
   * mistyped, ready.
   */
  validate(context: ValidateContext = {}): Assessment {
    const suggestions = new DomainSuggestions(this.#counts, context.trustedDomains);
    const groups = new Map<string, SlipGroup>();
    const counts = { ...noKinds };
    const planned: number[] = [];
    let kept = 0;
    const validations = this.#emails.map((email, index): RowValidation => {
      let validation = this.#validateOne(index, email, context, suggestions);
      if (validation.kind === "mistyped") {
        const { canonical, domain, suggestedDomain } = validation;
        const group = groups.get(domain);
        if (context.kept?.has(canonical) || context.kept?.has(`@${domain}`)) {
          validation = { kind: "ready", canonical };
          kept++;
        } else if (group) group.records.push(index);
        else groups.set(domain, { domain, suggestedDomain, records: [index] });
      }
      counts[validation.kind]++;
      if (!unplanned.has(validation.kind)) planned.push(index);
      return validation;
    });
    const slips = [...groups.values()].sort((one, other) => other.records.length - one.records.length);
    return { validations, counts, slips, kept, planned };
  }

  #validateOne(
    index: number,
    email: EmailValidation,
    { suppressed, known }: ValidateContext,
    suggestions: DomainSuggestions,
  ): RowValidation {
    const record = this.records[index] as PastedPerson;
    if (!email.ok) {
      const { code, message } = email;
      return {
        kind: "invalid",
        field: "email",
        code,
        message,
        suggestion: suggestAddress(record.email, suggestions),
      };
    }
    const { canonical } = email;
    const name = nameFault(record.name);
    if (name) return { kind: "invalid", field: "name", code: name.code, message: name.message, canonical };
    if (record.fault) {
      const { field, message } = record.fault;
      return { kind: "invalid", field: `fields.${field}`, code: "invalid_field", message, canonical };
    }
    const first = this.#firsts[index] ?? index;
    if (first !== index)
      return { kind: "twice", canonical, first, firstLine: this.records[first]?.line ?? 1 };
    if (suppressed?.has(canonical)) return { kind: "suppressed", canonical };
    const status = known?.get(canonical);
    if (status) return { kind: status, canonical };
    if (record.leaving) return { kind: "leaving", canonical, ...record.leaving };
    if (record.asked) return { kind: "asked", canonical, questions: record.asked };
    const domain = this.#domains[this.#domainOf[index] ?? 0] ?? "";
    const suggestedDomain = suggestions.for(domain);
    if (!suggestedDomain) return { kind: "ready", canonical };
    const suggestion = withDomain(record.email, suggestedDomain);
    return { kind: "mistyped", canonical, domain, suggestedDomain, suggestion };
  }
}

const unplanned: ReadonlySet<ValidationKind> = new Set(["invalid", "mistyped", "twice", "asked"]);

/** What another line says of the same person counts too, and the strictest wins. */
function merge(first: PastedPerson, other: PastedPerson): void {
  if (other.tags) first.tags = [...(first.tags ?? []), ...other.tags];
  if (other.fields) first.fields = { ...other.fields, ...first.fields };
  if (other.leaving) addLeaving(first, other.leaving.reason, other.leaving.at);
  if (first.leaving) return;
  if (other.asked) first.asked = [...new Set([...(first.asked ?? []), ...other.asked])];
  if (other.status === "pending") first.status = "pending";
}

const plainName = /^[ -~\u00a0-\u02ff]{0,255}$/;

// Most names are in Latin letters, and in those only the length can be wrong.
function nameFault(name: string): { code: NameFault; message: string } | null {
  if (plainName.test(name)) return null;
  const validation = parseName(name);
  return validation.ok ? null : validation;
}
