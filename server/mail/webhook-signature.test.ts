import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isSignedWebhook } from "./webhook-signature";

type Vector = { secret: string; id: string; timestamp: string; body: string; signature: string };
const { vectors, tolerance_seconds }: { vectors: Vector[]; tolerance_seconds: number } = JSON.parse(
  readFileSync(new URL("../../e2e/vectors/webhook-signatures.json", import.meta.url), "utf8"),
);
const other = `whsec_${Buffer.from("another secret of this webhook").toString("base64")}`;

function verify({ secret, body, ...signed }: Omit<Vector, "secret"> & { secret: string[] }): boolean {
  const headers = new Headers();
  for (const [name, value] of Object.entries(signed)) headers.set(`svix-${name}`, value);
  return isSignedWebhook(secret, headers, Buffer.from(body));
}

afterEach(() => {
  vi.useRealTimers();
});

describe.each(vectors)("the published vector $id", (published) => {
  const vector = { ...published, secret: [published.secret] };
  const wait = (seconds: number) =>
    vi.useFakeTimers({ toFake: ["Date"], now: (Number(published.timestamp) + seconds) * 1000 });
  beforeEach(() => {
    wait(0);
  });

  test("is accepted with its secret, also beside another one, and not with another one alone", () => {
    expect(verify(vector)).toBe(true);
    expect(verify({ ...vector, secret: [other, published.secret] })).toBe(true);
    expect(verify({ ...vector, secret: [other] })).toBe(false);
  });

  test.each(["body", "id", "timestamp", "signature"] as const)("is rejected with another %s", (field) => {
    expect(verify({ ...vector, [field]: `${vector[field]}1` })).toBe(false);
    if (field !== "body") expect(verify({ ...vector, [field]: "" })).toBe(false);
  });

  test("is accepted for five minutes before and after its time", () => {
    for (const [seconds, isTimely] of [
      [tolerance_seconds, true],
      [-tolerance_seconds, true],
      [tolerance_seconds + 1, false],
      [-tolerance_seconds - 1, false],
    ] as const) {
      wait(seconds);
      expect(verify(vector)).toBe(isTimely);
    }
  });
});
