import { z } from "zod";
import { languages } from "../../kernel/languages";
import { Password, Title } from "../../kernel/names";
import { pendingDaysBounds } from "../../kernel/spans";
import { mostDomainMailsPerDay, mostMailsPerDay } from "../../mail/schema/mail-budgets";
import { maxSendDelaySeconds } from "../../mail/schema/mailings";
import { roles } from "../../staff/schema/roles";
import { EmailField } from "../../subscribers/schema/subscriber";

const isTimeZone = (zone: string) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

/** `Name <hello@example.org>`, or the address only. */
const Sender = z
  .string()
  .trim()
  .max(320, "The sender may have at most 320 characters.")
  .regex(
    /^([^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)$/,
    "Enter the sender as an address or as Name <hello@example.org>.",
  );

/** The mail provider's settings, as an owner enters them. */
export const NewMailService = z.object({
  /** Resend's API key; null: the stored key stays. */
  apiKey: z
    .string()
    .trim()
    .max(200, "A key has at most 200 characters.")
    .regex(/^re_\w+$/, "This is not a Resend API key. It starts with re_, followed by letters and digits.")
    .nullable(),
  sender: Sender,
  /** The signing secret of Resend's webhook, as Resend shows it; null: the stored secret stays. */
  webhookSecret: z
    .string()
    .trim()
    .max(200, "A signing secret has at most 200 characters.")
    .regex(
      /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/,
      "This is not a webhook signing secret. It starts with whsec_, followed by letters and digits.",
    )
    .nullable(),
});
export type NewMailService = z.input<typeof NewMailService>;

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
  domainMailsPerDay: mailsADay(mostDomainMailsPerDay),
  mailsPerDay: mailsADay(mostMailsPerDay),
  /** The delay before emails to more than one person are sent; 0: no delay. */
  sendDelaySeconds: z
    .int("Enter a whole number of seconds.")
    .min(0, `Enter 0 to ${maxSendDelaySeconds} seconds.`)
    .max(maxSendDelaySeconds, `Enter 0 to ${maxSendDelaySeconds} seconds.`),
});
export type NewsletterSettings = z.input<typeof NewsletterSettings>;

const pendingDaysError = `Enter a whole number of days from ${pendingDaysBounds.least} to ${pendingDaysBounds.most}.`;

/** The rules for pending people who don't confirm. */
export const PendingRules = z.object({
  /** Pending people get one reminder. */
  reminder: z.boolean(),
  /** Days after the last confirmation email until pending people are removed; null: never. */
  days: z
    .int({ error: pendingDaysError })
    .min(pendingDaysBounds.least, pendingDaysError)
    .max(pendingDaysBounds.most, pendingDaysError)
    .nullable(),
});
export type PendingRules = z.output<typeof PendingRules>;

export const Invitation = z.object({ email: EmailField, role: z.enum(roles) });
export type Invitation = z.input<typeof Invitation>;

export const Joining = z.object({ name: Title, password: Password });
export type Joining = z.input<typeof Joining>;

export const NewPassword = z.object({ password: Password });
export const OwnName = z.object({ name: Title });
export const NewEmail = z.object({ email: EmailField });
