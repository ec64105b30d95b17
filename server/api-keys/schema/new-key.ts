import { z } from "zod";
import { Title } from "../../kernel/title-and-password";
import { permissions } from "./permissions";

export const Permissions = z
  .array(z.enum(permissions, { error: `Permissions are ${permissions.join(" and ")}.` }))
  .min(1, "A key needs at least one permission.")
  .transform((list) => permissions.filter((permission) => list.includes(permission)));

export const NewKey = z.object({
  name: Title,
  permissions: Permissions.default([...permissions]),
  /** Days until the key expires; null: never. */
  expiresInDays: z
    .number()
    .positive()
    .max(3650, "A key can be valid for at most 3,650 days.")
    .nullable()
    .default(null),
});
export type NewKey = z.input<typeof NewKey>;
