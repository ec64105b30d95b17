import type { LeavingReason } from "@/server/domain/list-parser/list-types";
import type { RowValidation } from "@/server/domain/list-parser/validate-list";
import type { Group } from "./messages";

type Reasons = {
  [Kind in RowValidation["kind"]]: {
    group: Group;
    sentence(validation: Extract<RowValidation, { kind: Kind }>): string;
  };
};

const leavingSentences: Record<LeavingReason, string> = {
  unsubscribed: "The list says that they have unsubscribed.",
  bounced: "The list says that mail to them came back.",
  complained: "The list says that they marked a mail as spam.",
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
  leaving: { group: "leaving", sentence: ({ reason }) => leavingSentences[reason] },
  asked: {
    group: "asked",
    sentence: () =>
      "The list says something of them that has to be answered first. Until then they are not added.",
  },
  suppressed: {
    group: "suppressed",
    sentence: () =>
      "Must not be written to: their address is suppressed. They unsubscribed, marked a mail as spam, said “this wasn’t me”, or it takes no mail.",
  },
  ready: { group: "ready", sentence: () => "Ready to be added." },
};

/** The group a validation is counted in, and its sentence. */
export function reasonOf<Kind extends RowValidation["kind"]>(
  validation: Extract<RowValidation, { kind: Kind }>,
): { group: Group; message: string } {
  const { group, sentence } = reasons[validation.kind as Kind];
  return { group, message: sentence(validation) };
}

export const groupOf = ({ kind }: RowValidation): Group => reasons[kind].group;
