import { expect, test } from "vitest";
import { checkNewPassword, commonPasswords } from "./password-rules";

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
