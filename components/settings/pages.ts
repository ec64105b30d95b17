import type { Catalogue } from "../texts/catalogue";

type SettingsTexts = Catalogue["settings"];

/** A settings page. Its texts are in the catalogue. */
export type SettingsPage = {
  key: keyof SettingsTexts["pages"];
  /** The path after the newsletter's own address. */
  path: string;
  /** The owner of the settings. A line separates the groups. */
  group: "newsletter" | "account" | "you";
  /** The description above the content. Pages outside the settings have their own. */
  about?: keyof SettingsTexts["about"];
  /** The page uses the full width. Other pages are columns. */
  wide?: true;
  /** Additional search words for ⌘K. */
  words?: keyof SettingsTexts["searchWords"];
};

/** The pages of the settings, in the order of their navigation. */
export const settingsPages: SettingsPage[] = [
  { key: "newsletter", path: "/settings", group: "newsletter", about: "newsletter", words: "newsletter" },
  { key: "confirmation", path: "/mails/confirmation", group: "newsletter", words: "confirmation" },
  { key: "welcome", path: "/mails/welcome", group: "newsletter", words: "welcome" },
  { key: "pending", path: "/settings/pending", group: "newsletter", about: "pending", words: "pending" },
  { key: "fields", path: "/settings/fields", group: "newsletter", about: "fields" },
  {
    key: "signUp",
    path: "/settings/sign-up",
    group: "newsletter",
    about: "signUp",
    wide: true,
    words: "signUp",
  },
  { key: "sending", path: "/settings/sending", group: "account", about: "sending", words: "sending" },
  { key: "staff", path: "/settings/staff", group: "account", about: "staff", words: "staff" },
  { key: "log", path: "/settings/log", group: "account", about: "log", words: "log" },
  { key: "data", path: "/settings/data", group: "account", about: "data", words: "data" },
  { key: "you", path: "/settings/you", group: "you", about: "you", words: "you" },
];

/** The page of each section of the former single settings page. */
const pagesOfSections: Record<string, string> = {
  pending: "/settings/pending",
  fields: "/settings/fields",
  "sign-up": "/settings/sign-up",
  staff: "/settings/staff",
  you: "/settings/you",
  log: "/settings/log",
};

/** @param hash of an old address, such as "#staff" @returns the page's path, or null for an unknown section */
export const pageOfSection = (hash: string): string | null => pagesOfSections[hash.slice(1)] ?? null;
