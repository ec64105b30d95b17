import { z } from "zod";
import { oneLine, paragraphs } from "../../mail/schema/mail-words";
import { PlainText } from "../../mail/schema/plain-text";
import { maxFields } from "../../subscribers/schema/fields";
import { longestIntroduction, longestSignUpTitle, longestWording } from "./sign-up-page";

/** The settings of a newsletter's sign-up page. */
export const SignUpSettings = z.object({
  isOn: z.boolean(),
  /** Empty: the page shows the newsletter's name only. */
  title: PlainText(longestSignUpTitle, oneLine),
  introduction: PlainText(longestIntroduction, paragraphs),
  /** The wording above the button. Using the button means consent. */
  wording: PlainText(longestWording, paragraphs).refine((text) => text !== "", "Enter the consent wording."),
  asksName: z.boolean(),
  /** Keys of the optional fields on the form. Required fields are always on it. */
  fields: z.array(z.string().max(64)).max(maxFields),
});
export type SignUpSettings = z.output<typeof SignUpSettings>;
