import { z } from "zod";

/** `Name <hello@example.org>`, or the address only. */
export const Sender = z
  .string()
  .trim()
  .max(320, "The sender may have at most 320 characters.")
  .regex(
    /^([^<>@\r\n]*<[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)$/,
    "Enter the sender as an address or as Name <hello@example.org>.",
  );

/** The signing secret of a webhook at Resend: `whsec_` and base64 of at least 15 bytes. */
export const webhookSecretPattern = /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/;

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
      webhookSecretPattern,
      "This is not a webhook signing secret. It starts with whsec_, followed by letters and digits.",
    )
    .nullable(),
});
export type NewMailService = z.input<typeof NewMailService>;
