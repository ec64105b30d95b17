import { languages } from "@/server/kernel/languages";

/** A language's own name for itself. */
function nameOf(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The languages as a select offers them. */
export const languageOptions = languages.map((value) => ({ value, label: nameOf(value) }));
