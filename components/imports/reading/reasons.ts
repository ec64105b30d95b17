import type { Oddity } from "@/server/domain/list-parser/oddities";
import type { RowValidation } from "@/server/domain/list-parser/validate-list";
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
    sentence: ({ firstLine }) => `The same person as on line ${firstLine}, so they are added once.`,
  },
  active: { group: "here", sentence: () => "Already on the list, as active." },
  pending: {
    group: "here",
    sentence: () => "Already on the list, as pending: asked to confirm, and has not yet.",
  },
  unsubscribed: {
    group: "unsubscribed",
    sentence: () => "Has unsubscribed earlier, and stays so: only their own yes brings them back.",
  },
  leaving: { group: "leaving", sentence: () => "" },
  asked: {
    group: "asked",
    sentence: () => "Waits for your answer to what the list says of them.",
  },
  suppressed: {
    group: "suppressed",
    sentence: () =>
      "Must not be written to: their address is suppressed. They unsubscribed, marked a mail as spam, said “this wasn’t me”, or it takes no mail.",
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

/** Why somebody who can be added deserves a look first. */
export const oddityReasons: Record<Oddity, string> = {
  name_is_address: "The name is an address. Is it theirs?",
  name_is_status: "The name is a word for a status. Is the right column the name?",
  name_is_label: "The name is a label, not a person’s. Is the right column the name?",
  name_of_another: "The name fits another address of this list better. Did lines slip?",
  name_has_digits: "The name has digits in it.",
  role_address: "An address of a service, not of a person: mail to it is often marked as spam.",
  name_in_capitals: "The name is in capitals, and is stored so.",
  stranger_domain: "Nobody else of this list is at this domain.",
};
