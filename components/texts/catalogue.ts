import type { Language } from "@/server/kernel/languages";
import type * as english from "./en";

/** The texts of the dashboard in one language, by screen. */
export type Catalogue = typeof english;

/** Loads the texts of a language. */
export const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: () => import("./en"),
  de: () => import("./de"),
  fr: () => import("./fr"),
  es: () => import("./es"),
};
