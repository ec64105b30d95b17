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

test("there are 10,000 common passwords, all of a length that can be chosen", () => {
  expect(commonPasswords().size).toBe(10_000);
  expect([...commonPasswords()].every((password) => password.length >= 10)).toBe(true);
});

describe("S5: a password that is tried first is rejected, with what to do", () => {
  test.each([
    ["1234567890", /most common passwords\. .*four random words/],
    ["password123", /most common passwords/],
    ["Password123", /most common passwords/],
    ["qwertyuiop", /most common passwords/],
    ["1qaz2wsx3edc", /most common passwords/],
    ["ada.king@lovelace.org", /your address/],
    ["ADA.King@Lovelace.org!", /your address/],
    ["adaking2026", /your name/],
    ["Lovelace-1815", /your address/],
    ["analytical2026", /the account's name/],
    ["rollcall2026", /the account's name/],
    ["aaaaaaaaaaaaaaaaaaaaaaaaa", /repeated characters/],
    ["abababababababababababababab", /repeated characters/],
    ["abcdefghijklmnopqrstuvwxyz", /neighbouring/],
    ["0987654321098765", /neighbouring/],
    ["lkjhgfdsapoiuytrewq", /neighbouring/],
    ["11112222333344445555", /neighbouring or repeated/],
  ])("%s", (password, problem) => {
    expect(problemOf(password)).toMatch(problem);
  });
});

test.each([
  "correct horse battery",
  "a long enough password",
  "adage about old kings",
  "Lovelace wrote the first program",
  "8f1c2e9a77b04d",
  "пароль из слов",
  "一二三四五六七八九十",
])("%s is taken: there are no rules on its characters", (password) => {
  expect(problemOf(password)).toBe(null);
});

test("no file that browsers get imports the list", () => {
  const root = join(import.meta.dirname, "../..");
  const files = ["components", "app", "server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter(
        (name) => /\.tsx?$/.test(name) && (folder !== "server" || /^kernel|list-parser|schema/.test(name)),
      )
      .map((name) => join(root, folder, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect(readFileSync(file, "utf8"), file).not.toMatch(/auth\/password-rules/);
});

describe("S5: each entrance rejects it", () => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp();
  });
  afterAll(() => opened.close());
  const rejected = {
    code: "validation_error",
    errors: {
      password: [expect.stringMatching(/most common passwords|too similar|neighbouring or repeated/)],
    },
  };
  const ctx = () => ({ db: opened.app.db, actor: { kind: "operator" } as const, requestId: "test" });

  test("set-up: the account's name", async () => {
    const names = { account: "Lovelace", newsletter: "Notes", email: "ada@lovelace.org" };
    await expect(setUp(ctx(), { ...names, password: "Lovelace2026" })).rejects.toMatchObject(rejected);
  });

  test("joining: the invited address, the chosen name", async () => {
    const { db, links } = opened.app;
    const { accountId } = await addStaff(opened.app);
    const id = newId();
    const { url, digest } = links.invitationLink(id);
    const invited = {
      id,
      accountId,
      email: "grace@navy.mil",
      role: "editor" as const,
      digest,
      invitedBy: null,
    };
    await db.$transaction((tx) => insertInvitation(tx, invited));
    const token = url.slice(url.lastIndexOf("/") + 1);
    for (const password of ["grace@navy.mil", "gracehopper1"]) {
      const joining = { name: "Grace Hopper", password };
      await expect(joinStaff(ctx(), { token, joining })).rejects.toMatchObject(rejected);
    }
    await joinStaff(ctx(), { token, joining: { name: "Grace Hopper", password: "correct horse battery" } });
  });

  test("a change of the password, which stays as it was", async () => {
    const { email } = await addStaff(opened.app, "Grace Hopper");
    const browser = openBrowser(opened.app);
    await browser.signIn(email);
    for (const newPassword of ["GraceHopper1", email]) {
      const answer = await browser.post("change-password", { currentPassword: PASSWORD, newPassword });
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain("four random words");
    }
    expect((await openBrowser(opened.app).signIn(email)).status).toBe(200);
  });
});
