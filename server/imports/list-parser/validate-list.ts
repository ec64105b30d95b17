import type { EmailValidation } from "../../kernel/email";
import { parseName } from "../../kernel/name";
import type { Status } from "../../subscribers/status-moves";
import { parseListed, suggestAddress, withDomain } from "./address-fixes";
import { DomainSuggestions } from "./domain-suggestions";
import type { PastedPerson } from "./list-types";
import { addOptOut } from "./subscription-cells";

/**
 * The result for one record. `leaving`: opted out according to the list, imported as unsubscribed. `asked`: waiting for
 * an answer. `twice`: the person is also on an earlier line. `canonical` identifies a person.
 */
export type RowValidation =
  | { kind: Status | "ready" | "leaving" | "asked" | "suppressed" }
  | { kind: "twice"; firstLine: number }
  | { kind: "mistyped"; canonical: string; domain: string; suggestedDomain: string; suggestion: string }
  | { kind: "invalid"; message: string; suggestion: string | null };

export type ValidateContext = {
  /** Canonical address → current status. May be partial and grow. */
  known?: ReadonlyMap<string, Status>;
  /** Suppressed canonical addresses. */
  suppressed?: ReadonlySet<string>;
  /** Domains (lower case, A-labels) that are correct although they look mistyped, such as those of many subscribers. */
  trustedDomains?: ReadonlySet<string>;
  /** Canonical addresses, or `@domain` for a whole domain, whose correction the editor declined with Keep. */
  kept?: ReadonlySet<string>;
};

export type Assessment = {
  /** One for each record, in their order. */
  validations: RowValidation[];
  /** Number of people at each mistyped domain, for "apply to all 6". */
  slips: ReadonlyMap<string, number>;
  /** How many people would be mistyped without Keep. */
  kept: number;
  /** Indexes of the plan's records: ready people and people already on the list. */
  planned: number[];
};

/**
 * Validates the records of a list. Parses addresses once for all contexts, and merges the statuses of repeated people
 * into their first record.
 */
export class ListValidator {
  readonly #emails: EmailValidation[];
  /** For each record, the index of the first record with its address. */
  readonly #firsts: Int32Array;
  /** Number of people by domain. */
  readonly #counts = new Map<string, number>();

  constructor(readonly records: readonly PastedPerson[]) {
    this.#emails = records.map(({ email }) => parseListed(email));
    this.#firsts = new Int32Array(records.length);
    const firsts = new Map<string, number>();
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
      const domain = domainOf(canonical);
      this.#counts.set(domain, (this.#counts.get(domain) ?? 0) + 1);
    }
  }

  /**
   * Validates each record. The first match decides: invalid, twice, suppressed, already on the list, leaving, asked,
   * mistyped, ready.
   */
  validate(context: ValidateContext = {}): Assessment {
    const suggestions = new DomainSuggestions(this.#counts, context.trustedDomains);
    const slips = new Map<string, number>();
    const planned: number[] = [];
    let kept = 0;
    const validations = this.#emails.map((email, index): RowValidation => {
      let validation = this.#validateOne(index, email, context, suggestions);
      if (validation.kind === "mistyped") {
        const { canonical, domain } = validation;
        if (context.kept?.has(canonical) || context.kept?.has(`@${domain}`)) {
          validation = { kind: "ready" };
          kept++;
        } else slips.set(domain, (slips.get(domain) ?? 0) + 1);
      }
      if (!unplanned.has(validation.kind)) planned.push(index);
      return validation;
    });
    return { validations, slips, kept, planned };
  }

  #validateOne(
    index: number,
    email: EmailValidation,
    { suppressed, known }: ValidateContext,
    suggestions: DomainSuggestions,
  ): RowValidation {
    const record = this.records[index] as PastedPerson;
    const invalid = (message: string, suggestion: string | null = null) =>
      ({ kind: "invalid", message, suggestion }) as const;
    if (!email.ok) return invalid(email.message, suggestAddress(record.email, suggestions));
    const { canonical } = email;
    const name = parseName(record.name);
    if (!name.ok) return invalid(name.message);
    if (record.fault) return invalid(record.fault);
    const first = this.#firsts[index] ?? index;
    if (first !== index) return { kind: "twice", firstLine: this.records[first]?.line ?? 1 };
    if (suppressed?.has(canonical)) return { kind: "suppressed" };
    const status = known?.get(canonical);
    if (status) return { kind: status };
    if (record.leaving) return { kind: "leaving" };
    if (record.asked) return { kind: "asked" };
    const domain = domainOf(canonical);
    const suggestedDomain = suggestions.for(domain);
    if (!suggestedDomain) return { kind: "ready" };
    const suggestion = withDomain(record.email, suggestedDomain);
    return { kind: "mistyped", canonical, domain, suggestedDomain, suggestion };
  }
}

const domainOf = (canonical: string) => canonical.slice(canonical.lastIndexOf("@") + 1);

const unplanned: ReadonlySet<RowValidation["kind"]> = new Set(["invalid", "mistyped", "twice", "asked"]);

/** Adds what another line says about the same person. The strictest status wins. */
function merge(first: PastedPerson, other: PastedPerson): void {
  if (other.tags) first.tags = [...(first.tags ?? []), ...other.tags];
  if (other.fields) first.fields = { ...other.fields, ...first.fields };
  if (other.leaving) addOptOut(first, other.leaving.reason, other.leaving.at);
  if (first.leaving) return;
  if (other.asked) first.asked = [...new Set([...(first.asked ?? []), ...other.asked])];
  if (other.status === "pending") first.status = "pending";
}
