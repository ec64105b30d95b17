import type { Oddity } from "@/server/imports/list-parser/oddities";
import type { RowValidation } from "@/server/imports/list-parser/validate-list";
import type { Group } from "./messages";

const groupOfKind: Record<RowValidation["kind"], Group> = {
  invalid: "fix",
  mistyped: "fix",
  twice: "twice",
  active: "here",
  pending: "here",
  unsubscribed: "unsubscribed",
  leaving: "leaving",
  asked: "asked",
  suppressed: "suppressed",
  ready: "ready",
};

/** The group a validation is counted in. */
export const groupOf = ({ kind }: RowValidation): Group => groupOfKind[kind];

/** The sentence that the page shows. */
export function reasonOf(validation: RowValidation): string {
  switch (validation.kind) {
    case "invalid":
      return validation.message;
    case "mistyped":
      return `${validation.domain}: did you mean ${validation.suggestedDomain}?`;
    case "twice":
      return `Same person as on line ${validation.firstLine}, added once.`;
    case "active":
      return "Already on the list as active.";
    case "pending":
      return "Already on the list as pending: not confirmed yet.";
    case "unsubscribed":
      return "Unsubscribed earlier. Only they can resubscribe, by confirming by email.";
    case "asked":
      return "Needs your answer to a question about the list.";
    case "suppressed":
      return "Suppressed: the address never receives email. The person unsubscribed, reported spam or said “this wasn’t me”, or the address bounced.";
    default:
      return "";
  }
}

/** Why a ready person needs a look first. */
export const oddityReasons: Record<Oddity, string> = {
  name_is_address: "The name is an address. Is it theirs?",
  name_is_status: "The name is a word for a status. Is the right column the name?",
  name_is_label: "The name is a label, not a person’s. Is the right column the name?",
  name_has_digits: "The name has digits in it.",
  role_address: "A role address, not a person’s: emails to it are often marked as spam.",
  name_in_capitals: "The name is in capitals and is stored in capitals.",
};
