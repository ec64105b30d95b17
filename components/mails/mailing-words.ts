import type { MailingKind, MailingPreview } from "@/server/contract/mailings";
import { count, counted } from "../ui/numbers";

const nouns: Record<MailingKind, string> = {
  confirm: "confirmation",
  import: "confirmation",
  retry: "email",
  release: "confirmation",
};

/** "1 confirmation", "201 confirmations", "8 mails" */
export const mailsOf = (kind: MailingKind, mails: number) => counted(mails, nouns[kind]);

/** "1 second", "24 seconds", "10 minutes"; never less than is left. */
export function delayText(seconds: number): string {
  return seconds <= 90 ? counted(seconds, "second") : counted(Math.ceil(seconds / 60), "minute");
}

/** "Ada", "Ada and Grace", "Ada, Grace, Alan and 198 others" */
export function recipientsText({ names, mails }: Pick<MailingPreview, "names" | "mails">): string {
  const others = mails - names.length;
  const all = others > 0 ? [...names, others === 1 ? "1 other" : `${count(others)} others`] : names;
  return new Intl.ListFormat("en-GB").format(all);
}

/** What a cancelled mailing leaves behind. */
export const cancelledText: Record<MailingKind, string> = {
  confirm: "The people were not changed.",
  import: "The people stay on the list as pending, without a confirmation email.",
  retry: "The original emails are listed as failed again.",
  release: "They wait for the daily limit again.",
};
