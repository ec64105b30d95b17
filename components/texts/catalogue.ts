import type { Language } from "@/server/kernel/languages";
import type * as english from "./en";

/** The texts of the dashboard in one language, by screen. */
export type Catalogue = typeof english;

/** Loads the texts of all screens in a language. */
export const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: () => import("./en"),
  de: () => import("./de"),
  fr: () => import("./fr"),
  es: () => import("./es"),
};

const loaded: Partial<Record<Language, Catalogue>> = {};

/** Loads the texts of all screens for `allTexts`. */
export async function loadAllTexts(language: Language): Promise<void> {
  loaded[language] ??= await catalogues[language]();
}

/** The texts of all screens, once they have loaded. */
export const allTexts = (language: Language): Catalogue | undefined => loaded[language];
