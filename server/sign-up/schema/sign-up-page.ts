import type { Language } from "../../kernel/languages";
import { DAY_MS } from "../../kernel/time";

export const longestSignUpTitle = 120;
export const longestIntroduction = 1000;
export const longestWording = 1000;

/** The shortest time in which a person fills in a form, and the longest time that a form is valid. */
export const signUpFormMs = { least: 2_000, most: DAY_MS } as const;

/** The inputs of a sign-up form. The newsletter's fields are posted as `fields.KEY`. */
export const signUpInputs = {
  email: "email",
  name: "name",
  /** The signed time at which the form was made. */
  time: "time",
  /** The version of the consent wording above the button. A form on another site may have an older version. */
  wording: "wording",
  /** A honeypot that people don't see. A form with this input filled in comes from a program. */
  trap: "website",
  /** The other site's page that had the form. Our own page posts it along when the button must be used once more. */
  from: "from",
  /** The address whose domain the form has questioned, so that it is questioned once. */
  asked: "asked",
  /** The button that takes the suggested address. */
  corrected: "corrected",
} as const;

export const fieldInput = (key: string) => `fields.${key}`;

/** The consent wording until staff write their own. */
export const defaultWordings: Record<Language, string> = {
  en: "I want to receive this newsletter by email. I can unsubscribe at any time with the link in every email.",
  de: "Ich möchte diesen Newsletter per E-Mail erhalten. Ich kann mich jederzeit über den Link in jeder Mail abmelden.",
  fr: "Je souhaite recevoir cette lettre par e-mail. Je peux me désabonner à tout moment grâce au lien présent dans chaque message.",
  es: "Quiero recibir este boletín por correo electrónico. Puedo darme de baja en cualquier momento con el enlace de cada mensaje.",
};

/** The evidence of a person's consent on a sign-up page. */
export type Agreement = {
  wording: string;
  version: number;
  /** The URL of the sign-up page. */
  page: string;
  /** The other site's page that had the form, as named by the browser; null: our own page. */
  from: string | null;
  /** ISO 8601. */
  at: string;
};
