import type { Language } from "@/server/kernel/languages";
import type { MailingKind, MailingPreview } from "@/server/mail/schema/mailings";
import type { Texts } from "../texts/texts";
import { dateLocales } from "../ui/time";

export const nounOf = (kind: MailingKind) => (kind === "retry" ? "email" : "confirmation");

/** "1 second", "24 seconds", "10 minutes"; rounded up, so the text never understates the delay. */
export function delayText(seconds: number, language: Language): string {
  const [n, unit] = seconds <= 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(n);
}

/** "Ada", "Ada and Grace", "Ada, Grace, Alan and 198 others" */
export function recipientsText(
  t: Texts<"mails.question">,
  { names, mails }: Pick<MailingPreview, "names" | "mails">,
  language: Language,
): string {
  const others = mails - names.length;
  const all = others > 0 ? [...names, t("others", { n: others })] : names;
  return new Intl.ListFormat(dateLocales[language]).format(all);
}
