import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { setUp } from "../newsletters/set-up";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { addStaff, openBrowser, PASSWORD } from "../test/staff-browser";
import { join as joinStaff } from "./invitations";
import { checkNewPassword, commonPasswords } from "./password-rules";
import { insertInvitation } from "./queries/invitations";

const about = ["ada.king@lovelace.org", "Ada King", "Analytical Engines", "Notes"];
const problemOf = (password: string) => {
  try {
    checkNewPassword(password, about);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test("lists 10,000 common passwords of an allowed length", () => {
  expect(commonPasswords().size).toBe(10_000);
  expect([...commonPasswords()].every((password) => password.length >= 10)).toBe(true);
});

test.each([
  ["Password123", /most common passwords\. .*four random words/],
  ["ADA.King@Lovelace.org!", /your address/],
  ["adaking2026", /your name/],
  ["Lovelace-1815", /your address/],
  ["analytical2026", /the account's name/],
  ["rollcall2026", /the account's name/],
  ["abababababababababababababab", /repeats a few characters/],
])("S5: rejects %s and says what to do", (password, problem) => {
  expect(problemOf(password)).toMatch(problem);
});

test.each([
  "correct horse battery",
  "Lovelace wrote the first program",
  "пароль из слов",
  "一二三四五六七八九十",
])("accepts %s", (password) => {
  expect(problemOf(password)).toBe(null);
});

test("keeps the list out of browsers", () => {
  const root = join(import.meta.dirname, "../..");
  const files = ["components", "app", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(
        (name) => /\.tsx?$/.test(name) && (folder !== "server" || /^kernel|list-parser|schema/.test(name)),
      )
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(readFileSync(file, "utf8"), file).not.toMatch(/\/password-rules/);
});

describe("S5: rejects a guessable password at", () => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp();
  });
  afterAll(() => opened.close());
  const rejected = { code: "validation_error", errors: { password: [expect.stringMatching(/too similar/)] } };
  const ctx = () => ({ db: opened.app.db, actor: { kind: "operator" } as const, requestId: "test" });

  test("set-up", async () => {
    const names = { account: "Lovelace", newsletter: "Notes", email: "ada@lovelace.org" };
    await expect(setUp(ctx(), { ...names, password: "Lovelace2026" })).rejects.toMatchObject(rejected);
  });

  test("joining", async () => {
    const { db, links } = opened.app;
    const { accountId } = await addStaff(opened.app);
    const id = newId();
    const { url, digest } = links.invitationLink(id);
    const invited = {
      id,
      accountId,
      email: "grace@navy.mil",
      role: "editor",
      digest,
      invitedBy: null,
    } as const;
    await db.$transaction((tx) => insertInvitation(tx, invited));
    const token = url.slice(url.lastIndexOf("/") + 1);
    for (const password of ["grace@navy.mil", "gracehopper1"]) {
      const joining = { name: "Grace Hopper", password };
      await expect(joinStaff(ctx(), { token, joining })).rejects.toMatchObject(rejected);
    }
  });

  test("a change of the password", async () => {
    const { email } = await addStaff(opened.app, "Grace Hopper");
    const browser = openBrowser(opened.app);
    await browser.signIn(email);
    const change = { currentPassword: PASSWORD, newPassword: "GraceHopper1" };
    const answer = await browser.post("change-password", change);
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("four random words")]);
    expect((await openBrowser(opened.app).signIn(email)).status).toBe(200);
  });
});
