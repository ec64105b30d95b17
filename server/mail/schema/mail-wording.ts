import { z } from "zod";
import { unknownPlaceholders } from "../../kernel/placeholders";
import { longestIntros, longestSubject, oneLine, paragraphs, type WordedMail } from "./mail-words";
import { PlainText } from "./plain-text";

/** The placeholders, in braces, of mails to people. */
const placeholders = ["newsletter"] as const;

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

const wording = (kind: WordedMail) =>
  z.object({
    /** Whether the email is sent. A confirmation always is. */
    on: z.boolean(),
    subject: Words(longestSubject, oneLine),
    /** In a confirmation, the sentence that explains why the email came. */
    intro: Words(longestIntros[kind], paragraphs),
    /** The link of the page after a confirmation. */
    nextUrl: NextUrl,
  });
/** A newsletter's own words of an email; null where the default words are used. */
export const MailWording = { confirmation: wording("confirmation"), welcome: wording("welcome") };
export type MailWording = z.output<ReturnType<typeof wording>>;
