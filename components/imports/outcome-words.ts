import type { OutcomeCounts } from "@/server/imports/schema/import-counts";
import type { MailingState } from "@/server/mail/schema/mailings";
import type { Catalogue } from "../texts/catalogue";
import type { Texts } from "../texts/texts";

type Outcomes = Catalogue["imports"]["outcomes"];
type OutcomeKey = { [Part in keyof Outcomes]: `${Part}.${keyof Outcomes[Part] & string}` }[keyof Outcomes];

/** A sentence by its key. `<b>` sets off its number `n`. */
type OutcomeLine = { key: OutcomeKey; values: { n: number; [name: string]: number | string } };
type Tense = "will" | "did";

/** `sends`: a mail provider is configured. `mailing`: the state of a finished import's own emails. */
type Mails = { sends?: boolean; mailing?: MailingState | null };

/** Describes pending people and their emails. The Mails page shows each email's result. */
function pendingKey(tense: Tense, { sends = true, mailing = null }: Mails): OutcomeKey {
  if (tense === "will") return sends ? "will.new_pending" : "will.new_pending_stored";
  if (mailing === "waiting" && sends) return "did.new_pending_waiting";
  return mailing === "cancelled" ? "did.new_pending_cancelled" : "did.new_pending";
}

const lineOf = (key: OutcomeKey, n: number): OutcomeLine => ({ key, values: { n } });

/** Describes the outcomes. Outcomes without people are omitted. */
export function outcomeLines(counts: OutcomeCounts, tense: Tense, mails: Mails = {}): OutcomeLine[] {
  return [
    lineOf(`${tense}.new_active`, counts.new_active),
    lineOf(pendingKey(tense, mails), counts.new_pending),
    lineOf(`${tense}.new_unsubscribed`, counts.new_unsubscribed),
    lineOf(`${tense}.here`, counts.already_active + counts.already_pending),
    lineOf(`${tense}.unsubscribed`, counts.unsubscribed),
    lineOf(`${tense}.suppressed`, counts.suppressed),
  ].filter(({ values: { n } }) => n > 0);
}

/** Further facts of a plan: people who need a look, and lines outside the plan. */
export type Beside = {
  /** Subscribers who unsubscribed, bounced or complained in the pasted list. The import leaves them unchanged. */
  activeDespiteOptOut: number;
  /** People added as active although another spelling of their address reaches the same mailbox and opted out. */
  related?: { people: number; first: string[] };
  rejected: number;
  twice?: number;
  asked?: number;
};

const noOptOuts = { people: 0, first: [] };

/** Describes the further facts of a plan. */
export function besideLines(beside: Beside): OutcomeLine[] {
  const { activeDespiteOptOut, related = noOptOuts, rejected, twice = 0, asked = 0 } = beside;
  const more = related.people - related.first.length;
  return [
    lineOf("beside.activeDespiteOptOut", activeDespiteOptOut),
    {
      key: more > 0 ? ("beside.relatedAndMore" as const) : ("beside.related" as const),
      values: { n: related.people, addresses: related.first.join(", "), more },
    },
    lineOf("beside.rejected", rejected),
    lineOf("beside.twice", twice),
    lineOf("beside.asked", asked),
  ].filter(({ values: { n } }) => n > 0);
}

/** The sentence as plain text. */
export const outcomeText = ({ key, values }: OutcomeLine, t: Texts<"imports">): string =>
  t.markup(`outcomes.${key}`, { ...values, b: (chunks) => chunks });
