import { createHmac, hkdfSync } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { openLinks } from "./signed-links";

const secret = "a secret for tests that is long enough";
const appUrl = "https://list.example.org";
const links = openLinks({ secrets: [secret], appUrl });
const claims = () => ({
  newsletterId: uuidv7(),
  subscriberId: uuidv7(),
  mailId: uuidv7(),
  expiresAt: new Date("2026-12-01T10:20:30Z"),
});
const tokenOf = (url: string) => url.slice(`${appUrl}/confirm/`.length);

describe("confirmation links", () => {
  test("what was written is read back", () => {
    const written = claims();
    const url = links.confirmationUrl(written);
    expect(url).toMatch(/^https:\/\/list\.example\.org\/confirm\/[A-Za-z0-9_-]{92}$/);
    expect(links.readConfirmation(tokenOf(url))).toEqual({ ok: true, claims: written });
  });

  test("the same claims make the same link, in this process and in another", () => {
    const same = claims();
    expect(openLinks({ secrets: [secret], appUrl }).confirmationUrl(same)).toBe(links.confirmationUrl(same));
  });

  test("an expiry between two seconds is rounded down", () => {
    const url = links.confirmationUrl({ ...claims(), expiresAt: new Date("2026-12-01T10:20:30.999Z") });
    const reading = links.readConfirmation(tokenOf(url));
    expect(reading.ok && reading.claims.expiresAt).toEqual(new Date("2026-12-01T10:20:30Z"));
  });

  test("a link that has expired is still ours: expiry is validated elsewhere", () => {
    const url = links.confirmationUrl({ ...claims(), expiresAt: new Date("2001-01-01T00:00:00Z") });
    expect(links.readConfirmation(tokenOf(url)).ok).toBe(true);
  });

  test("no bit of a token can be changed", () => {
    const bytes = Buffer.from(tokenOf(links.confirmationUrl(claims())), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(links.readConfirmation(changed.toString("base64url")).ok).toBe(false);
    }
  });

  test("another installation's link is forged here", () => {
    const other = openLinks({ secrets: [`${secret}!`], appUrl });
    expect(links.readConfirmation(tokenOf(other.confirmationUrl(claims())))).toEqual({
      ok: false,
      reason: "forged",
    });
  });

  test("a link of the older secret opens while the list has it, and the newer one signs", () => {
    const newer = "another secret for tests that is long enough";
    const both = openLinks({ secrets: [newer, secret], appUrl });
    const written = claims();
    const older = links.confirmationUrl(written);
    expect(both.readConfirmation(tokenOf(older))).toEqual({ ok: true, claims: written });
    expect(both.confirmationUrl(written)).toBe(
      openLinks({ secrets: [newer], appUrl }).confirmationUrl(written),
    );
    expect(openLinks({ secrets: [newer], appUrl }).readConfirmation(tokenOf(older)).ok).toBe(false);
  });

  test("the same bytes sealed for another purpose are forged, even under this purpose's own key", () => {
    const sealed = Buffer.from(tokenOf(links.confirmationUrl(claims())), "base64url").subarray(0, 53);
    const key = Buffer.from(hkdfSync("sha256", secret, "", "rollcall signed link confirmation", 32));
    const seal = createHmac("sha256", key).update("unsubscription\0").update(sealed).digest().subarray(0, 16);
    const token = Buffer.concat([sealed, seal]).toString("base64url");
    expect(links.readConfirmation(token)).toEqual({ ok: false, reason: "forged" });
  });

  test.each([
    ["nothing", ""],
    ["half a link", tokenOf(links.confirmationUrl(claims())).slice(0, 46)],
    ["a link with a full stop glued to it", `${tokenOf(links.confirmationUrl(claims()))}.`],
    ["the other base64 alphabet", tokenOf(links.confirmationUrl(claims())).replace(/^./, "+")],
    ["a version that isn't known", `_${tokenOf(links.confirmationUrl(claims())).slice(1)}`],
    ["a very long text", "A".repeat(100_000)],
    ["what a path may hold", "../../etc/passwd\0"],
  ])("%s is malformed", (_, token) => {
    expect(links.readConfirmation(token)).toEqual({ ok: false, reason: "malformed" });
  });

  test("rejects to write a link for what is no id or no date", () => {
    expect(() => links.confirmationUrl({ ...claims(), mailId: "42" })).toThrow(TypeError);
    expect(() => links.confirmationUrl({ ...claims(), expiresAt: new Date(Number.NaN) })).toThrow(RangeError);
    expect(() => links.confirmationUrl({ ...claims(), expiresAt: new Date("2200-01-01") })).toThrow(
      RangeError,
    );
  });
});

