import type { ReactNode } from "react";
import type { OutcomeCounts, PlanOptions } from "@/server/contract/imports";
import { count, people } from "../parts/numbers";

export type OutcomeLine = { key: string; number: number; text: ReactNode };
type Tense = "will" | "did";

const stay = { will: "stay", did: "stayed" };
const are = { will: "are", did: "were" };
const one = (n: number, single: string, several: string) => (n === 1 ? single : several);

/** What becomes of the list, as sentences that begin with a number; what concerns nobody is left out. */
export function outcomeLines(
  counts: OutcomeCounts,
  existing: PlanOptions["existing"],
  tense: Tense,
): OutcomeLine[] {
  const be = (n: number) => (tense === "will" ? one(n, "is", "are") : one(n, "was", "were"));
  const lines: OutcomeLine[] = [
    {
      key: "new_active",
      number: counts.new_active,
      text: `${be(counts.new_active)} added as active, without a mail`,
    },
    {
      key: "new_pending",
      number: counts.new_pending,
      text: `${be(counts.new_pending)} added as pending, and ${be(counts.new_pending)} mailed to confirm`,
    },
    { key: "here", ...here(counts, existing, tense) },
    {
      key: "unsubscribed",
      number: counts.unsubscribed,
      text: `unsubscribed earlier and ${tense === "will" ? one(counts.unsubscribed, "stays", stay.will) : stay.did} so`,
    },
    {
      key: "suppressed",
      number: counts.suppressed,
      text: `must not be mailed and ${be(counts.suppressed)} not added`,
    },
  ];
  return lines.filter(({ number }) => number > 0);
}

function here(
  { already_active, already_pending, namesFilled }: OutcomeCounts,
  existing: PlanOptions["existing"],
  tense: Tense,
): { number: number; text: string } {
  const number = already_active + already_pending;
  const verb = number === 1 ? (tense === "will" ? "is" : "was") : are[tense];
  const named =
    existing === "fill_blank_names" && namesFilled > 0
      ? `; ${count(namesFilled)} of them ${namesFilled === 1 ? (tense === "will" ? "is" : "was") : are[tense]} given a name`
      : " as they are";
  return { number, text: `${verb} on the roll already and ${verb} left${named}` };
}

/** How many people the run adds: the number on the button and in the box. */
export const addedBy = (counts: OutcomeCounts) => counts.new_active + counts.new_pending;

/** "Add 1,204 people", or what else there is to do; null when nothing is. */
export function commitWord(counts: OutcomeCounts): string | null {
  const added = addedBy(counts);
  if (added > 0) return `Add ${people(added)}`;
  return counts.namesFilled > 0
    ? `Fill in ${count(counts.namesFilled)} name${counts.namesFilled === 1 ? "" : "s"}`
    : null;
}
