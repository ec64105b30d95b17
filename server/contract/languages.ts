/** The languages that mails and public pages are written in. */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

/** The language of a tag such as `de` or `de-AT`; English for one that we don't speak. */
export function languageOf(tag: string): Language {
  const language = tag.toLowerCase().split(/[-_]/, 1)[0] ?? "";
  return languages.find((known) => known === language) ?? "en";
}
