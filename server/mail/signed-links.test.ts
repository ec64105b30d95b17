import { createHmac, hkdfSync } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { openLinks } from "./signed-links";

const secret = "a secret for tests that is long enough";
const newer = "another secret for tests that is long enough";
const appUrl = "https://list.example.org";
const links = openLinks({ secrets: [secret], appUrl });
const person = { newsletterId: uuidv7(), subscriberId: uuidv7() };
const claims = { ...person, mailId: uuidv7(), expiresAt: new Date("2026-12-01T10:20:30Z") };
const tokenOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

const kinds = {
  confirmation: { url: "confirmationUrl", read: "readConfirmation", path: "confirm", letters: 92, claims },
  preferences: { url: "preferencesUrl", read: "readPreferences", path: "preferences", letters: 92, claims },
  "new address": { url: "newAddressUrl", read: "readNewAddress", path: "preferences", letters: 92, claims },
  unsubscribe: {
    url: "unsubscribeUrl",
    read: "readUnsubscribe",
    path: "unsubscribe",
    letters: 68,
    claims: person,
  },
} as const;
const urlOf = (kind: keyof typeof kinds, of = links) => of[kinds[kind].url](claims);
const names = Object.keys(kinds) as (keyof typeof kinds)[];

describe.each(names)("%s links", (kind) => {
  const { read, path, letters, claims: written } = kinds[kind];
  const url = urlOf(kind);
  const token = tokenOf(url);

  test("are read back, and are the same in every process", () => {
    expect(url).toBe(`${appUrl}/${path}/${token}`);
    expect(token).toMatch(new RegExp(`^[\\w-]{${letters}}$`));
    expect(links[read](token)).toEqual(written);
    expect(urlOf(kind, openLinks({ secrets: [secret], appUrl }))).toBe(url);
  });

  test("are rejected with any bit changed", () => {
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(links[read](changed.toString("base64url"))).toBeNull();
    }
  });

  test("work under an older secret while the list has it; the newest secret signs", () => {
    const both = openLinks({ secrets: [newer, secret], appUrl });
    const newest = openLinks({ secrets: [newer], appUrl });
    expect(both[read](token)).toEqual(written);
    expect(urlOf(kind, both)).toBe(urlOf(kind, newest));
    expect(newest[read](token)).toBeNull();
  });

  test.each(names.filter((name) => name !== kind))("are not accepted as %s links", (other) => {
    expect(links[kinds[other].read](token)).toBeNull();
  });

  test.each([
    ["an empty text", ""],
    ["half a link", token.slice(0, letters / 2)],
    ["a longer token", `${token}.`],
    ["the other base64 alphabet", token.replace(/^./, "+")],
    ["a very long text", "A".repeat(100_000)],
  ])("reject %s", (_, text) => {
    expect(links[read](text)).toBeNull();
  });
});

test("an expiry between two seconds is rounded down", () => {
  const url = links.confirmationUrl({ ...claims, expiresAt: new Date("2026-12-01T10:20:30.999Z") });
  expect(links.readConfirmation(tokenOf(url))?.expiresAt).toEqual(new Date("2026-12-01T10:20:30Z"));
});

test("the signature includes the purpose: one with this purpose's key alone is rejected", () => {
  const signed = Buffer.from(tokenOf(urlOf("confirmation")), "base64url").subarray(0, 53);
  const key = Buffer.from(hkdfSync("sha256", secret, "", "rollcall signed link confirmation", 32));
  const digest = createHmac("sha256", key).update(signed).digest();
  const token = Buffer.concat([signed, digest.subarray(0, 16)]).toString("base64url");
  expect(links.readConfirmation(token)).toBeNull();
});

test("invalid ids and dates throw", () => {
  expect(() => links.confirmationUrl({ ...claims, mailId: "42" })).toThrow(TypeError);
  for (const expiresAt of [new Date(Number.NaN), new Date("2200-01-01")])
    expect(() => links.confirmationUrl({ ...claims, expiresAt })).toThrow(RangeError);
});

test("a sign-up form's time is read for its own newsletter only, and not when forged", () => {
  const { newsletterId } = person;
  const at = Date.UTC(2026, 10, 23, 5);
  const time = links.signUpTime(newsletterId, at);
  expect(links.readSignUpTime(newsletterId, time)).toBe(at);
  expect(links.readSignUpTime(uuidv7(), time)).toBeNull();
  for (const wrong of ["", time.slice(0, 26), `${time.slice(0, -4)}AAAA`, tokenOf(urlOf("unsubscribe"))])
    expect(links.readSignUpTime(newsletterId, wrong)).toBeNull();
});
