import { z } from "zod";
import type { Language } from "../../kernel/languages";
import { maxFields } from "../../subscribers/schema/fields";

export const longestSignUpTitle = 120;
export const longestIntroduction = 1000;
export const longestWording = 1000;

/** A form is filled in by a person for at least so long, and its time holds for at most so long. */
export const signUpFormMs = { least: 2_000, most: 24 * 3_600_000 } as const;

/** What a sign-up form posts, beside the newsletter's fields: each of those is `fields.KEY`. */
export const signUpInputs = {
  email: "email",
  name: "name",
  /** The signed time at which the form was made. */
  time: "time",
  /** The number of the wording that stood above the button, which may be an older one on another site. */
  wording: "wording",
  /** No person sees it; who fills it in is a program. */
  trap: "website",
  /** The page of another site that the form stood on, where our own asks to press once more. */
  from: "from",
} as const;

export const fieldInput = (key: string) => `fields.${key}`;

/** What people agree to, until staff write their own words. */
export const defaultWordings: Record<Language, string> = {
  en: "I want to receive this newsletter by email. I can unsubscribe at any time with the link in every email.",
  de: "Ich möchte diesen Newsletter per E-Mail erhalten. Ich kann mich jederzeit über den Link in jeder Mail abmelden.",
  fr: "Je souhaite recevoir cette lettre par e-mail. Je peux me désabonner à tout moment grâce au lien présent dans chaque message.",
  es: "Quiero recibir este boletín por correo electrónico. Puedo darme de baja en cualquier momento con el enlace de cada mensaje.",
};

/** Plain text, on one line or in paragraphs, without what cannot be seen. */
const PlainText = (noun: string, longest: number, tidy: (text: string) => string) =>
  z
    .string({ error: `The ${noun} must be text.` })
    .max(longest * 4, `The ${noun} may have at most ${longest.toLocaleString("en")} characters.`)
    .transform((value, ctx) => {
      const text = tidy(value.normalize("NFC"));
      const { length } = Array.from(text);
      const message =
        length > longest
          ? `The ${noun} may have at most ${longest.toLocaleString("en")} characters. It has ${length}.`
          : /\p{Cs}|[^\P{Cc}\n]|\p{Bidi_Control}/u.test(text)
            ? `The ${noun} contains a broken or invisible character. Type it again.`
            : null;
      if (message) ctx.issues.push({ code: "custom", message, input: value });
      return text;
    });

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const paragraphs = (text: string) =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/ +$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** How a newsletter's sign-up page is set up. */
export const SignUpSettings = z.object({
  isOn: z.boolean(),
  /** Empty: the newsletter's name alone. */
  title: PlainText("title", longestSignUpTitle, oneLine),
  introduction: PlainText("introduction", longestIntroduction, paragraphs),
  /** Stands above the button: who presses it agrees to it. */
  wording: PlainText("wording", longestWording, paragraphs).refine(
    (text) => text !== "",
    "Enter the consent wording.",
  ),
  asksName: z.boolean(),
  /** Keys of the fields that are shown beside those that are required. */
  fields: z.array(z.string().max(64)).max(maxFields),
});
export type SignUpSettings = z.output<typeof SignUpSettings>;

/** What is kept of how a person agreed on a sign-up page. */
export type Agreement = {
  wording: string;
  version: number;
  /** The page's address. */
  page: string;
  /** The page of another site that the form stood on, as the browser named it; null: our own page. */
  from: string | null;
  /** ISO 8601. */
  at: string;
};
