import { z } from "zod";
import { unknownPlaceholders } from "../../kernel/placeholders";
import { oneLine, PlainText, paragraphs } from "./plain-text";

/** The placeholders, in braces, of mails to people. */
export const placeholders = ["newsletter"] as const;

export const longestSubject = 200;
export const longestIntro = 1000;
const longestUrl = 2000;

function findUnknown(text: string): string | null {
  const unknown = unknownPlaceholders(text, placeholders);
  if (unknown.length === 0) return null;
  const known = placeholders.map((name) => `{${name}}`).join(", ");
  return `${unknown.join(" and ")} can't be filled in. The email can only use ${known}.`;
}

/** White space alone becomes null: the default words. */
const Words = (max: number, tidy: (text: string) => string) =>
  z
    .string()
    .nullable()
    .transform((value) => value ?? "")
    .pipe(PlainText(max, tidy, findUnknown))
    .transform((text) => text || null);

/** Words of at most `max` characters, as one line or as paragraphs. */
export const LineWords = (max: number) => Words(max, oneLine);
export const ParagraphWords = (max: number) => Words(max, paragraphs);

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
