import { expect, test } from "vitest";
import { isWellFormed, makeSecret, prefixOf } from "./api-key";

test("makes a different secret each time: sk_ and 32 base62 characters", () => {
  const secrets = new Set(Array.from({ length: 1000 }, makeSecret));
  expect(secrets.size).toBe(1000);
  for (const secret of secrets) expect(secret).toMatch(/^sk_[0-9A-Za-z]{32}$/);
});

test("detects any single changed character without a query", () => {
  const secret = makeSecret();
  expect(isWellFormed(secret)).toBe(true);
  for (let i = 3; i < secret.length; i++) {
    const other = secret[i] === "x" ? "y" : "x";
    expect(isWellFormed(secret.slice(0, i) + other + secret.slice(i + 1))).toBe(false);
  }
});

test("rejects other shapes", () => {
  const secret = makeSecret();
  for (const text of [
    "",
    "sk_",
    secret.slice(3),
    ` ${secret}`,
    `${secret}\n`,
    secret.slice(0, -1),
    `${secret}0`,
  ])
    expect(isWellFormed(text)).toBe(false);
});

test("shows the first eight characters of a secret", () => {
  const secret = makeSecret();
  expect(prefixOf(secret)).toBe(secret.slice(0, 8));
});
