import { z } from "zod";

/** Why a tidied text can't be used, or null. */
function problemOf(text: string, max: number): string | null {
  const { length } = Array.from(text);
  if (length > max) return `Enter at most ${max.toLocaleString("en")} characters. The text has ${length}.`;
  if (/\p{Cs}/u.test(text)) return "The text contains a broken character. Type it again.";
  if (/[^\P{Cc}\n]|\p{Bidi_Control}/u.test(text))
    return "The text contains an invisible control character. Remove it.";
  return null;
}

/**
 * Plain text of at most `max` characters.
 * @param tidy `oneLine` or `paragraphs`
 * @param findProblem a further reason against the text, or null
 */
export const PlainText = (
  max: number,
  tidy: (text: string) => string,
  findProblem: (text: string) => string | null = () => null,
) =>
  z
    .string()
    .max(max * 4, `Enter at most ${max.toLocaleString("en")} characters.`)
    .transform((value, ctx) => {
      const text = tidy(value.normalize("NFC"));
      const message = problemOf(text, max) ?? findProblem(text);
      if (message) ctx.issues.push({ code: "custom", message, input: value });
      return text;
    });
