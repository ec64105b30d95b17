import { createElement, Fragment, type ReactNode } from "react";
import {
  isLanguage,
  type Language,
  languageCookie,
  languageOf,
  preferredLanguage,
} from "../../kernel/languages";
import german from "./messages/de.json";
import english from "./messages/en.json";
import spanish from "./messages/es.json";
import french from "./messages/fr.json";

/** The buttons of confirmation and unsubscribe pages. */
export type FormAction = keyof typeof english.buttons;
/** The texts above the extra buttons that several pages share. */
export type AsideName = keyof typeof english.asides;
export type PageName = keyof typeof english.pages;
/** Why an input of a sign-up form is rejected. */
export type SignUpError = keyof typeof english.signUp.errors;

/** The texts of one page: the result, any reassurance and the next step. `{name}` is a placeholder. */
export type Message = {
  title: string;
  status: string;
  lead: string;
  /** Replaces `lead` when the date of the confirmation is known. */
  leadDated?: string;
  more?: string;
  /** The text above the second button. */
  aside?: string;
};

export type Messages = Omit<typeof english, "pages"> & { pages: Record<PageName, Message> };

const languages: Record<Language, Messages> = { en: english, de: german, fr: french, es: spanish };

/** Returns the messages for a language tag such as `de-AT`; English for other languages. */
export const messagesFor = (tag: string): Messages => languages[languageOf(tag)];

const CHOSEN = new RegExp(`(?:^|; ?)${languageCookie.replace(".", "\\.")}=(\\w+)`);

/** Returns the messages for pages without a newsletter: in the language that staff chose, or in the browser's. */
export const messagesForReader = (headers: Headers): Messages => {
  const chosen = CHOSEN.exec(headers.get("cookie") ?? "")?.[1];
  return languages[isLanguage(chosen) ? chosen : preferredLanguage(headers.get("accept-language"))];
};

/** Replaces the `{name}` placeholders of a message. */
export function fillNodes(message: string | undefined, values: Record<string, ReactNode>): ReactNode {
  const parts = (message ?? "").split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? values[part] : part));
  return createElement(Fragment, null, ...parts);
}

/** Formats a day in the newsletter's language and time zone. */
export const day = (at: Date, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone }).format(at);
