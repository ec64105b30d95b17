import { useTranslations } from "use-intl";
import type { Catalogue } from "../texts/catalogue";

/** A settings page. Its texts are in the catalogue, under its key. */
type SettingsPage = {
  key: keyof Catalogue["settings"]["pages"];
  /** The path after the newsletter's own address. */
  path: string;
  /** The owner of the settings. A line separates the groups. */
  group: "newsletter" | "account" | "you";
  /** The page uses the full width. Other pages are columns. */
  wide?: true;
};

/** The pages of the settings, in the order of their navigation. */
export const settingsPages: SettingsPage[] = [
  { key: "newsletter", path: "/settings", group: "newsletter" },
  { key: "confirmation", path: "/mails/confirmation", group: "newsletter" },
  { key: "welcome", path: "/mails/welcome", group: "newsletter" },
  { key: "pending", path: "/settings/pending", group: "newsletter" },
  { key: "fields", path: "/settings/fields", group: "newsletter" },
  { key: "tags", path: "/settings/tags", group: "newsletter" },
  { key: "signUp", path: "/settings/sign-up", group: "newsletter", wide: true },
  { key: "sending", path: "/settings/sending", group: "account" },
  { key: "staff", path: "/settings/staff", group: "account" },
  { key: "log", path: "/settings/log", group: "account" },
  { key: "you", path: "/settings/you", group: "you" },
];

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
