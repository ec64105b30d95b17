import { z } from "zod";
import { permissions } from "../api-keys/schema/permissions";
import { EmailField } from "../subscribers/schema/subscriber";
import { parseName } from "./name";

/** The name of an account, a newsletter or a key: 1 to 255 characters on one line. */
export const Title = z
  .string({ error: "Enter a name." })
  .max(4000, "The name may have at most 255 characters.")
  .transform((value, ctx) => {
    const validation = parseName(value);
    if (validation.ok && validation.name !== "") return validation.name;
    ctx.issues.push({
      code: "custom",
      message: validation.ok ? "Enter a name." : validation.message,
      input: value,
    });
    return z.NEVER;
  });

export const Password = z
  .string({ error: "Enter a password." })
  .min(10, "The password must have at least 10 characters.")
  .max(128, "The password may have at most 128 characters.");

export const Permissions = z
  .array(z.enum(permissions, { error: `Permissions are ${permissions.join(" and ")}.` }))
  .min(1, "A key needs at least one permission.")
  .transform((list) => permissions.filter((permission) => list.includes(permission)));

/** What claims an installation: the account, its first newsletter and its owner. */
export const Setup = z.object({ account: Title, newsletter: Title, email: EmailField, password: Password });
export type Setup = z.input<typeof Setup>;

export const NewKey = z.object({
  name: Title,
  permissions: Permissions.default([...permissions]),
  /** Days until it expires; null: it does not. */
  expiresInDays: z
    .number()
    .positive()
    .max(3650, "A key can be valid for at most 3,650 days.")
    .nullable()
    .default(null),
});
export type NewKey = z.input<typeof NewKey>;