describe("unsubscribe links", () => {
  const person = () => ({ newsletterId: uuidv7(), subscriberId: uuidv7() });
  const start = `${appUrl}/unsubscribe/`;
  const tokenFor = (who: ReturnType<typeof person>, of = links) => of.unsubscribeUrl(who).slice(start.length);

  test("what was written is read back, and the same person has the same link", () => {
    const who = person();
    expect(links.unsubscribeUrl(who)).toMatch(
      /^https:\/\/list\.example\.org\/unsubscribe\/[A-Za-z0-9_-]{68}$/,
    );
    expect(links.readUnsubscribe(tokenFor(who))).toEqual({ ok: true, claims: who });
    expect(openLinks({ secrets: [secret], appUrl }).unsubscribeUrl(who)).toBe(links.unsubscribeUrl(who));
  });

  test("no bit of a token can be changed", () => {
    const bytes = Buffer.from(tokenFor(person()), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(links.readUnsubscribe(changed.toString("base64url")).ok).toBe(false);
    }
  });

  test("one person's signature is forged for another person, and for another newsletter", () => {
    const who = person();
    const bytes = Buffer.from(tokenFor(who), "base64url");
    for (const other of [
      { ...who, newsletterId: uuidv7() },
      { ...who, subscriberId: uuidv7() },
    ]) {
      const mixed = Buffer.from(tokenFor(other), "base64url");
      bytes.copy(mixed, 33, 33);
      expect(links.readUnsubscribe(mixed.toString("base64url"))).toEqual({ ok: false, reason: "forged" });
    }
  });

  test("neither link passes for the other, even with the other's own key", () => {
    const who = person();
    const confirmation = tokenOf(links.confirmationUrl({ ...claims(), ...who }));
    expect(links.readUnsubscribe(confirmation).ok).toBe(false);
    expect(links.readConfirmation(tokenFor(who)).ok).toBe(false);
    expect(links.readPreferences(confirmation)).toEqual({ ok: false, reason: "forged" });
    const preferences = links.preferencesUrl({ ...claims(), ...who }).slice(`${appUrl}/preferences/`.length);
    expect(links.readPreferences(preferences)).toMatchObject({ ok: true, claims: who });
    expect(links.readConfirmation(preferences)).toEqual({ ok: false, reason: "forged" });
    const signed = Buffer.from(tokenFor(who), "base64url").subarray(0, 33);
    for (const [key, purpose] of [
      ["confirmation", "confirmation"],
      ["confirmation", "unsubscribe"],
      ["unsubscribe", "confirmation"],
    ]) {
      const derived = Buffer.from(hkdfSync("sha256", secret, "", `rollcall signed link ${key}`, 32));
      const digest = createHmac("sha256", derived).update(`${purpose}\0`).update(signed).digest();
      const token = Buffer.concat([signed, digest.subarray(0, 18)]).toString("base64url");
      expect(links.readUnsubscribe(token)).toEqual({ ok: false, reason: "forged" });
    }
  });

  test("a link of an older secret opens while the list has it", () => {
    const newer = "another secret for tests that is long enough";
    const both = openLinks({ secrets: [newer, secret], appUrl });
    const who = person();
    expect(both.readUnsubscribe(tokenFor(who))).toEqual({ ok: true, claims: who });
    expect(both.unsubscribeUrl(who)).not.toBe(links.unsubscribeUrl(who));
    const newest = openLinks({ secrets: [newer], appUrl });
    expect(newest.readUnsubscribe(tokenFor(who)).ok).toBe(false);
    expect(newest.readUnsubscribe(tokenFor(who, both)).ok).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["half a link", tokenFor(person()).slice(0, 34)],
    ["a link with a bracket glued to it", `${tokenFor(person())}>`],
    ["a version that isn't known", `_${tokenFor(person()).slice(1)}`],
    ["a very long text", "A".repeat(100_000)],
  ])("%s is malformed", (_, token) => {
    expect(links.readUnsubscribe(token)).toEqual({ ok: false, reason: "malformed" });
  });
});

describe("the time of a sign-up form", () => {
  const newsletterId = uuidv7();
  const at = Date.UTC(2026, 10, 23, 5);

  test("says when it was made, to its own newsletter alone", () => {
    const time = links.signUpTime(newsletterId, at);
    expect(time).toMatch(/^[\w-]{52}$/);
    expect(links.readSignUpTime(newsletterId, time)).toBe(at);
    expect(links.readSignUpTime(uuidv7(), time)).toBeNull();
  });

  test.each([
    ["nothing", () => ""],
    ["half of it", (time: string) => time.slice(0, 26)],
    ["another signature", (time: string) => `${time.slice(0, -4)}AAAA`],
    ["another time", (time: string) => `${time.slice(0, 24)}AAAA${time.slice(28)}`],
    ["another secret's", () => openLinks({ secrets: ["x".repeat(32)], appUrl }).signUpTime(newsletterId, at)],
    [
      "an unsubscribe link's token",
      () => links.unsubscribeUrl({ newsletterId, subscriberId: uuidv7() }).split("/")[4] as string,
    ],
    ["a very long text", () => "A".repeat(100_000)],
  ])("%s is no time", (_, change) => {
    expect(links.readSignUpTime(newsletterId, change(links.signUpTime(newsletterId, at)))).toBeNull();
  });
});
