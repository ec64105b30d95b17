/** The emails to people that staff can word. */
export const wordedMails = ["confirmation", "welcome"] as const;
export type WordedMail = (typeof wordedMails)[number];

/** The most characters of a newsletter's own words in its emails. */
export const longestSubject = 200;
export const longestIntros: Record<WordedMail, number> = { confirmation: 1000, welcome: 5000 };

/** One line: a line break would start another header. */
export const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Paragraphs separated by one blank line each, without spaces at the ends of lines. */
export const paragraphs = (text: string) =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/ +$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
