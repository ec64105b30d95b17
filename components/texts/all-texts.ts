import type { Language } from "@/server/kernel/languages";
import { type Catalogue, catalogues } from "./catalogue";

const loaded: Partial<Record<Language, Catalogue>> = {};

/** Loads the texts of all screens in a language. */
export async function loadAllTexts(language: Language): Promise<void> {
  loaded[language] ??= await catalogues[language]();
}

/** The texts of all screens, once they have loaded. */
export const allTexts = (language: Language): Catalogue | undefined => loaded[language];
