import { z } from "zod";
import { Password, Title } from "../../kernel/title-and-password";
import { EmailField } from "../../subscribers/schema/subscriber";

/** The input that claims an installation: the account, its first newsletter and its owner. */
export const Setup = z.object({
  account: Title,
  newsletter: Title,
  /** The owner's name; absent: the address. */
  name: Title.optional(),
  email: EmailField,
  password: Password,
});
export type Setup = z.input<typeof Setup>;
