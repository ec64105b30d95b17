import { useTranslations } from "use-intl";
import { settingsPages } from "./pages";

/** The settings pages with their label, their description and more search words for ⌘K. */
export function useSettingsPages() {
  const t = useTranslations("settings");
  return settingsPages.map(({ key, ...page }) => {
    // Not every page has these texts.
    const about = `about.${key}` as "about.you";
    const words = `searchWords.${key}` as "searchWords.you";
    return {
      ...page,
      label: t(`pages.${key}`),
      about: t.has(about) ? t(about) : null,
      words: t.has(words) ? t(words) : "",
    };
  });
}
