import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, run } from "../../server/test/product";
import { ask } from "../contract/client";
import { mountOf, openSite, type Site } from "./site";

let site: Site;
let product: Product;
beforeAll(async () => {
  const opened = await openSite({ database: "own", settings: { RESEND_API_KEY: "", RESEND_BASE_URL: "" } });
  site = opened;
  product = opened.first;
});
afterAll(() => site?.close());

/** `npm run admin -- …` to its end. */
async function admin(...args: string[]) {
  const { ended, stdout, stderr } = run(["admin", ...args], site.env);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

/** The object on the last line, of a command that must not fail. */
async function asked<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await admin(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) as string) as T;
}

const create = (key: string, json: unknown) => ask(mountOf(product), { key, json });

type Key = { key: { id: string; secret: string } };

// Side by side: each minds its own account or key, and most of a command's time is its start.
describe.concurrent("npm run admin, while the server runs", () => {
  it("keys revoke ends a key for the running server at once; a second revoke changes nothing", async () => {
    const { key } = await asked<Key>(
      "keys",
      "create",
      "--newsletter",
      site.newsletterId,
      "--name",
      "Short-lived",
    );
    expect(await create(key.secret, { email: "s1@lovelace.org" })).toMatchObject({ status: 201 });
    await asked("keys", "revoke", "--key", key.id);
    expect(await create(key.secret, { email: "s2@lovelace.org" })).toMatchObject({ status: 401 });
    expect(await asked("keys", "revoke", "--key", key.id)).toEqual({ key: { id: key.id, revoked: true } });
  });

  it("mails list shows an email that is stored because no Resend key is set, and its link opens", async () => {
    await create(site.key, { email: "kept@lovelace.org", status: "pending" });
    await expect
      .poll(async () => (await site.sql("SELECT FROM mails WHERE state = 'logged'")).length, {
        timeout: 20_000,
      })
      .toBe(1);
    const { mails } = await asked<{ mails: { to: string; state: string; link: string }[] }>(
      "mails",
      "list",
      "--limit",
      "1",
    );
    expect(mails).toMatchObject([{ to: "kept@lovelace.org", state: "logged" }]);
    const { pathname } = new URL(mails[0]?.link as string);
    expect((await fetch(product.url + pathname)).status).toBe(200);
  });

  it("prints text without --json, and lists the commands without a command", async () => {
    const [made, help] = await Promise.all([
      admin("keys", "create", "--newsletter", site.newsletterId, "--name", "For reading aloud"),
      admin(),
    ]);
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^sk_\w{32} {3}shown only once/);
    expect(help.code).toBe(0);
    const commands =
      "setup setup-link api-access accounts newsletters staff keys people suppressions mails backup verify restore migrate doctor";
    for (const command of commands.split(" "))
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, "m"));
  });

  it.each<[number, string[], RegExp]>([
    [2, ["keys", "list", "--colour", "red"], /unknown option '--colour'/],
    [2, ["mails", "list", "--limit", "few"], /a whole number from 1 to 1000/],
    [1, ["keys", "revoke", "--key", "nonsense"], /Unknown API key id: nonsense/],
  ])("exits with %i for `%s`, and says why in a sentence on stderr", async (exit, args, sentence) => {
    const { code, stdout, stderr } = await admin(...args, "--json");
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("npm run admin, while the server does not run", () => {
  it("gives the same results on the same data, and leaves no PostgreSQL running", async () => {
    await product.stop();
    const { key } = await asked<Key>(
      "keys",
      "create",
      "--newsletter",
      site.newsletterId,
      "--name",
      "Made at night",
    );
    expect(existsSync(join(product.dataDir, "postgres", "postmaster.pid"))).toBe(false);
    product = await site.start();
    expect(await create(key.secret, { email: "night@lovelace.org" })).toMatchObject({ status: 201 });
  });
});
