import { z } from "zod";
import { isNetwork } from "../../kernel/ip-address";
import { Title } from "../../kernel/title-and-password";
import { defaultPermissions, permissions } from "./permissions";

const list = new Intl.ListFormat("en", { type: "conjunction" });

export const Permissions = z
  .array(z.enum(permissions, { error: `Permissions are ${list.format(permissions)}.` }))
  .min(1, "A key needs at least one permission.")
  .transform((chosen) => permissions.filter((permission) => chosen.includes(permission)));

const mostNetworks = 50;

/** Reads addresses and networks, separated by commas or spaces. */
const Networks = z.string().transform((text, ctx): string[] => {
  const given = text.split(/[\s,;]+/).filter(Boolean);
  const wrong = given.find((one) => !isNetwork(one));
  const message =
    wrong !== undefined
      ? `“${wrong.slice(0, 50)}” is not an IP address or network. Enter addresses such as 203.0.113.7 or 10.0.0.0/8, separated by commas.`
      : given.length > mostNetworks
        ? `A key has at most ${mostNetworks} networks.`
        : null;
  if (message === null) return given;
  ctx.issues.push({ code: "custom", message, input: text });
  return z.NEVER;
});

export const NewKey = z.object({
  name: Title,
  /** The key works for all newsletters of the account, also for later ones. */
  forAllNewsletters: z.boolean().default(false),
  permissions: Permissions.default([...defaultPermissions]),
  /** The addresses and networks that may use the key; empty: any. */
  networks: Networks.default([]),
  /** Days until the key expires; null: never. */
  expiresInDays: z
    .number()
    .positive()
    .max(3650, "A key can be valid for at most 3,650 days.")
    .nullable()
    .default(null),
});
export type NewKey = z.input<typeof NewKey>;
