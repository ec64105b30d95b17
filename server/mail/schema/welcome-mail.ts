import { z } from "zod";
import { LineWords, longestSubject, ParagraphWords } from "./confirmation-mail";

export const longestWelcome = 5000;

/** Whether a newsletter sends a welcome after a confirmation, and its words; null where the default words are used. */
export const WelcomeMail = z.object({
  on: z.boolean(),
  subject: LineWords(longestSubject),
  text: ParagraphWords(longestWelcome),
});
export type WelcomeMail = z.output<typeof WelcomeMail>;
