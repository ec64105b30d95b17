import type { Oddity } from "@/server/imports/list-parser/oddities";
import type { RowValidation } from "@/server/imports/list-parser/validate-list";
import type { Group } from "./messages";

type Reasons = {
  [Kind in RowValidation["kind"]]: {
    group: Group;
    sentence(validation: Extract<RowValidation, { kind: Kind }>): string;
  };
};

/** The group a validation is counted in, and the sentence that the page shows. */
const reasons: Reasons = {
  invalid: { group: "fix", sentence: ({ message }) => message },
  mistyped: {
    group: "fix",
    sentence: ({ domain, suggestedDomain }) => `${domain}: did you mean ${suggestedDomain}?`,
  },
  twice: {
    group: "twice",
    sentence: ({ firstLine }) => `Same person as on line ${firstLine}, added once.`,
  },
  active: { group: "here", sentence: () => "Already on the list as active." },
  pending: {
    group: "here",
    sentence: () => "Already on the list as pending: not confirmed yet.",
  },
  unsubscribed: {
    group: "unsubscribed",
    sentence: () => "Unsubscribed earlier. Only they can resubscribe, by confirming by email.",
  },
  leaving: { group: "leaving", sentence: () => "" },
  asked: {
    group: "asked",
    sentence: () => "Needs your answer to a question about the list.",
  },
  suppressed: {
    group: "suppressed",
    sentence: () =>
      "Suppressed: the address never receives email. The person unsubscribed, reported spam or said “this wasn’t me”, or the address bounced.",
  },
  ready: { group: "ready", sentence: () => "" },
};

/** The group a validation is counted in, and its sentence. */
export function reasonOf<Kind extends RowValidation["kind"]>(
  validation: Extract<RowValidation, { kind: Kind }>,
): { group: Group; message: string } {
  const { group, sentence } = reasons[validation.kind as Kind];
  return { group, message: sentence(validation) };
}

export const groupOf = ({ kind }: RowValidation): Group => reasons[kind].group;

/** Why a ready person needs a look first. */
export const oddityReasons: Record<Oddity, string> = {
  name_is_address: "The name is an address. Is it theirs?",
  name_is_status: "The name is a word for a status. Is the right column the name?",
  name_is_label: "The name is a label, not a person’s. Is the right column the name?",
  name_has_digits: "The name has digits in it.",
  role_address: "A role address, not a person’s: emails to it are often marked as spam.",
  name_in_capitals: "The name is in capitals and is stored in capitals.",
};
