import { describe, expect, it } from "vitest";
import { digestOf } from "../kernel/digest";
import { isWellFormed, makeSecret, prefixOf } from "./api-key";

describe("an API key's secret", () => {
  it("is sk_ and 32 base62 characters, never the same twice", () => {
    const secrets = new Set(Array.from({ length: 1000 }, makeSecret));
    expect(secrets.size).toBe(1000);
    for (const secret of secrets) expect(secret).toMatch(/^sk_[0-9A-Za-z]{32}$/);
  });

  it("can be checked for typos without a query: any single changed character is detected", () => {
    const secret = makeSecret();
    expect(isWellFormed(secret)).toBe(true);
    for (let i = 3; i < secret.length; i++) {
      const other = secret[i] === "x" ? "y" : "x";
      expect(isWellFormed(secret.slice(0, i) + other + secret.slice(i + 1))).toBe(false);
    }
  });

  it("is not well-formed in any other shape", () => {
    const secret = makeSecret();
    for (const text of [
      "",
      "sk_",
      secret.slice(3),
      ` ${secret}`,
      `${secret}\n`,
      secret.slice(0, -1),
      `${secret}0`,
      secret.toLowerCase(),
    ]) {
      expect(isWellFormed(text)).toBe(false);
    }
  });

  it("is stored as a 32-byte digest", () => {
    const secret = makeSecret();
    expect(digestOf(secret)).toHaveLength(32);
    expect(secret.startsWith(prefixOf(secret))).toBe(true);
    expect(prefixOf(secret)).toHaveLength(8);
  });
});
