import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { withClient } from "../../server/platform/postgres/sessions";
import { verifyPassword } from "../../server/staff/sign-in/password-hashing";
import { createTestDatabase } from "../../server/test/database";
import { launcher, run, runProgram } from "../../server/test/product";
import { ask } from "../contract/client";
import { siteForTest, until } from "./site";

describe("npm run admin", () => {
  it("changes the data of a running server and of a stopped one, and leaves no PostgreSQL running", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    type Key = { key: { id: string; secret: string } };
    const newKey = () =>
      site.admin<Key>("keys", "create", "--newsletter", site.newsletterId, "--name", "Shop");
    const create = (key: string, email: string) => ask(site.first, { key, json: { email } });
    const { key } = await newKey();
    expect(await create(key.secret, "s1@lovelace.org")).toMatchObject({ status: 201 });
    await site.admin("keys", "revoke", "--key", key.id);
    expect(await create(key.secret, "s2@lovelace.org")).toMatchObject({ status: 401 });
    await site.first.stop();
    const { key: other } = await newKey();
    expect(existsSync(join(site.first.dataDir, "postgres", "postmaster.pid"))).toBe(false);
    await site.start();
    expect(await create(other.secret, "night@lovelace.org")).toMatchObject({ status: 201 });
  });

  it.each<[number, string[], RegExp]>([
    [2, ["keys", "list", "--colour", "red"], /unknown option '--colour'/],
    [1, ["keys", "revoke", "--key", "nonsense"], /Unknown API key id: nonsense/],
  ])("exits with %i for `%s`, with a sentence on stderr", async (exit, args, sentence) => {
    const { url, drop } = await createTestDatabase();
    onTestFinished(drop);
    const { ended, stdout, stderr } = run(["admin", ...args, "--json"], { DATABASE_URL: url });
    expect({ code: await ended, stdout: stdout() }).toEqual({ code: exit, stdout: "" });
    expect(stderr()).toMatch(sentence);
    expect(stderr()).not.toMatch(/^\s+at /m);
  });
});

const PASSWORD = "correct horse ' \" $HOME";
const SETUP = ["admin", "setup", "--account", "A", "--newsletter", "N", "--email", "ada@lovelace.org"];
const folder = mkdtempSync(join(tmpdir(), "rollcall-admin-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A database that is not set up. */
async function emptyDatabase(): Promise<{ DATABASE_URL: string; AUTH_SECRET: string }> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { DATABASE_URL: url, AUTH_SECRET: "a secret for tests that is long enough" };
}

/** Whether the database was set up with the password. */
async function isSetUp({ DATABASE_URL }: { DATABASE_URL: string }): Promise<boolean> {
  const { rows } = await withClient(DATABASE_URL, (client) =>
    client.query<{ password: string }>("SELECT password FROM staff_credentials"),
  );
  return rows.length === 1 && verifyPassword({ hash: rows[0]?.password as string, password: PASSWORD });
}

/** Runs `setup`. @returns its end, and whether the database is set up with the password */
async function setUp(args: string[], stdin: string) {
  const env = await emptyDatabase();
  const { child, ended, stdout, stderr } = runProgram([...launcher, ...SETUP, ...args], env, {
    input: "pipe",
  });
  child.stdin?.end(stdin);
  const code = await ended;
  return { code, stdout: stdout(), stderr: stderr(), done: await isSetUp(env) };
}

describe("the owner's password", () => {
  it("can be given as an argument, with a warning that does not repeat it", async () => {
    const { stderr, ...rest } = await setUp(["--password", PASSWORD], "");
    expect(rest).toMatchObject({ code: 0, done: true });
    expect(stderr).toMatch(/can see --password, and it stays in the shell's history/);
    expect(stderr).not.toContain(PASSWORD);
  });

  it("is rejected when stdin is empty, and nothing is set up", async () => {
    const stderr = expect.stringContaining("The password on stdin is empty");
    expect(await setUp([], "")).toMatchObject({ code: 1, stderr, done: false });
  });

  const hasTerminals = spawnSync("script", ["--version"]).status === 0;

  it.skipIf(!hasTerminals).each([
    ["the same", PASSWORD, 0],
    ["another", "something else", 1],
  ])(
    "is asked for twice at a terminal that does not show it; the second time %s",
    async (_, second, code) => {
      const env = await emptyDatabase();
      // The only argument of `script` goes through a shell.
      const quoted = [...launcher, ...SETUP].map((arg) => `'${arg}'`).join(" ");
      const terminal = runProgram(["script", "-qec", quoted, "/dev/null"], env, { input: "pipe" });
      await until("the first question", () => terminal.output().includes("Password"));
      terminal.child.stdin?.write(`${PASSWORD}\r`);
      await until("the second question", () => terminal.output().includes("Repeat the password"));
      terminal.child.stdin?.write(`${second}\r`);
      expect(await terminal.ended, terminal.output()).toBe(code);
      expect(terminal.output()).not.toContain(PASSWORD.slice(0, 8));
      expect(await isSetUp(env)).toBe(code === 0);
    },
  );
});

describe("a new key", () => {
  it("is written to a file that only its user can read, and is not printed; the password may come from stdin", async () => {
    const file = join(folder, "key");
    // The password comes from stdin, without its line end.
    const { stdout, ...rest } = await setUp(
      ["--password", "-", "--key-file", file, "--json"],
      `${PASSWORD}\n`,
    );
    expect(rest).toEqual({ code: 0, stderr: "", done: true });
    expect(readFileSync(file, "utf8")).toMatch(/^sk_\w{32}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stdout).not.toContain("sk_");
    expect(JSON.parse(stdout)).toMatchObject({ key: { file } });
  });

  it("is not created when its file already exists, and the file stays unchanged", async () => {
    const file = join(folder, "precious");
    writeFileSync(file, "precious");
    const stderr = expect.stringContaining("already exists");
    expect(await setUp(["--key-file", file], PASSWORD)).toMatchObject({ code: 1, stderr, done: false });
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("leaves no file when the command fails", async () => {
    const file = join(folder, "unused");
    const stderr = expect.stringContaining("at least 10");
    expect(await setUp(["--key-file", file], "short")).toMatchObject({ code: 1, stderr });
    expect(existsSync(file)).toBe(false);
  });
});
