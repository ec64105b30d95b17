import { z } from "zod";
import { languages } from "../../kernel/languages";
import { Title } from "../../kernel/title-and-password";
import { maxDomainMailsPerDay, maxMailsPerDay } from "../../mail/schema/mail-budgets";
import { Sender } from "../../mail/schema/mail-service";
import { maxSendDelaySeconds } from "../../mail/schema/mailings";
import { EmailField } from "../../subscribers/schema/subscriber";

const isTimeZone = (zone: string) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

const mailsADay = (most: number) => {
  const error = `Enter a whole number from 1 to ${new Intl.NumberFormat("en").format(most)}.`;
  return z.int({ error }).min(1, error).max(most, error);
};

export const NewsletterSettings = z.object({
  name: Title,
  /** null: the mail provider's sender. */
  sender: Sender.nullable(),
  replyTo: EmailField.nullable(),
  language: z.enum(languages, { error: `The language must be one of ${languages.join(", ")}.` }),
  timeZone: z
    .string()
    .max(100, "Unknown time zone.")
    .refine(isTimeZone, "Unknown time zone. Use a name such as Europe/Berlin."),
  domainMailsPerDay: mailsADay(maxDomainMailsPerDay),
  mailsPerDay: mailsADay(maxMailsPerDay),
  /** The delay before emails to more than one person are sent; 0: no delay. */
  sendDelaySeconds: z
    .int("Enter a whole number of seconds.")
    .min(0, `Enter 0 to ${maxSendDelaySeconds} seconds.`)
    .max(maxSendDelaySeconds, `Enter 0 to ${maxSendDelaySeconds} seconds.`),
});
export type NewsletterSettings = z.input<typeof NewsletterSettings>;
