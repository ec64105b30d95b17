import { cookies, headers } from "next/headers";
import { createTranslator } from "use-intl/core";
import { isLanguage, type Language, languageCookie, preferredLanguage } from "@/server/kernel/languages";
import type { Catalogue } from "./catalogue";

const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: () => import("./en"),
  de: () => import("./de"),
  fr: () => import("./fr"),
  es: () => import("./es"),
};

/** The request's language: the staff member's choice, otherwise the browser's. */
export async function languageOfRequest(): Promise<Language> {
  const chosen = (await cookies()).get(languageCookie)?.value;
  if (isLanguage(chosen)) return chosen;
  return preferredLanguage((await headers()).get("accept-language"));
}

/** Texts for server components and page titles: `const t = await textsOfRequest("people")`. */
export async function textsOfRequest<const Screen extends keyof Catalogue>(namespace: Screen) {
  const locale = await languageOfRequest();
  const messages = await catalogues[locale]();
  return createTranslator({ locale, messages, namespace });
}

type AppText = Parameters<Awaited<ReturnType<typeof textsOfRequest<"app">>>>[0];

/** Gives a page its title: `export const generateMetadata = titledBy("titles.people");`. */
export const titledBy = (key: AppText) => async () => ({ title: (await textsOfRequest("app"))(key) });
