import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyVerbs } from "../api-keys/cli";
import { importVerb } from "../imports/cli";
import { newId } from "../kernel/ids";
import { mailVerbs } from "../mail-log/cli";
import { accountVerbs, installationVerbs, newsletterVerbs } from "../newsletters/cli";
import { staffVerbs } from "../staff/cli";
import { peopleVerbs } from "../subscribers/cli";
import { opened, openHttpAppForTests } from "../test/http-app";
import type { CommandContext, Verb } from "./command";
import type { Options } from "./options";

openHttpAppForTests({ APP_URL: "http://localhost:3000" });
let ctx: CommandContext;
let newsletter: string;
let account: string;
const folder = mkdtempSync(join(tmpdir(), "rollcall-verbs-"));

beforeAll(async () => {
  ctx = { ...opened.app, actor: { kind: "operator" }, requestId: newId() };
  newsletter = opened.newsletterId;
  account = (await ctx.db.account.findFirstOrThrow()).id;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const run = (verbs: Record<string, Verb>, name: string, options: Options = {}, args: string[] = []) =>
  (verbs[name] as Verb).run(ctx, options, args);
const json = async <T = Record<string, unknown>>(...given: Parameters<typeof run>) =>
  (await run(...given)).json as T;
const actionsOf = async () =>
  (await ctx.db.auditEntry.findMany({ orderBy: { id: "asc" }, where: { actorKind: "operator" } })).map(
    ({ action }) => action,
  );
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const statuses = async () =>
  Object.fromEntries(
    (await ctx.db.subscriber.findMany({ orderBy: { email: "asc" } })).map(({ email, status }) => [
      email,
      status,
    ]),
  );

test("lists accounts and newsletters with their ids", async () => {
  const { accounts } = await json<{ accounts: object[] }>(accountVerbs, "list");
  expect(accounts).toMatchObject([
    { id: account, name: "Lovelace", api_access: true, newsletters: [{ id: newsletter, name: "Notes" }] },
  ]);
  expect((await run(accountVerbs, "list")).lines.join("\n")).toContain(newsletter);
  const { newsletters } = await json<{ newsletters: object[] }>(newsletterVerbs, "list");
  expect(newsletters).toMatchObject([{ id: newsletter, account: { id: account } }]);
});

test("invites staff, changes roles and removes staff, but never the last owner", async () => {
  const invited = await run(staffVerbs, "invite", { account, email: "grace@navy.mil", role: "editor" });
  expect(invited.lines.at(-1)).toMatch(/^http:\/\/localhost:3000\/join\//);
  await expect(run(staffVerbs, "invite", { account, email: "x@navy.mil", role: "king" })).rejects.toThrow(
    /--role must be one of owner, editor, viewer/,
  );
  await expect(run(staffVerbs, "role", { email: "ada@lovelace.org", role: "viewer" })).rejects.toThrow(
    /needs at least one owner/,
  );
  await expect(run(staffVerbs, "remove", { email: "ada@lovelace.org" })).rejects.toThrow(
    /needs at least one owner/,
  );
  await expect(run(staffVerbs, "remove", { email: "nobody@x.org" })).rejects.toThrow(
    /No staff member has the address/,
  );
  const id = newId();
  await ctx.db.staffMember.create({
    data: { id, accountId: account, email: "grace@navy.mil", name: "Grace", role: "editor" },
  });
  await run(staffVerbs, "role", { email: "Grace@navy.mil", role: "owner" });
  expect(await ctx.db.staffMember.findUnique({ where: { id } })).toMatchObject({ role: "owner" });
  await run(staffVerbs, "remove", { email: "grace@navy.mil" });
  expect(await ctx.db.staffMember.findUnique({ where: { id } })).toBeNull();
  expect(await actionsOf()).toEqual(expect.arrayContaining(["staff.invited", "staff.role", "staff.removed"]));
});

test("creates a key with permissions and expiry, lists it without its secret, and rotates it", async () => {
  const asked = {
    newsletter,
    name: "Reader",
    permissions: "subscribers:read",
    networks: "10.0.0.0/8",
    expiresInDays: "90",
  };
  const { key } = await json<{ key: { id: string; secret: string } }>(keyVerbs, "create", asked);
  const listed = await run(keyVerbs, "list");
  const { keys } = listed.json as { keys: { id: string; expires_at: Date }[] };
  const own = keys.find(({ id }) => id === key.id);
  expect(own).toMatchObject({
    prefix: key.secret.slice(0, 8),
    name: "Reader",
    newsletter: "Notes",
    permissions: ["subscribers:read"],
    networks: ["10.0.0.0/8"],
    revoked_at: null,
  });
  const days = ((own?.expires_at.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
  expect(listed.lines.join() + JSON.stringify(keys)).not.toContain(key.secret);
  const rotated = await run(keyVerbs, "rotate", { key: key.id, overlapHours: "2" });
  expect(rotated.json).toMatchObject({ key: { secret: expect.stringMatching(/^sk_/) }, replaces: key.id });
  expect(rotated.lines.at(-1)).toBe("The old key ends in 2 hours.");
});

test("creates a key for all newsletters of the account", async () => {
  const given = { newsletter, name: "Shop", allNewsletters: true };
  const { key } = await json<{ key: { id: string } }>(keyVerbs, "create", given);
  const { keys } = await json<{ keys: { id: string }[] }>(keyVerbs, "list");
  expect(keys.find(({ id }) => id === key.id)).toMatchObject({ newsletter: null, account: "Lovelace" });
});

test("creates an account and a newsletter, and turns API access off and on", async () => {
  const made = await json<{ account: { id: string } }>(accountVerbs, "create", { name: "Bryant & Sons" });
  expect(made.account).toMatchObject({ name: "Bryant & Sons" });
  const { id } = made.account;
  const { newsletter: daily } = await json(newsletterVerbs, "create", { account: id, name: "Daily" });
  expect(daily).toMatchObject({ name: "Daily" });
  for (const on of [false, true]) {
    const turned = await json(installationVerbs, "api-access", { account: id, on, off: !on });
    expect(turned).toEqual({ account: { id, api_access: on } });
    expect(await ctx.db.account.findUnique({ where: { id } })).toMatchObject({ apiAccess: on });
  }
});

test("resets a password: ends sessions, removes second factors only on request, and sends an email", async () => {
  const [email, password] = ["ada@lovelace.org", "harbour lamp seven ink"];
  const { staff } = await json<{ staff: { id: string }[] }>(staffVerbs, "list");
  expect(staff).toMatchObject([{ email, role: "owner", account: "Lovelace", second_factors: [] }]);
  const staffId = staff[0]?.id as string;
  const hash = async () => (await ctx.db.staffCredential.findFirstOrThrow({ where: { staffId } })).password;
  await ctx.db.$executeRaw`
    INSERT INTO staff_passkeys (id, staff_id, public_key, credential_id, counter, device_type, backed_up)
    VALUES (uuidv7(), ${staffId}::uuid, 'k', 'c', 0, 'singleDevice', false)`;
  expect((await run(staffVerbs, "list")).lines.join()).toContain(
    "owner of Lovelace  1 passkey  never signed in",
  );
  const expiresAt = new Date(Date.now() + 3_600_000);
  await ctx.db.staffSession.create({ data: { id: newId(), staffId, token: "t", expiresAt } });
  const before = await hash();
  await run(staffVerbs, "reset", { email: "Ada@Lovelace.org", password });
  expect(await hash()).not.toBe(before);
  expect(await ctx.db.staffSession.count({ where: { staffId } })).toBe(0);
  expect(await ctx.db.staffPasskey.count()).toBe(1);
  await run(staffVerbs, "reset", { email, password, withoutSecondFactor: true });
  expect(await ctx.db.staffPasskey.count()).toBe(0);
  expect((await actionsOf()).filter((action) => /reset|factors/.test(action))).toEqual([
    ...["staff.password_reset", "staff.password_reset", "staff.factors_removed"],
  ]);
  const subject = "Your Rollcall password was changed";
  expect(await ctx.db.mail.findMany({ where: { kind: "notice", subject } })).toHaveLength(2);
});

const setup = { account: "A", newsletter: "N", email: "b@lovelace.org", password: "correct horse battery" };
const ada = "ada@lovelace.org";
test.each<[string, Record<string, Verb>, string, Options, RegExp]>([
  ["setup a second time", installationVerbs, "setup", setup, /already set up/],
  ["a set-up link after the set-up", installationVerbs, "setup-link", {}, /already set up/],
  ["a short password", installationVerbs, "setup", { ...setup, password: "short" }, /at least 10/],
  ["an owner without an address", installationVerbs, "setup", { ...setup, email: "nobody" }, /email/i],
  ["both --on and --off", installationVerbs, "api-access", { on: true, off: true }, /either --on or --off/],
  ["an unknown account", installationVerbs, "api-access", { account: newId(), on: true }, /account/],
  ["an unknown newsletter", keyVerbs, "create", { newsletter: "x", name: "K" }, /newsletter/],
  ["an unknown permission", keyVerbs, "create", { name: "K", permissions: "all" }, /Permissions are/],
  ["an empty expiry", keyVerbs, "create", { name: "K", expiresInDays: "" }, /--expires-in-days must be/],
  ["an invalid expiry", keyVerbs, "create", { name: "K", expiresInDays: "soon" }, /from 1 to 3650/],
  ["an unknown key", keyVerbs, "revoke", { key: "nonsense" }, /key/],
  ["an unknown key to rotate", keyVerbs, "rotate", { key: "nonsense" }, /no longer exists/],
  ["a common password", staffVerbs, "reset", { email: ada, password: "password123" }, /four random words/],
])("refuses %s", async (_, verbs, name, options, sentence) => {
  const given = { newsletter, ...options };
  await expect(run(verbs, name, given)).rejects.toThrow(sentence);
});

describe("people import", () => {
  const list = () =>
    file(
      "list.csv",
      "email,name,status\nada@lovelace.org,Ada,blue\ngrace@navy.mil,Grace,red\nnot an address,X,blue\n",
    );

  test("requires the meaning of unknown status words, and shows how to give it", async () => {
    await expect(
      run({ import: importVerb }, "import", { newsletter, consent: "Form" }, [list()]),
    ).rejects.toThrow(/what does "blue" mean \(\d people\)[\s\S]*--answer 'VALUE=MEANING'/);
    await expect(
      run({ import: importVerb }, "import", { newsletter, answer: ["blue=perhaps"] }, [list()]),
    ).rejects.toThrow(/use VALUE=MEANING/);
    expect(await statuses()).toEqual({});
  });

  const answer = ["blue=active", "red=unsubscribed"];

  test("counts in a dry run, and changes nothing", async () => {
    const options = { newsletter, answer, dryRun: true };
    const result = await run({ import: importVerb }, "import", options, [list()]);
    expect(result.json).toMatchObject({
      import: { counts: { new_active: 1, new_unsubscribed: 1 }, rejected: 1 },
    });
    expect(result.lines.at(-1)).toMatch(/dry run/);
    expect(await statuses()).toEqual({});
    expect(await ctx.db.import.count()).toBe(0);
  });

  test("adds no people without --consent", async () => {
    await expect(run({ import: importVerb }, "import", { newsletter, answer }, [list()])).rejects.toThrow(
      /1 people would be added .* --consent/,
    );
    expect(await statuses()).toEqual({});
    expect(await ctx.db.import.count()).toBe(0);
  });

  test("adds the people of a list once, without a server", async () => {
    const options = { newsletter, answer, consent: "Form on our website" };
    const done = await run({ import: importVerb }, "import", options, [list()]);
    expect(done).toMatchObject({
      failed: false,
      json: { import: { state: "done", number: 1, rejected: 1 } },
    });
    expect(await statuses()).toEqual({ "ada@lovelace.org": "active", "grace@navy.mil": "unsubscribed" });
    const again = await run({ import: importVerb }, "import", options, [list()]);
    expect(again.lines.at(-1)).toBe("No people to import.");
    const [row] = await ctx.db.import.findMany();
    expect(row).toMatchObject({ consentSource: "Form on our website", staffId: null, state: "done" });
    expect(await actionsOf()).toContain("import.done");
  });

  test("queues confirmation emails for people without a status", async () => {
    const pending = file("pending.txt", "Hedy Lamarr <hedy@lamarr.org>\n");
    await run({ import: importVerb }, "import", { newsletter, consent: "Form" }, [pending]);
    expect((await statuses())["hedy@lamarr.org"]).toBe("pending");
    expect(await ctx.db.mail.count({ where: { toEmail: "hedy@lamarr.org", kind: "confirmation" } })).toBe(1);
  });

  test("refuses a file that is not text", async () => {
    const workbook = join(folder, "x.xlsx");
    writeFileSync(workbook, Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]));
    await expect(run({ import: importVerb }, "import", { newsletter }, [workbook])).rejects.toThrow(
      /not a UTF-8 text file/,
    );
  });
});

test("finds people in all newsletters, exports them to a private file, and erases them", async () => {
  await ctx.db.subscriber.updateMany({ where: { email: "ada@lovelace.org" }, data: { firstName: "=1+1" } });
  const { people } = await json<{ people: object[] }>(peopleVerbs, "find", {}, ["lovelace"]);
  expect(people).toMatchObject([
    { email: "ada@lovelace.org", status: "active", newsletter: { name: "Notes" } },
  ]);
  const csv = join(folder, "people.csv");
  expect(await json(peopleVerbs, "export", { newsletter, status: "active" }, [csv])).toEqual({
    export: { file: csv, people: 1 },
  });
  expect(readFileSync(csv, "utf8")).toMatch(
    /^\u{feff}"id","email",.*\r\n[^\r]*"ada@lovelace.org","'=1\+1"[^\r]*\r\n$/u,
  );
  expect(statSync(csv).mode & 0o777).toBe(0o600);
  expect(readFileSync(csv, "utf8")).toMatch(/,"unsubscribed_at","external_id","tags"\r\n/);
  await expect(run(peopleVerbs, "export", { newsletter }, [csv])).rejects.toThrow(
    /EEXIST.*No incomplete file was left behind/,
  );
  expect(readFileSync(csv, "utf8")).toContain("ada@lovelace.org");
  await run(peopleVerbs, "erase", { newsletter, email: "Ada@lovelace.org" });
  expect(Object.keys(await statuses())).not.toContain("ada@lovelace.org");
  await expect(run(peopleVerbs, "erase", { newsletter, email: "ada@lovelace.org" })).rejects.toThrow(
    /is not on Notes/,
  );
  expect(await actionsOf()).toEqual(expect.arrayContaining(["people.exported", "people.erase"]));
});

test("exports all pages of a long list", async () => {
  const common = { newsletterId: newsletter, status: "active", source: "api" };
  const emails = Array.from({ length: 1_500 }, (_, n) => `x${n}@export.example`);
  await ctx.db.subscriber.createMany({
    data: emails.map((email) => ({ ...common, id: newId(), email, emailCanonical: email })),
  });
  const all = join(folder, "all.csv");
  const { export: done } = await json<{ export: { people: number } }>(peopleVerbs, "export", { newsletter }, [
    all,
  ]);
  expect(done.people).toBe(await ctx.db.subscriber.count());
});

test("pauses and resumes sending", async () => {
  await run(mailVerbs, "pause");
  expect((await run(mailVerbs, "list")).lines.at(-1)).toMatch(/^Sending has been paused since/);
  await expect(run(mailVerbs, "resume", { older: "burn" })).rejects.toThrow(/send or cancel/);
  expect(await json(mailVerbs, "resume")).toEqual({ mails: { resumed: true, cancelled: 0 } });
  expect(await actionsOf()).toEqual(expect.arrayContaining(["mails.paused", "mails.resumed"]));
});
