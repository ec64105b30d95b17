import { createElement, Fragment, type ReactNode } from "react";
import { type Language, languageOf, preferredLanguage } from "../../kernel/languages";
import german from "./messages/de.json";
import english from "./messages/en.json";
import spanish from "./messages/es.json";
import french from "./messages/fr.json";

export type ConfirmationAction = "confirm" | "activate" | "deny" | "unsubscribe" | "renew";
export type FormAction = ConfirmationAction | "comeBack" | "unsubscribeAll" | "preferences";

/** The pages with texts in every language. The last six don't depend on a newsletter. */
export type PageName =
  | ("ask" | "confirmed" | "already" | "deniedTooLate" | "removed" | "removedAlready")
  | ("unsubscribed" | "unsubscribedEarlier" | "suppressed")
  | ("askUnmailed" | "activated" | "void")
  | ("signedUp" | "signedUpUnmailed" | "signUpTooOften")
  | ("signUpOff" | "signUpNotUnderstood" | "signUpAway")
  | ("mayUnsubscribe" | "pendingMayUnsubscribe" | "isUnsubscribed" | "isUnsubscribedFromAll")
  | ("askedToReturn" | "notListed")
  | ("preferencesAsked" | "preferencesUnmailed" | "preferencesOver")
  | ("preferencesErase" | "preferencesErased" | "newAddress" | "newAddressUsed")
  | ("expired" | "renewed" | "renewedAlready" | "outdated" | "gone")
  | ("example" | "notFound" | "notUnderstood" | "away" | "unanswered" | "failed");

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

/** Why an input of a sign-up form is rejected. */
export type SignUpError =
  | ("emailMissing" | "email" | "missing" | "choose" | "tick")
  | ("tooLong" | "characters" | "number" | "date" | "choice");

/** The texts of a sign-up form. */
type SignUpWords = {
  title: string;
  email: string;
  name: string;
  /** Beside the label of an optional input. */
  optional: string;
  /** The label of the honeypot, which people don't see. */
  trap: string;
  submit: string;
  again: string;
  /** Above the form when the button must be used once more. */
  askAgain: string;
  /** The same text for a form with a captcha. */
  captchaAgain: string;
  /** For a browser without scripts, which the captcha needs. */
  captchaNeedsScripts: string;
  /** Above a form with errors. */
  wrong: string;
  errors: Record<SignUpError, string>;
};

/** The texts of the preferences page. */
type PreferencesWords = {
  title: string;
  /** `{email}`: the address of the person whose page it is. */
  lead: string;
  details: string;
  save: string;
  saved: string;
  /** Above a form with errors. */
  wrong: string;
  /** After a button that is not about the person's details. */
  done: string;
  address: string;
  newAddress: string;
  askAddress: string;
  /** After a new address was requested. The text is the same whether or not the address is known. */
  addressAsked: string;
  useAddress: string;
  newsletters: string;
  /** The person's status on a newsletter. */
  statuses: Record<"active" | "pending" | "unsubscribed", string>;
  data: string;
  dataLead: string;
  download: string;
  erase: string;
  eraseNow: string;
  back: string;
};

/** The texts above the extra buttons that several pages share. */
export type AsideName = "comeBack" | "elsewhere" | "details";

export type Messages = {
  lang: string;
  buttons: Record<FormAction, string>;
  /** The link to the newsletter's next page. */
  next: string;
  writeTo: string;
  signUp: SignUpWords;
  preferences: PreferencesWords;
  asides: Record<AsideName, string>;
  pages: Record<PageName, Message>;
};

const languages: Record<Language, Messages> = { en: english, de: german, fr: french, es: spanish };

/** The messages of all languages, English first. */
export const allMessages: readonly Messages[] = Object.values(languages);

/** Returns the messages for a language tag such as `de-AT`; English for other languages. */
export const messagesFor = (tag: string): Messages => languages[languageOf(tag)];

/** Returns the messages in the browser's language, for pages without a newsletter. */
export const messagesForReader = (acceptLanguage: string | null): Messages =>
  messagesFor(preferredLanguage(acceptLanguage));

/** Replaces the `{name}` placeholders of a message. */
export function fillNodes(message: string, values: Record<string, ReactNode>): ReactNode {
  const parts = message.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? values[part] : part));
  return createElement(Fragment, null, ...parts);
}

/** Formats a day in the newsletter's language and time zone. Unknown time zones fall back to UTC. */
export function day(at: Date, language: string, timeZone: string): string {
  const write = (zone: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone }).format(at);
  try {
    return write(timeZone);
  } catch {
    return write("UTC");
  }
}
