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
type Links = typeof links;
type Claims = ReturnType<typeof claims>;

const confirmation = {
  kind: "confirmation",
  path: `${appUrl}/confirm/`,
  letters: 92,
  claims,
  url: (of: Links, claims: Claims) => of.confirmationUrl(claims),
  read: (of: Links, token: string) => of.readConfirmation(token),
};
const unsubscribe = {
  kind: "unsubscribe",
  path: `${appUrl}/unsubscribe/`,
  letters: 68,
  claims: () => ({ newsletterId: uuidv7(), subscriberId: uuidv7() }),
  url: (of: Links, { newsletterId, subscriberId }: Omit<Claims, "mailId" | "expiresAt">) =>
    of.unsubscribeUrl({ newsletterId, subscriberId }),
  read: (of: Links, token: string) => of.readUnsubscribe(token),
};
const confirmationToken = (written = claims()) =>
  links.confirmationUrl(written).slice(confirmation.path.length);
const unsubscribeToken = (who = unsubscribe.claims()) =>
  links.unsubscribeUrl(who).slice(unsubscribe.path.length);

describe.each([confirmation, unsubscribe])("$kind links", ({ path, letters, claims: of, url, read }) => {
  const newer = "another secret for tests that is long enough";
  const written = of() as Claims;
  const token = url(links, written).slice(path.length);

  test("what was written is read back, and the same claims make the same link in every process", () => {
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(token).toHaveLength(letters);
    expect(read(links, token)).toEqual({ ok: true, claims: written });
    expect(url(openLinks({ secrets: [secret], appUrl }), written)).toBe(path + token);
  });

  test("no bit of a token can be changed", () => {
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(read(links, changed.toString("base64url")).ok).toBe(false);
    }
  });

  test("a link of the older secret opens while the list has it, and the newer one signs", () => {
    const [both, newest] = [[newer, secret] as const, [newer] as const].map((secrets) =>
      openLinks({ secrets, appUrl }),
    ) as [Links, Links];
    expect(read(both, token)).toEqual({ ok: true, claims: written });
    expect(url(both, written)).toBe(url(newest, written));
    expect(url(both, written)).not.toBe(path + token);
    expect(read(newest, token)).toEqual({ ok: false, reason: "forged" });
  });

  test.each([
    ["nothing", ""],
    ["half a link", token.slice(0, letters / 2)],
    ["a link with a full stop glued to it", `${token}.`],
    ["a link with a bracket glued to it", `${token}>`],
    ["the other base64 alphabet", token.replace(/^./, "+")],
    ["a version that isn't known", `_${token.slice(1)}`],
    ["a very long text", "A".repeat(100_000)],
    ["what a path may hold", "../../etc/passwd\0"],
  ])("%s is malformed", (_, text) => {
    expect(read(links, text)).toEqual({ ok: false, reason: "malformed" });
  });
});

describe("confirmation links", () => {
  test("an expiry between two seconds is rounded down", () => {
    const reading = links.readConfirmation(
      confirmationToken({ ...claims(), expiresAt: new Date("2026-12-01T10:20:30.999Z") }),
    );
    expect(reading.ok && reading.claims.expiresAt).toEqual(new Date("2026-12-01T10:20:30Z"));
  });

  test("a link that has expired is still ours: expiry is validated elsewhere", () => {
    const token = confirmationToken({ ...claims(), expiresAt: new Date("2001-01-01T00:00:00Z") });
    expect(links.readConfirmation(token).ok).toBe(true);
  });

  test("the same bytes sealed for another purpose are forged, even under this purpose's own key", () => {
    const sealed = Buffer.from(confirmationToken(), "base64url").subarray(0, 53);
    const key = Buffer.from(hkdfSync("sha256", secret, "", "rollcall signed link confirmation", 32));
    const seal = createHmac("sha256", key).update("unsubscription\0").update(sealed).digest().subarray(0, 16);
    const token = Buffer.concat([sealed, seal]).toString("base64url");
    expect(links.readConfirmation(token)).toEqual({ ok: false, reason: "forged" });
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
  test("one person's signature is forged for another person, and for another newsletter", () => {
    const who = unsubscribe.claims();
    const bytes = Buffer.from(unsubscribeToken(who), "base64url");
    for (const other of [
      { ...who, newsletterId: uuidv7() },
      { ...who, subscriberId: uuidv7() },
    ]) {
      const mixed = Buffer.from(unsubscribeToken(other), "base64url");
      bytes.copy(mixed, 33, 33);
      expect(links.readUnsubscribe(mixed.toString("base64url"))).toEqual({ ok: false, reason: "forged" });
    }
  });

  test("neither link passes for the other, even with the other's own key", () => {
    const who = unsubscribe.claims();
    const confirmation = confirmationToken({ ...claims(), ...who });
    expect(links.readUnsubscribe(confirmation).ok).toBe(false);
    expect(links.readConfirmation(unsubscribeToken(who)).ok).toBe(false);
    expect(links.readPreferences(confirmation)).toEqual({ ok: false, reason: "forged" });
    const preferences = links.preferencesUrl({ ...claims(), ...who }).slice(`${appUrl}/preferences/`.length);
    expect(links.readPreferences(preferences)).toMatchObject({ ok: true, claims: who });
    expect(links.readConfirmation(preferences)).toEqual({ ok: false, reason: "forged" });
    const signed = Buffer.from(unsubscribeToken(who), "base64url").subarray(0, 33);
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
