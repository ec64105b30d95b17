import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { verifyPassword } from "../../server/staff/sign-in/password-hashing";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import { launcher, runProgram } from "../../server/test/product";
import { until } from "./site";

const PASSWORD = "correct horse ' \" $HOME";
const SETUP = ["admin", "setup", "--account", "A", "--newsletter", "N", "--email", "ada@lovelace.org"];
const folder = mkdtempSync(join(tmpdir(), "rollcall-admin-"));
const databases: TestDatabase[] = [];

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(databases.map((one) => one.drop()));
});

/** A database that nobody has set up. */
async function unclaimed(): Promise<string> {
  const made = await createTestDatabase();
  databases.push(made);
  return made.url;
}

const envOf = (url: string) => ({ DATABASE_URL: url, AUTH_SECRET: "a secret for tests that is long enough" });

async function setUp(url: string, args: string[], stdin?: string) {
  const command = runProgram([...launcher, ...SETUP, ...args], envOf(url), {
    input: stdin === undefined ? "ignore" : "pipe",
  });
  command.child.stdin?.end(stdin);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

async function isPassword(url: string, password: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ password: string }>("SELECT password FROM staff_credentials");
  await client.end();
  return rows.length === 1 && verifyPassword({ hash: rows[0]?.password as string, password });
}

describe.concurrent("the owner's password", () => {
  it.each([
    ["with --password -", ["--password", "-"]],
    ["without any option", []],
  ])("comes from stdin %s, without its line end", async (_, args) => {
    const url = await unclaimed();
    const { code, stderr } = await setUp(url, args, `${PASSWORD}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await isPassword(url, PASSWORD)).toBe(true);
  });

  it("can be given as an argument, with a warning that does not repeat it", async () => {
    const url = await unclaimed();
    const { code, stderr } = await setUp(url, ["--password", PASSWORD]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/can see --password, and it stays in the shell's history/);
    expect(stderr).not.toContain(PASSWORD);
    expect(await isPassword(url, PASSWORD)).toBe(true);
  });

  it("is rejected when stdin is empty, and nothing is set up", async () => {
    const url = await unclaimed();
    const { code, stderr } = await setUp(url, [], "");
    expect(code).toBe(1);
    expect(stderr).toMatch(/The password on stdin is empty/);
    expect(await isPassword(url, PASSWORD)).toBe(false);
  });

  const hasTerminals = spawnSync("script", ["--version"]).status === 0;

  it.skipIf(!hasTerminals).each([
    ["the same", PASSWORD, 0],
    ["another", "something else", 1],
  ])(
    "is asked for twice at a terminal that does not show it; the second time %s",
    async (_, second, code) => {
      const url = await unclaimed();
      // Its one argument goes through a shell.
      const quoted = [...launcher, ...SETUP].map((arg) => `'${arg}'`).join(" ");
      const terminal = runProgram(["script", "-qec", quoted, "/dev/null"], envOf(url), { input: "pipe" });
      await until("the first question", () => terminal.output().includes("Password"));
      terminal.child.stdin?.write(`${PASSWORD}\r`);
      await until("the second question", () => terminal.output().includes("Repeat the password"));
      terminal.child.stdin?.write(`${second}\r`);
      expect(await terminal.ended).toBe(code);
      expect(terminal.output()).not.toContain(PASSWORD.slice(0, 8));
      expect(await isPassword(url, PASSWORD)).toBe(code === 0);
    },
  );
});

describe.concurrent("a new key", () => {
  it("is written to a file that only its user can read, and is not printed", async () => {
    const [url, file] = [await unclaimed(), join(folder, "key")];
    const { code, stdout, stderr } = await setUp(url, ["--key-file", file, "--json"], PASSWORD);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(file, "utf8")).toMatch(/^sk_\w{32}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stdout).not.toContain("sk_");
    expect(JSON.parse(stdout)).toMatchObject({ key: { file } });
  });

  it("is not created when its file already exists, and the file stays unchanged", async () => {
    const [url, file] = [await unclaimed(), join(folder, "precious")];
    writeFileSync(file, "precious");
    expect(await setUp(url, ["--key-file", file], PASSWORD)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("already exists"),
    });
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect(await isPassword(url, PASSWORD)).toBe(false);
  });

  it("leaves no file when the command fails", async () => {
    const [url, file] = [await unclaimed(), join(folder, "unused")];
    expect(await setUp(url, ["--key-file", file], "short")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("at least 10"),
    });
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });
});
