import type { OutcomeCounts } from "@/server/contract/imports";
import type { MailingState } from "@/server/contract/mailings";

/** A sentence that begins with its number and has no full stop yet. */
export type OutcomeLine = { key: string; number: number; text: string };
type Tense = "will" | "did";

/** What became of the mails of an import that has ended. */
const mailed: Record<MailingState, string> = {
  waiting: "will be mailed to confirm in a moment",
  released: "were mailed to confirm",
  cancelled: "not asked: their confirmations were cancelled",
};

/**
 * What becomes of the list; an outcome of nobody is omitted.
 * @param mailing of an import that has ended: where its mails waited to be sent together, what became of them
 */
export function outcomeLines(
  counts: OutcomeCounts,
  tense: Tense,
  mailing: MailingState | null = null,
): OutcomeLine[] {
  const be = (n: number) => (tense === "will" ? (n === 1 ? "is" : "are") : n === 1 ? "was" : "were");
  const stay = (n: number) => (tense === "did" ? "stayed" : n === 1 ? "stays" : "stay");
  const { new_active, new_pending, unsubscribed, suppressed } = counts;
  const here = counts.already_active + counts.already_pending;
  return [
    { key: "new_active", number: new_active, text: `${be(new_active)} added as active, without a mail` },
    {
      key: "new_pending",
      number: new_pending,
      text: `${be(new_pending)} added as pending, and ${mailing ? mailed[mailing] : `${be(new_pending)} mailed to confirm`}`,
    },
    { key: "here", number: here, text: `${be(here)} on the list already and ${stay(here)} unchanged` },
    { key: "unsubscribed", number: unsubscribed, text: `unsubscribed earlier and ${stay(unsubscribed)} so` },
    {
      key: "suppressed",
      number: suppressed,
      text: `must not be mailed and ${be(suppressed)} not added`,
    },
  ].filter(({ number }) => number > 0);
}
