import { cookies, headers } from "next/headers";
import { createTranslator } from "use-intl/core";
import { isLanguage, type Language, languageCookie, preferredLanguage } from "@/server/kernel/languages";
import { catalogues } from "./catalogue";

/** The request's language: the staff member's choice, otherwise the browser's. */
export async function languageOfRequest(): Promise<Language> {
  const chosen = (await cookies()).get(languageCookie)?.value;
  if (isLanguage(chosen)) return chosen;
  return preferredLanguage((await headers()).get("accept-language"));
}

/** All texts, for server components and page titles. */
export async function textsOfRequest() {
  const locale = await languageOfRequest();
  return createTranslator({ locale, messages: await catalogues[locale]() });
}

type TextKey = Parameters<Awaited<ReturnType<typeof textsOfRequest>>>[0];

/** Gives a page its title: `export const generateMetadata = titledBy("shell.places.people");`. */
export const titledBy = (key: TextKey) => async () => ({ title: (await textsOfRequest())(key) });
