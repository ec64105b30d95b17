import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, run } from "../../server/test/product";
import { ask } from "../contract/client";
import { staffAt } from "../fixtures/staff";
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
type Listed = { keys: Record<string, unknown>[] };

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const SECRET = expect.stringMatching(/^sk_[0-9A-Za-z]{32}$/);

// Side by side: each minds its own account or key, and most of a command's time is its start.
describe.concurrent("npm run admin, while the server runs", () => {
  it("keys create gives the permissions and the life that were asked for; keys list shows them and no secret", async () => {
    const args = [
      "--newsletter",
      site.newsletterId,
      "--permissions",
      "subscribers:read",
      "--expires-in",
      "90d",
    ];
    const { key } = await asked<Key>("keys", "create", "--name", "Reader", ...args);
    expect(await create(key.secret, { email: "r@lovelace.org" })).toMatchObject({
      status: 403,
      json: { code: "api_module_access_disabled" },
    });
    const { keys } = await asked<Listed>("keys", "list");
    expect(keys.length).toBeGreaterThan(1);
    const listed = keys.find((one) => one.id === key.id);
    expect(listed).toMatchObject({
      prefix: key.secret.slice(0, 8),
      name: "Reader",
      newsletter: "Notes",
      permissions: ["subscribers:read"],
      revoked_at: null,
    });
    const days = (Date.parse(listed?.expires_at as string) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThanOrEqual(90);
    const text = await admin("keys", "list");
    expect(text.stdout + JSON.stringify(keys)).not.toContain(key.secret);
    expect(text.stdout).toContain("Reader");
  });

  it("keys revoke ends a key for the running server at once; once more changes nothing", async () => {
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

  it("accounts, newsletters and keys create make what works at once; api-access switches it off and on", async () => {
    const { account } = await asked<{ account: { id: string } }>(
      "accounts",
      "create",
      "--name",
      "Bryant & Sons",
    );
    expect(account).toEqual({ id: ID, name: "Bryant & Sons" });
    const { newsletter } = await asked<{ newsletter: { id: string } }>(
      ...["newsletters", "create", "--account", account.id, "--name", "Daily"],
    );
    expect(newsletter).toEqual({ id: ID, name: "Daily" });
    const { key } = await asked<Key>("keys", "create", "--newsletter", newsletter.id, "--name", "Website");
    expect(key).toEqual({ id: ID, secret: SECRET });
    expect(await create(key.secret, { email: "a1@lovelace.org" })).toMatchObject({ status: 201 });
    const off = await asked("api-access", "--account", account.id, "--off");
    expect(off).toEqual({ account: { id: account.id, api_access: false } });
    const rejected = { status: 403, json: { code: "api_access_disabled" } };
    expect(await create(key.secret, { email: "a2@lovelace.org" })).toMatchObject(rejected);
    await asked("api-access", "--account", account.id, "--on");
    expect(await create(key.secret, { email: "a2@lovelace.org" })).toMatchObject({ status: 201 });
  });

  it("mails list shows a mail that is kept for want of a Resend key, and its link opens", async () => {
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

  it("staff list shows who signs in; staff reset gives another password at once, ends sessions and is noted", async () => {
    const [email, password] = ["ada@lovelace.org", "harbour lamp seven ink"];
    const { staff } = await asked<{ staff: object[] }>("staff", "list");
    expect(staff).toEqual([
      {
        id: ID,
        email,
        name: email,
        role: "owner",
        account: "Lovelace",
        second_factors: [],
        last_seen_at: null,
      },
    ]);
    const before = await staffAt(product.url, email, "correct horse battery");
    const { id } = staff[0] as { id: string };
    await site.sql(`INSERT INTO staff_passkeys (id, staff_id, public_key, credential_id, counter, device_type, backed_up)
      VALUES (uuidv7(), '${id}', 'k', 'c', 0, 'singleDevice', false)`);
    expect((await admin("staff", "list")).stdout).toMatch(/owner of Lovelace {2}1 passkey {2}seen 20/);
    const file = join(product.dataDir, "new-password");
    writeFileSync(file, password);
    const args = ["--email", "Ada@Lovelace.org", "--password-file", file];
    expect(await asked("staff", "reset", ...args)).toEqual({
      staff: { id, email, name: email, without_second_factor: false },
    });
    expect(await site.sql("SELECT FROM staff_passkeys")).toHaveLength(1);
    await asked("staff", "reset", ...args, "--without-second-factor");
    expect(await site.sql("SELECT FROM staff_passkeys")).toHaveLength(0);
    await expect(before.trpc.sessions.list.query()).rejects.toThrow(/Your session has ended/);
    await expect(staffAt(product.url, email, "correct horse battery")).rejects.toThrow();
    await staffAt(product.url, email, password);
    const entries = await site.sql(
      "SELECT action, actor_kind FROM audit_entries WHERE action IN ('staff.password_reset', 'staff.factors_removed') ORDER BY id",
    );
    expect(entries).toEqual([
      { action: "staff.password_reset", actor_kind: "operator" },
      { action: "staff.password_reset", actor_kind: "operator" },
      { action: "staff.factors_removed", actor_kind: "operator" },
    ]);
    const mails = await site.sql("SELECT subject FROM mails WHERE kind = 'notice'");
    expect(mails).toEqual(Array(2).fill({ subject: "Your Rollcall password was changed" }));
  });

  it("setup rejects a second time", async () => {
    const args = [
      "--account",
      "B",
      "--newsletter",
      "N",
      "--email",
      "b@lovelace.org",
      "--password",
      "correct horse battery",
    ];
    const { code, stdout, stderr } = await admin("setup", ...args, "--json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Rollcall is already set up.");
  });

  it("without --json speaks to people; without a command says what there is", async () => {
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

  const nobody = "01890000-0000-7000-8000-000000000000";
  it.each<[number, string[], RegExp]>([
    [2, ["dance"], /unknown command 'dance'/],
    [1, ["setup-link"], /is already set up/],
    [2, ["keys", "list", "--colour", "red"], /unknown option '--colour'/],
    [2, ["accounts", "create"], /required option '--name <name>'/],
    [1, ["keys", "create", "--newsletter", "nonsense", "--name", "K"], /Unknown newsletter id: nonsense/],
    [
      1,
      ["keys", "create", "--newsletter", "ID", "--name", "K", "--permissions", "subscribers:all"],
      /Permissions are/,
    ],
    [
      2,
      ["keys", "create", "--newsletter", "ID", "--name", "K", "--expires-in", "soon"],
      /--expires-in must be such as 90d/,
    ],
    [1, ["keys", "create", "--newsletter", "ID", "--name", "K", "--expires-in", "9999w"], /3,650 days/],
    [1, ["keys", "revoke", "--key", "nonsense"], /Unknown API key id: nonsense/],
    [1, ["api-access", "--account", nobody, "--off"], /Unknown account id/],
    [1, ["api-access", "--account", "ID", "--on", "--off"], /either --on or --off/],
    [2, ["mails", "list", "--limit", "few"], /a whole number from 1 to 1000/],
    [
      1,
      ["staff", "reset", "--email", "eve@x.org", "--password", "harbour lamp seven ink"],
      /No staff member has the address eve@x\.org/,
    ],
    [1, ["staff", "reset", "--email", "ada@lovelace.org", "--password", "password123"], /four random words/],
    [
      1,
      [
        "setup",
        "--account",
        "A",
        "--newsletter",
        "N",
        "--email",
        "not an address",
        "--password",
        "correct horse battery",
      ],
      /email/i,
    ],
    [
      1,
      ["setup", "--account", "A", "--newsletter", "N", "--email", "a@lovelace.org", "--password", "short"],
      /at least 10/,
    ],
  ])("exits with %i for `%s`, and says why in a sentence on stderr", async (exit, args, sentence) => {
    const filled = args.map((arg) => (arg === "ID" ? site.newsletterId : arg));
    const { code, stdout, stderr } = await admin(...filled, "--json");
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("npm run admin, while the server does not run", () => {
  it("does the same on the same data, and leaves no PostgreSQL running", async () => {
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
