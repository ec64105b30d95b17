import { z } from "zod";
import { unknownPlaceholders } from "../../kernel/placeholders";

/** The placeholders, in braces, of mails to people. */
export const placeholders = ["newsletter"] as const;

export const longestSubject = 200;
export const longestIntro = 1000;
const longestUrl = 2000;

const known = placeholders.map((name) => `{${name}}`).join(", ");
const length = (text: string) => Array.from(text).length;

/** Why words can't be used, or null. The caller validates line breaks. */
function cancelReason(text: string, max: number): string | null {
  if (length(text) > max)
    return `Enter at most ${max.toLocaleString("en")} characters. The text has ${length(text)}.`;
  if (/\p{Cs}/u.test(text)) return "The text contains a broken character. Type it again.";
  if (/[^\P{Cc}\n]|\p{Bidi_Control}/u.test(text))
    return "The text contains an invisible control character. Remove it.";
  const unknown = unknownPlaceholders(text, placeholders);
  if (unknown.length === 0) return null;
  return `${unknown.join(" and ")} can't be filled in. The email can only use ${known}.`;
}

/**
 * Words of at most `max` characters, as one line or as paragraphs. White space alone becomes null: the default words.
 */
export const LineWords = (max: number) => Words(max, oneLine);
export const ParagraphWords = (max: number) => Words(max, paragraphs);

/** Plain words, normalized by `tidy`. White space alone becomes null: the default words. */
const Words = (max: number, tidy: (text: string) => string) =>
  z
    .string()
    .max(max * 4, `Enter at most ${max.toLocaleString("en")} characters.`)
    .nullable()
    .transform((value, ctx) => {
      const text = tidy((value ?? "").normalize("NFC"));
      const message = cancelReason(text, max);
      if (message) ctx.issues.push({ code: "custom", message, input: value });
      return text === "" ? null : text;
    });

/** One line: a line break would start another header. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Paragraphs separated by one blank line each, without spaces at the ends of lines. */
const paragraphs = (text: string) =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/ +$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

const NextUrl = z
  .string()
  .max(longestUrl, "The address may have at most 2,000 characters.")
  .nullable()
  .transform((value, ctx) => {
    const text = (value ?? "").trim();
    if (text === "") return null;
    const url = URL.canParse(text) ? new URL(text) : null;
    const message =
      url?.protocol !== "https:"
        ? "Enter the full address of the page, starting with https://."
        : url.username !== "" || url.password !== ""
          ? "Leave out the user name and password: subscribers could read them."
          : url.href.length > longestUrl
            ? "The address may have at most 2,000 characters."
            : null;
    if (message) ctx.issues.push({ code: "custom", message, input: value });
    return url?.href ?? null;
  });

/** A newsletter's own words for the confirmation; null where the default words are used. */
export const ConfirmationMail = z.object({
  subject: LineWords(longestSubject),
  /** Replaces the sentence that explains why the mail came. */
  intro: ParagraphWords(longestIntro),
  /** The link of the page after a confirmation. */
  nextUrl: NextUrl,
});
export type ConfirmationMail = z.output<typeof ConfirmationMail>;
