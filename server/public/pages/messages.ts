import { createElement, Fragment, type ReactNode } from "react";
import { type Language, languageOf, preferredLanguage } from "../../kernel/languages";
import german from "./messages/de.json";
import english from "./messages/en.json";
import spanish from "./messages/es.json";
import french from "./messages/fr.json";

export type ConfirmationAction = "confirm" | "activate" | "deny" | "unsubscribe" | "renew";
export type FormAction = ConfirmationAction | "comeBack" | "unsubscribeAll" | "preferences";

/** The pages that have words in every language. The last six know of no newsletter. */
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

/** The words of one page: what happened, what is still safe, what to do. `{name}` is filled in. */
export type Message = {
  title: string;
  status: string;
  lead: string;
  /** Instead of `lead` where the date of the confirmation is known. */
  leadDated?: string;
  more?: string;
  /** Above the second button. */
  aside?: string;
};

/** Why what was typed into a sign-up form is rejected. */
export type SignUpError =
  | ("emailMissing" | "email" | "missing" | "choose" | "tick")
  | ("tooLong" | "characters" | "number" | "date" | "choice");

/** The words of a sign-up form. */
type SignUpWords = {
  title: string;
  email: string;
  name: string;
  /** Beside the label of what may stay empty. */
  optional: string;
  /** The label of the field that no person sees. */
  trap: string;
  submit: string;
  again: string;
  /** Above the form, where the button is to be pressed once more. */
  askAgain: string;
  /** The same where another service checks that a person fills the form in. */
  captchaAgain: string;
  /** In a browser without scripts, which that check needs. */
  captchaNeedsScripts: string;
  /** Above the form, where something in it is wrong. */
  wrong: string;
  errors: Record<SignUpError, string>;
};

/** The words of the page of somebody's preferences. */
type PreferencesWords = {
  title: string;
  /** `{email}`: whose page it is. */
  lead: string;
  details: string;
  save: string;
  saved: string;
  /** Above the form, where something in it is wrong. */
  wrong: string;
  /** After a button that is not about the details. */
  done: string;
  address: string;
  newAddress: string;
  askAddress: string;
  /** After that button, whoever has the address. */
  addressAsked: string;
  useAddress: string;
  newsletters: string;
  /** How they stand with a newsletter. */
  statuses: Record<"active" | "pending" | "unsubscribed", string>;
  data: string;
  dataLead: string;
  download: string;
  erase: string;
  eraseNow: string;
  back: string;
};

/** Above a button that is no page's own. */
export type AsideName = "comeBack" | "elsewhere" | "details";

export type Messages = {
  lang: string;
  buttons: Record<FormAction, string>;
  /** The link to a page that the newsletter names. */
  next: string;
  writeTo: string;
  signUp: SignUpWords;
  preferences: PreferencesWords;
  asides: Record<AsideName, string>;
  pages: Record<PageName, Message>;
};

const languages: Record<Language, Messages> = { en: english, de: german, fr: french, es: spanish };

/** Every language there is, English first. */
export const allMessages: readonly Messages[] = Object.values(languages);

/** The words for a language tag such as `de-AT`; English where there are none. */
export const messagesFor = (tag: string): Messages => languages[languageOf(tag)];

/** In the browser's language, for pages that know of no newsletter. */
export const messagesForReader = (acceptLanguage: string | null): Messages =>
  messagesFor(preferredLanguage(acceptLanguage));

/** A message with its `{name}`s replaced. */
export function fillNodes(message: string, values: Record<string, ReactNode>): ReactNode {
  const parts = message.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 1 ? values[part] : part));
  return createElement(Fragment, null, ...parts);
}

/** A day as the newsletter's readers write it; in UTC where the newsletter's zone is not known. */
export function day(at: Date, language: string, timeZone: string): string {
  const write = (zone: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone }).format(at);
  try {
    return write(timeZone);
  } catch {
    return write("UTC");
  }
}
