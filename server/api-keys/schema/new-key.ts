import { z } from "zod";
import { Title } from "../../kernel/title-and-password";
import { defaultPermissions, permissions } from "./permissions";

const list = new Intl.ListFormat("en", { type: "conjunction" });

export const Permissions = z
  .array(z.enum(permissions, { error: `Permissions are ${list.format(permissions)}.` }))
  .min(1, "A key needs at least one permission.")
  .transform((chosen) => permissions.filter((permission) => chosen.includes(permission)));

export const NewKey = z.object({
  name: Title,
  permissions: Permissions.default([...defaultPermissions]),
  /** Days until the key expires; null: never. */
  expiresInDays: z
    .number()
    .positive()
    .max(3650, "A key can be valid for at most 3,650 days.")
    .nullable()
    .default(null),
});
export type NewKey = z.input<typeof NewKey>;
