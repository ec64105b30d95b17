/** The languages of emails, public pages and the dashboard. */
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

const findLanguage = (tag: string) =>
  languages.find((known) => known === tag.toLowerCase().split(/[-_]/, 1)[0]);

/** Returns the language of a tag such as `de` or `de-AT`; English for an unsupported one. */
export const languageOf = (tag: string): Language => findLanguage(tag) ?? "en";

export const isLanguage = (text: unknown): text is Language => languages.some((known) => known === text);

/** The cookie with the dashboard language that the signed-in staff member chose. */
export const languageCookie = "rollcall.language";

/** Returns the first supported language of an `Accept-Language` header; English when there is none. */
export function preferredLanguage(acceptLanguage: string | null): Language {
  const tags = (acceptLanguage ?? "").split(",", 20).map((part) => part.split(";")[0]?.trim() ?? "");
  return tags.map(findLanguage).find(Boolean) ?? "en";
}
