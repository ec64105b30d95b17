import { describe, expect } from "vitest";
import { left, SharedFixture } from "../../test/shared-fixture";

const shared = new SharedFixture(10_000);

describe.each([
  ["plain Redis", "redis", shared.plain],
  ["Upstash", "upstash", shared.rest],
] as const)("over %s", (_, store, where) => {
  shared.test(
    "of 300 requests at once through two processes exactly 60 pass, and use 60 of every window",
    async () => {
      const [a, b] = [await shared.limiter(where()), await shared.limiter(where())];
      expect(a.state()).toEqual({ store, degraded: false });
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, i) => (i % 2 ? a : b).take("write", "k")),
      );
      expect(answers.filter((answer) => answer.allowed)).toHaveLength(60);
      expect(
        answers.filter((answer) => !answer.allowed).every((answer) => answer.rejectedBy === "minute"),
      ).toBe(true);
      expect(await left(a)).toEqual([0, 440, 2940]);
      expect(shared.logged).toEqual([]);
    },
  );

  shared.test(
    "of 300 failures at once through two processes exactly 20 are counted, then all are locked out",
    async () => {
      const [a, b] = [await shared.limiter(where()), await shared.limiter(where())];
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, i) => (i % 2 ? a : b).failedAuthentication("192.0.2.1")),
      );
      expect(answers.filter(({ lockedSeconds }) => lockedSeconds === 0)).toHaveLength(20);
      const other = await shared.limiter(where());
      expect(await other.authenticationLock("192.0.2.1")).toBeGreaterThan(590);
      expect(await other.authenticationLock("192.0.2.2")).toBe(0);
    },
  );
});

describe("the counters of a store", () => {
  shared.test("a rejected request uses no quota in any window", async () => {
    const a = await shared.limiter(shared.plain(), { write: "5/m,3/h,100/d" });
    for (let i = 0; i < 3; i++) expect((await a.take("write", "k")).allowed).toBe(true);
    const b = await shared.limiter(shared.plain(), { write: "5/m,3/h,100/d" });
    const rejected = await b.take("write", "k");
    expect(rejected).toMatchObject({ allowed: false, rejectedBy: "hour" });
    expect(rejected.windows.map((window) => window.remaining)).toEqual([2, 0, 97]);
    expect(rejected.retryAfterSeconds).toBe(rejected.windows[1]?.resetSeconds);
    expect(await left(await shared.limiter(shared.plain(), { write: "5/m,3/h,100/d" }))).toEqual([2, 0, 97]);
  });

  shared.test("a lock of one process applies in all, and rejected writes use no quota", async () => {
    const [a, b] = [
      await shared.limiter(shared.plain(), { errors: "3/10m for 1m" }),
      await shared.limiter(shared.plain(), { errors: "3/10m for 1m" }),
    ];
    for (let i = 0; i < 3; i++) await a.countError("k");
    for (const process of [a, b]) {
      const rejected = await process.takeWrite("write", "k");
      expect(rejected).toMatchObject({ allowed: false, rejectedBy: "lockout" });
      expect(rejected.retryAfterSeconds).toBeGreaterThan(50);
      expect(rejected.windows.map((window) => window.remaining)).toEqual([60, 500, 3000]);
    }
    expect(await left(b)).toEqual([60, 500, 3000]);
    expect((await b.take("write", "k")).allowed).toBe(true);
  });
});

describe("over Upstash", () => {
  shared.test(
    "an allowed write sends one request to Upstash, and a repeated rejection sends none",
    async () => {
      const a = await shared.limiter(shared.rest(), { write: "2/m,5/h,9/d" });
      await a.takeWrite("write", "warm-up");
      const before = shared.upstash.requests;
      await a.takeWrite("write", "k");
      expect(shared.upstash.requests - before).toBe(1);
      await a.takeWrite("write", "k");
      expect((await a.takeWrite("write", "k")).allowed).toBe(false);
      const asked = shared.upstash.requests;
      expect((await a.takeWrite("write", "k")).allowed).toBe(false);
      expect(shared.upstash.requests).toBe(asked);
      await a.peek("write", "k");
      await a.failedAuthentication("192.0.2.1");
      await a.failedAuthentication("192.0.2.1");
      expect(shared.upstash.requests - asked).toBeLessThanOrEqual(4);
    },
  );

  shared.test("works after the store has lost its scripts", async () => {
    const a = await shared.limiter(shared.rest());
    await a.takeWrite("write", "k");
    const client = shared.redis.client();
    await client.script("FLUSH");
    client.disconnect();
    expect((await a.takeWrite("write", "k")).windows[0]?.remaining).toBe(58);
    expect(a.state().degraded).toBe(false);
  });
});
