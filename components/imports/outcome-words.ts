import type { OutcomeCounts, PlanOptions } from "@/server/contract/imports";
import { count, counted, people } from "../ui/numbers";

/** A sentence that begins with its number and has no full stop yet. */
export type OutcomeLine = { key: string; number: number; text: string };
type Tense = "will" | "did";

/** What becomes of the list; what concerns nobody is left out. */
export function outcomeLines(
  counts: OutcomeCounts,
  existing: PlanOptions["existing"],
  tense: Tense,
): OutcomeLine[] {
  const be = (n: number) => (tense === "will" ? (n === 1 ? "is" : "are") : n === 1 ? "was" : "were");
  const stay = (n: number) => (tense === "did" ? "stayed" : n === 1 ? "stays" : "stay");
  const { new_active, new_pending, unsubscribed, suppressed, namesFilled } = counts;
  const here = counts.already_active + counts.already_pending;
  const named =
    existing === "fill_blank_names" && namesFilled > 0
      ? `; ${count(namesFilled)} of them ${be(namesFilled)} given a name`
      : ` and ${be(here)} left as they are`;
  return [
    { key: "new_active", number: new_active, text: `${be(new_active)} added as active, without a mail` },
    {
      key: "new_pending",
      number: new_pending,
      text: `${be(new_pending)} added as pending, and ${be(new_pending)} mailed to confirm`,
    },
    { key: "here", number: here, text: `${be(here)} on the list already${named}` },
    { key: "left", number: unsubscribed, text: `unsubscribed earlier and ${stay(unsubscribed)} so` },
    {
      key: "suppressed",
      number: suppressed,
      text: `must not be mailed and ${be(suppressed)} not added`,
    },
  ].filter(({ number }) => number > 0);
}

/** How many people the run adds: the number on the button and in the box. */
export const addedBy = (counts: OutcomeCounts) => counts.new_active + counts.new_pending;

/** "Add 1,204 people", or what else there is to do; null when nothing is. */
export function commitWord(counts: OutcomeCounts): string | null {
  const added = addedBy(counts);
  if (added > 0) return `Add ${people(added)}`;
  return counts.namesFilled > 0 ? `Fill in ${counted(counts.namesFilled, "name")}` : null;
}
