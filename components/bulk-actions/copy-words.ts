import type { CopyKind, SkipReason } from "@/server/contract/bulk-actions";
import type { CopyPlan } from "@/server/contract/copy-people";
import { noKey } from "../mails/mail-words";
import { delayText } from "../mails/mailing-words";

/** The newsletter that they are on, and the one that they come to. */
type Names = { here: string; there: string };

export const copyVerbs: Record<CopyKind, (who: string) => string> = {
  copy: (who) => `Copy ${who}`,
  move: (who) => `Move ${who}`,
};

const skippedWords: Partial<Record<SkipReason, (names: Names) => string>> = {
  already: ({ there }) => `on ${there} already: unchanged`,
  unsubscribed_there: ({ there }) => `unsubscribed from ${there}: not added, not written to`,
  suppressed_there: ({ there }) =>
    `not to be written to by ${there}, where the address is suppressed: not added`,
  unsubscribed: ({ here }) => `unsubscribed from ${here}: not added`,
  not_to_be_mailed: ({ here }) => `not to be written to by ${here}: not added`,
  changed_meanwhile: ({ here }) => `not on ${here} any more`,
};

/** How many become active there, and how many pending. */
export function addedThere({ active, pending }: CopyPlan, agreed: boolean) {
  return agreed ? { active, pending } : { active: 0, pending: active + pending };
}

/** What would happen, a line for each number. */
export function copyLines(
  plan: CopyPlan,
  { agreed, sends, ...names }: Names & { agreed: boolean; sends: boolean },
): { key: string; number: number; text: string }[] {
  const { active, pending } = addedThere(plan, agreed);
  const { there } = names;
  const mail = sends ? "asked by mail to confirm" : `with a confirmation that is written and kept: ${noKey}`;
  const skipped = (Object.keys(skippedWords) as SkipReason[]).map((reason) => ({
    key: reason,
    number: plan.skipped[reason] ?? 0,
    text: skippedWords[reason]?.(names) ?? "",
  }));
  return [
    { key: "active", number: active, text: `added to ${there} as active` },
    { key: "pending", number: pending, text: `added to ${there} as pending, ${mail}` },
    ...skipped,
  ].filter(({ number }) => number > 0);
}

/** When the mails leave, and until when they can be cancelled. */
export function leavingText({ delaySeconds }: CopyPlan, there: string): string {
  if (delaySeconds === 0)
    return `The mails leave at once: ${there} has no delay in which they can be cancelled.`;
  return `The mails leave after ${delayText(delaySeconds)}. Until then one click on any page of ${there} cancels all of them.`;
}

const listed = (labels: string[]) => new Intl.ListFormat("en-GB").format(labels);

/** What goes with them, and what does not. */
export function attributesText({ fieldsLeftOut, choicesLeftOut }: CopyPlan, there: string): string {
  const texts = ["Name, tags and fields go with them; notes do not."];
  if (fieldsLeftOut.length > 0)
    texts.push(
      `Left out: ${listed(fieldsLeftOut)}, since ${there} has no such ${fieldsLeftOut.length === 1 ? "field" : "fields"} of the same type.`,
    );
  if (choicesLeftOut.length > 0)
    texts.push(`${listed(choicesLeftOut)}: choices that ${there} does not have are left out.`);
  return texts.join(" ");
}

/** What becomes of them here, and how it is undone. */
export function afterText(kind: CopyKind, { here, there }: Names): string {
  if (kind === "move")
    return `Who is added to ${there} is removed from ${here}, with their notes and what happened to them here; everybody else stays. A move cannot be undone: move them back instead.`;
  return `They stay on ${here}, too. This can be undone for a day: whoever has done nothing on ${there} since is removed there.`;
}
