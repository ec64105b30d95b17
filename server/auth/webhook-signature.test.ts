import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isSignedWebhook, isWebhookSecret } from "./webhook-signature";

type Vector = { secret: string; id: string; timestamp: string; body: string; signature: string };
const { vectors, tolerance_seconds }: { vectors: Vector[]; tolerance_seconds: number } = JSON.parse(
  readFileSync(new URL("../../e2e/vectors/webhook-signatures.json", import.meta.url), "utf8"),
);

function verify({
  secret,
  body,
  ...signed
}: Partial<Omit<Vector, "secret">> & { secret: string | string[]; body: string }): boolean {
  const headers = new Headers();
  for (const [name, value] of Object.entries(signed)) headers.set(`svix-${name}`, value);
  return isSignedWebhook([secret].flat(), headers, Buffer.from(body));
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(vectors)("the published pair $id", (vector) => {
  const at = (secondsLater: number) =>
    vi.useFakeTimers({ toFake: ["Date"], now: (Number(vector.timestamp) + secondsLater) * 1000 });
  beforeEach(() => {
    at(0);
  });

  test("is known as signed", () => {
    expect(verify(vector)).toBe(true);
  });

  test("is known by the older of two secrets, too: rotating loses no report", () => {
    const another = `whsec_${Buffer.from("another secret of this webhook").toString("base64")}`;
    expect(verify({ ...vector, secret: [another, vector.secret] })).toBe(true);
    expect(verify({ ...vector, secret: [another] })).toBe(false);
  });

  test("is rejected with any byte of body, id, time or signature changed", () => {
    for (const field of ["body", "id", "timestamp", "signature"] as const) {
      for (let at = 0; at < vector[field].length; at++) {
        const old = vector[field][at] as string;
        const other = field === "timestamp" ? String((Number(old) + 1) % 10) : old === "A" ? "B" : "A";
        const changed = vector[field].slice(0, at) + other + vector[field].slice(at + 1);
        // The last digit of base64 has bits that mean nothing.
        const same =
          field === "signature" &&
          Buffer.from(changed.slice(3), "base64").equals(Buffer.from(vector.signature.slice(3), "base64")) &&
          changed.startsWith("v1,");
        if (!same) expect(verify({ ...vector, [field]: changed }), `${field} ${at}`).toBe(false);
      }
    }
  });

  test("is rejected under another secret, and without one of its headers", () => {
    const other = `whsec_${Buffer.from("another secret of some length").toString("base64")}`;
    expect(verify({ ...vector, secret: other })).toBe(false);
    for (const header of ["id", "timestamp", "signature"] as const) {
      expect(verify({ ...vector, [header]: "" })).toBe(false);
      const { [header]: _, ...others } = vector;
      expect(verify(others as Vector)).toBe(false);
    }
  });

  test("counts when one of several signatures is right, and only of version 1", () => {
    const wrong = `v1,${Buffer.alloc(32).toString("base64")}`;
    expect(verify({ ...vector, signature: `${wrong} ${vector.signature}` })).toBe(true);
    expect(verify({ ...vector, signature: `v1a,zzz v1 v1, ${vector.signature}` })).toBe(true);
    expect(verify({ ...vector, signature: vector.signature.replace("v1,", "v1a,") })).toBe(false);
    expect(verify({ ...vector, signature: vector.signature.replace("v1,", "") })).toBe(false);
  });

  test("is timely for five minutes either way", () => {
    for (const [seconds, timely] of [
      [tolerance_seconds, true],
      [-tolerance_seconds, true],
      [tolerance_seconds + 1, false],
      [-tolerance_seconds - 1, false],
    ] as const) {
      at(seconds);
      expect(verify(vector)).toBe(timely);
    }
  });
});

test("a time that is no number of seconds is rejected, though it is signed", () => {
  const secret = (vectors[0] as Vector).secret;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  for (const timestamp of ["", "now", "-1", "1e9", "NaN", "99999999999999"]) {
    const signature = `v1,${createHmac("sha256", key).update(`a.${timestamp}.b`).digest("base64")}`;
    expect(verify({ secret, id: "a", timestamp, signature, body: "b" })).toBe(false);
  }
});

test("a secret is whsec_ and base64 of at least 15 bytes", () => {
  for (const bad of [
    "",
    "whsec_",
    "whsec_short",
    "sk_plJ3nmyCDGBKInavdOK15jsl",
    "whsec_plJ3 nmyCDGBKInavdOK15jsl",
  ])
    expect(isWebhookSecret(bad)).toBe(false);
});
