import { expect, test } from "vitest";
import { maskAddresses } from "./mask";

test("masks every address in nested values, and leaves all else", () => {
  const told = {
    email: "ada@lovelace.org",
    name: "Ada (ada.l+news@lovelace.org), or <grace@navy.example>",
    tags: ["vip", "from:ünï@bücher.example"],
    detail: { mail: { to: "x@example.org" }, at: "2026-06-11T17:00:00+00:00", opens: 3, subject: null },
    link: "https://news.example.org/n/1?email=%40lovelace.org",
    handle: "@ada",
    emoji: "😀y@example.org",
  };
  expect(maskAddresses(told)).toEqual({
    email: "a••@lovelace.org",
    name: "Ada (a••@lovelace.org), or <g••@navy.example>",
    tags: ["vip", "from:ü••@bücher.example"],
    detail: { mail: { to: "x••@example.org" }, at: "2026-06-11T17:00:00+00:00", opens: 3, subject: null },
    link: "https://news.example.org/n/1?email=%40lovelace.org",
    handle: "@ada",
    emoji: "😀••@example.org",
  });
});

test("keeps no local part of an address in a long text without spaces", () => {
  const masked = maskAddresses(`${"a".repeat(200)}@example.org${"@".repeat(500)}b@example.org`);
  expect(masked).toMatch(/a••@example\.org@+b••@example\.org$/);
});
