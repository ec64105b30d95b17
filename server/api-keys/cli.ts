import { newsletterOption, type Verb } from "../cli/command";
import { text, type VerbOption, wholeNumber } from "../cli/options";
import { keyFileOption, outputKey } from "../cli/secrets";
import { createKey, revokeKey, rotateKey } from "./api-keys";
import { listAllApiKeys } from "./queries/api-keys";
import { defaultPermissions, type Permission, permissions } from "./schema/permissions";

const keyOption: VerbOption = ["--key <id>", "the key's id; see `keys list`", "required"];

export const keyVerbs: Record<string, Verb> = {
  list: {
    does: "lists API keys, without their secrets",
    example: "--json",
    async run(ctx) {
      const keys = (await listAllApiKeys(ctx.db)).map((key) => ({
        id: key.id,
        prefix: key.prefix,
        name: key.name,
        newsletter: key.newsletter?.name ?? null,
        account: key.account?.name ?? null,
        permissions: key.permissions,
        networks: key.networks,
        created_at: key.createdAt,
        last_used_at: key.lastUsedAt,
        expires_at: key.expiresAt,
        revoked_at: key.revokedAt,
      }));
      const lines = keys.map((key) => {
        const used = key.last_used_at ? `used ${key.last_used_at.toISOString()}` : "never used";
        const { id, prefix, newsletter, account, name, permissions } = key;
        const scope = newsletter ?? `all newsletters of ${account}`;
        return `${id}  ${prefix}…  ${scope} · ${name}  ${permissions.join(",")}  ${key.revoked_at ? "revoked" : used}`;
      });
      return {
        json: { keys },
        lines: lines.length > 0 ? lines : ["No API keys yet. Run `keys create` to create one."],
      };
    },
  },
  create: {
    does: "creates an API key and shows it once or writes it to a file",
    example: "--newsletter 019d… --name Website --permissions subscribers:write --expires-in-days 90",
    options: [
      newsletterOption,
      ["--name <name>", "what the key is for", "required"],
      [
        "--permissions <list>",
        `some of ${permissions.join(",")}; by default ${defaultPermissions.join(",")}`,
      ],
      [
        "--all-newsletters",
        "the key works for all newsletters of the newsletter's account, including new ones",
      ],
      ["--networks <list>", "the addresses and networks that may use the key, by comma; by default any"],
      ["--expires-in-days <days>", "when the key expires; by default it does not"],
      keyFileOption,
    ],
    async run(ctx, options) {
      const chosen = options.permissions === undefined ? undefined : String(options.permissions).split(",");
      const key = await createKey(ctx, {
        newsletterId: text(options, "newsletter"),
        key: {
          name: text(options, "name"),
          // The verb validates the typed permissions. Its type allows only valid permissions, hence the cast.
          permissions: chosen as Permission[] | undefined,
          ...(options.networks !== undefined && { networks: text(options, "networks") }),
          forAllNewsletters: options.allNewsletters === true,
          expiresInDays: wholeNumber(options, "--expires-in-days", 3650),
        },
      });
      const { shown, line } = outputKey(key, options);
      return { json: { key: shown }, lines: [line, `id ${key.id}`] };
    },
  },
  revoke: {
    does: "revokes an API key immediately",
    example: "--key 019d…",
    options: [keyOption],
    async run(ctx, options) {
      const id = text(options, "key");
      await revokeKey(ctx, { keyId: id });
      return { json: { key: { id, revoked: true } }, lines: [`Key ${id} revoked.`] };
    },
  },
  rotate: {
    does: "replaces a key with a new one; the old key ends after an overlap",
    example: "--key 019d… --overlap-hours 24 --key-file new-key.txt",
    options: [
      keyOption,
      ["--overlap-hours <hours>", "how long the old key still works; by default it ends immediately"],
      keyFileOption,
    ],
    async run(ctx, options) {
      const overlapHours = wholeNumber(options, "--overlap-hours", 720) ?? 0;
      const keyId = text(options, "key");
      const key = await rotateKey(ctx, { keyId, overlapHours });
      const { shown, line } = outputKey(key, options);
      const ends = overlapHours === 0 ? "has ended" : `ends in ${overlapHours} hours`;
      return { json: { key: shown, replaces: keyId }, lines: [line, `id ${key.id}`, `The old key ${ends}.`] };
    },
  },
};
