import type { OutcomeCounts } from "@/server/contract/imports";
import type { MailingState } from "@/server/contract/mailings";

/** A sentence that begins with its number and has no full stop yet. */
export type OutcomeLine = { key: string; number: number; text: string };
type Tense = "will" | "did";

/** What is known of the mails: whether any leaves at all, and of an import that has ended what became of its own. */
type Mails = { sends?: boolean; mailing?: MailingState | null };

/** What becomes of `n` pending people's mails; what became of each stands on the Mails page. */
function askedText(n: number, tense: Tense, { sends = true, mailing = null }: Mails): string {
  const one = n === 1;
  if (mailing === "waiting" && sends)
    return `${one ? "the confirmation email is" : "their confirmation emails are"} sent in a moment`;
  if (mailing === "cancelled")
    return `${one ? "the confirmation email was" : "their confirmation emails were"} cancelled`;
  if (tense === "did") return `a confirmation email was created${one ? "" : " for each"}`;
  if (sends) return `${one ? "receives" : "receive"} a confirmation email`;
  return one
    ? "the confirmation email is stored but not sent"
    : "their confirmation emails are stored but not sent";
}

/** What becomes of the list; an outcome of nobody is omitted. */
export function outcomeLines(counts: OutcomeCounts, tense: Tense, mails: Mails = {}): OutcomeLine[] {
  const be = (n: number) => (tense === "will" ? (n === 1 ? "is" : "are") : n === 1 ? "was" : "were");
  const stay = (n: number) => (tense === "did" ? "stayed" : n === 1 ? "stays" : "stay");
  const { new_active, new_pending, new_unsubscribed, unsubscribed, suppressed } = counts;
  const here = counts.already_active + counts.already_pending;
  return [
    { key: "new_active", number: new_active, text: `${be(new_active)} added as active, without an email` },
    {
      key: "new_pending",
      number: new_pending,
      text: `${be(new_pending)} added as pending, and ${askedText(new_pending, tense, mails)}`,
    },
    {
      key: "new_unsubscribed",
      number: new_unsubscribed,
      text: `${be(new_unsubscribed)} added as unsubscribed, so that no import can add them back`,
    },
    { key: "here", number: here, text: `${be(here)} already on the list and ${stay(here)} unchanged` },
    {
      key: "unsubscribed",
      number: unsubscribed,
      text: `unsubscribed earlier and ${stay(unsubscribed)} unsubscribed`,
    },
    {
      key: "suppressed",
      number: suppressed,
      text: `${be(suppressed)} suppressed and not added`,
    },
  ].filter(({ number }) => number > 0);
}

/** Of people on the list who are unsubscribed, bounced or complained in the pasted one: it changes none of them. */
export const stillHereText = (n: number) =>
  `of them ${n === 1 ? "is" : "are"} unsubscribed in this list but still active or pending here: check ${n === 1 ? "this person" : "them"}`;

/** Of people who are added as active: another spelling of the address reaches the same mailbox, and has opted out. */
export function relatedOptOutText({ people, first }: { people: number; first: string[] }): string {
  const more = people - first.length;
  const named = [...first, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return people === 1
    ? `is added as active, but another spelling of the address has opted out: ${named}`
    : `are added as active, but another spelling of each address has opted out: ${named}`;
}
