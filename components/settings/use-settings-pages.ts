import { useTranslations } from "use-intl";
import { settingsPages } from "./pages";

/** The settings pages with their texts in the reader's language. */
export function useSettingsPages() {
  const t = useTranslations("settings");
  return settingsPages.map(({ key, about, words, ...page }) => ({
    ...page,
    label: t(`pages.${key}`),
    about: about && t(`about.${about}`),
    words: words && t(`searchWords.${words}`),
  }));
}
