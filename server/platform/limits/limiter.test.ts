import { afterEach, describe, expect, test } from "vitest";
import { BoundedMap } from "./counters";
import { type Limiter, openLimiter } from "./limiter";
import { parseLockout, parsePolicy } from "./policies";

const log = { warn() {}, info() {} };
/** Ten seconds after the start of a minute, an hour and a day. */
const START = Date.UTC(2030, 0, 1) + 10_000;
let now = START;
afterEach(() => {
  now = START;
});

const settings = (over: { write?: string; bulk?: string; auth?: string; errors?: string } = {}) => ({
  policies: {
    write: parsePolicy(over.write ?? "60/m,500/h,3000/d"),
    bulk: parsePolicy(over.bulk ?? "10/m,100/h,500/d"),
    me: parsePolicy("120/m"),
  },
  lockouts: {
    signIn: null,
    auth: parseLockout(over.auth ?? "20/10m for 10m"),
    errors: parseLockout(over.errors ?? "100/10m for 1m"),
  },
  log,
  clock: () => now,
});
const open = (over: Parameters<typeof settings>[0] = {}) => openLimiter(settings(over));
const remaining = async (limiter: Limiter, key: string) =>
  (await limiter.peek("write", key)).windows.map((window) => window.remaining);
describe("without a store", () => {
  test("allows exactly the quota, then rejects until the window ends", async () => {
    const limiter = open();
    expect(limiter.state()).toEqual({ store: "memory", degraded: false });
    for (let i = 1; i <= 60; i++)
      expect(await limiter.take("write", "k")).toMatchObject({ allowed: true, retryAfterSeconds: 0 });
    expect(await limiter.take("write", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "minute",
      retryAfterSeconds: 50,
    });
    now += 49_500;
    expect(await limiter.take("write", "k")).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    now += 500;
    expect(await limiter.take("write", "k")).toMatchObject({ allowed: true });
  });

  test("returns the remaining requests and reset time of every window", async () => {
    expect((await open().take("write", "k")).windows).toMatchObject([
      { name: "minute", remaining: 59, resetSeconds: 50, resetsAt: START / 1000 + 50 },
      { name: "hour", remaining: 499, resetSeconds: 3590 },
      { name: "day", remaining: 2999, resetSeconds: 86_390 },
    ]);
  });

  test("a rejected request is not counted in any window", async () => {
    const limiter = open({ write: "3/m,5/h,100/d" });
    for (let i = 0; i < 10; i++) await limiter.take("write", "k");
    expect(await remaining(limiter, "k")).toEqual([0, 2, 97]);
    now += 60_000;
    for (let i = 0; i < 10; i++) await limiter.take("write", "k");
    expect(await limiter.take("write", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "hour",
      retryAfterSeconds: 3530,
    });
    expect(await remaining(limiter, "k")).toEqual([1, 0, 95]);
    const both = open({ write: "1/m,1/h" });
    for (let i = 0; i < 2; i++) await both.take("write", "k");
    expect(await both.take("write", "k")).toMatchObject({ rejectedBy: "minute", retryAfterSeconds: 3530 });
  });

  test("each key has its own quota, and so do writes and bulk requests", async () => {
    const limiter = open({ write: "1/m", bulk: "1/m" });
    expect((await limiter.take("write", "a")).allowed).toBe(true);
    expect((await limiter.take("write", "b")).allowed).toBe(true);
    expect((await limiter.take("bulk", "a")).allowed).toBe(true);
    expect((await limiter.take("write", "a")).allowed).toBe(false);
  });

  test("peek does not count", async () => {
    const limiter = open();
    for (let i = 0; i < 100; i++) await limiter.peek("write", "k");
    expect(await remaining(limiter, "k")).toEqual([60, 500, 3000]);
  });

  test("off allows everything and returns no quotas", async () => {
    const limiter = open({ write: "off", auth: "off", errors: "off" });
    for (let i = 0; i < 5000; i++) await limiter.failedAuthentication("a");
    for (let i = 0; i < 5000; i++) await limiter.countError("k");
    expect(await limiter.takeWrite("write", "k")).toEqual({
      allowed: true,
      rejectedBy: null,
      retryAfterSeconds: 0,
      windows: [],
    });
    expect(await limiter.authenticationLock("a")).toBe(0);
  });
});

describe("lockouts", () => {
  test("the 20th failure within ten minutes locks the address for ten minutes, and later attempts do not extend it", async () => {
    const limiter = open();
    for (let i = 0; i < 20; i++)
      expect((await limiter.failedAuthentication("192.0.2.1")).lockedSeconds).toBe(0);
    expect(await limiter.authenticationLock("192.0.2.1")).toBe(600);
    now += 300_000;
    expect((await limiter.failedAuthentication("192.0.2.1")).lockedSeconds).toBe(300);
    expect(await limiter.authenticationLock("192.0.2.2")).toBe(0);
    now += 300_000;
    expect(await limiter.authenticationLock("192.0.2.1")).toBe(0);
    expect((await limiter.failedAuthentication("192.0.2.1")).lockedSeconds).toBe(0);
  });

  test.each([
    [31_600, false],
    [31_000, true],
  ])("20 failures, one each %i ms, cause a lock only within ten minutes: %s", async (ms, isLocked) => {
    const limiter = open();
    for (let i = 0; i < 20; i++) {
      await limiter.failedAuthentication("192.0.2.1");
      now += ms;
    }
    expect((await limiter.authenticationLock("192.0.2.1")) > 0).toBe(isLocked);
  });

  test("100 rejected requests lock the key's writes for a minute, not its reads, and locked writes are not counted", async () => {
    const limiter = open();
    for (let i = 0; i < 100; i++) await limiter.countError("k");
    expect(await limiter.takeWrite("bulk", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "lockout",
      retryAfterSeconds: 60,
    });
    expect((await limiter.takeWrite("bulk", "k")).windows[0]).toMatchObject({ remaining: 10 });
    expect((await limiter.take("write", "k")).allowed).toBe(true);
    expect((await limiter.takeWrite("bulk", "other")).allowed).toBe(true);
    now += 60_000;
    expect((await limiter.takeWrite("bulk", "k")).allowed).toBe(true);
  });
});

describe("memory", () => {
  test("keeps the latest entries, up to its cap", () => {
    const map = new BoundedMap<number>(60_000, 1000);
    for (let i = 0; i < 20_000; i++) map.set(`key-${i}`, i, now);
    const kept = Array.from({ length: 20_000 }, (_, i) => map.get(`key-${i}`)).filter((i) => i !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(500);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(kept.at(0)).toBe(20_000 - kept.length);
  });

  test("keeps an entry for its lifetime, then drops it when new entries arrive", () => {
    const map = new BoundedMap<number>(60_000, 1000);
    map.set("before", 1, now);
    map.set("old", 1, now + 59_000);
    map.set("new", 1, now + 60_000);
    expect(map.get("before")).toBe(1);
    map.set("newer", 1, now + 118_000);
    expect(map.get("old")).toBe(1);
    map.set("newest", 1, now + 120_000);
    expect(map.get("old")).toBeUndefined();
    expect(map.get("new")).toBe(1);
  });

  test("keeps a lock during a flood of new subjects", async () => {
    const limiter = open({ auth: "2/10m for 10m" });
    for (let i = 0; i < 2; i++) await limiter.failedAuthentication("192.0.2.1");
    for (let i = 0; i < 101_000; i++) await limiter.failedAuthentication(`stranger-${i}`);
    expect(await limiter.authenticationLock("192.0.2.1")).toBe(600);
  });
});
