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

  test("is rejected with another body, id, time or signature", () => {
    for (const field of ["body", "id", "timestamp", "signature"] as const)
      expect(verify({ ...vector, [field]: `${vector[field]}1` }), field).toBe(false);
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
