import { afterEach, describe, expect, test } from "vitest";
import { openLimiter } from "./limiter";
import { MemoryLocks, MemoryWindows } from "./memory-counters";
import { MemoryLimiter } from "./memory-limiter";
import { parseLockout, parsePolicy } from "./policies";

const log = { warn() {}, info() {} };
/** Ten seconds into a minute, an hour and a day at once. */
const START = Date.UTC(2030, 0, 1) + 10_000;
let now = START;
afterEach(() => {
  now = START;
});

const settings = (over: { single?: string; bulk?: string; auth?: string; errors?: string } = {}) => ({
  policies: {
    single: parsePolicy(over.single ?? "60/m,500/h,3000/d"),
    bulk: parsePolicy(over.bulk ?? "10/m,100/h,500/d"),
  },
  lockouts: {
    auth: parseLockout(over.auth ?? "20/10m for 10m"),
    errors: parseLockout(over.errors ?? "100/10m for 1m"),
  },
  log,
  clock: () => now,
});
const open = (over: Parameters<typeof settings>[0] = {}) => new MemoryLimiter(settings(over));
const remaining = (limiter: MemoryLimiter, key: string) =>
  limiter.peek("single", key).windows.map((window) => window.remaining);

describe("without a store", () => {
  test("openLimiter counts in memory and is never degraded", async () => {
    const limiter = openLimiter(settings());
    await limiter.ready;
    expect(limiter.state()).toEqual({ store: "memory", degraded: false });
    expect(limiter.take("single", "k")).not.toBeInstanceOf(Promise);
    await limiter.close();
  });

  test("lets exactly the quota pass, then rejects until the window is over", () => {
    const limiter = open();
    for (let i = 1; i <= 60; i++)
      expect(limiter.take("single", "k")).toMatchObject({ allowed: true, retryAfterSeconds: 0 });
    expect(limiter.take("single", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "minute",
      retryAfterSeconds: 50,
    });
    now += 49_500;
    expect(limiter.take("single", "k")).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    now += 500;
    expect(limiter.take("single", "k")).toMatchObject({ allowed: true });
  });

  test("says of every window what is left and when it starts anew", () => {
    expect(open().take("single", "k").windows).toEqual([
      {
        name: "minute",
        quota: 60,
        windowSeconds: 60,
        remaining: 59,
        resetSeconds: 50,
        resetsAt: START / 1000 + 50,
      },
      {
        name: "hour",
        quota: 500,
        windowSeconds: 3600,
        remaining: 499,
        resetSeconds: 3590,
        resetsAt: START / 1000 + 3590,
      },
      {
        name: "day",
        quota: 3000,
        windowSeconds: 86_400,
        remaining: 2999,
        resetSeconds: 86_390,
        resetsAt: START / 1000 + 86_390,
      },
    ]);
  });

  test("a rejected request uses up nothing, in the rejecting window and in the others", () => {
    const limiter = open({ single: "3/m,5/h,100/d" });
    for (let i = 0; i < 10; i++) limiter.take("single", "k");
    expect(remaining(limiter, "k")).toEqual([0, 2, 97]);
    now += 60_000;
    for (let i = 0; i < 10; i++) limiter.take("single", "k");
    expect(limiter.take("single", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "hour",
      retryAfterSeconds: 3530,
    });
    expect(remaining(limiter, "k")).toEqual([1, 0, 95]);
  });

  test("keys do not share, single and bulk requests do not share", () => {
    const limiter = open({ single: "1/m", bulk: "1/m" });
    expect(limiter.take("single", "a").allowed).toBe(true);
    expect(limiter.take("single", "b").allowed).toBe(true);
    expect(limiter.take("bulk", "a").allowed).toBe(true);
    expect(limiter.take("single", "a").allowed).toBe(false);
  });

  test("peek uses nothing", () => {
    const limiter = open();
    for (let i = 0; i < 100; i++) limiter.peek("single", "k");
    expect(remaining(limiter, "k")).toEqual([60, 500, 3000]);
  });

  test("off lets everything pass and says nothing of quotas", () => {
    const limiter = open({ single: "off", auth: "off", errors: "off" });
    for (let i = 0; i < 5000; i++) limiter.failedAuthentication("a");
    for (let i = 0; i < 5000; i++) limiter.countError("k");
    expect(limiter.takeWrite("single", "k")).toEqual({
      allowed: true,
      rejectedBy: null,
      retryAfterSeconds: 0,
      windows: [],
    });
    expect(limiter.authenticationLock("a")).toBe(0);
  });
});

describe("lockouts", () => {
  test("the 20th failure within ten minutes locks the address for ten, and no attempt prolongs it", () => {
    const limiter = open();
    for (let i = 0; i < 20; i++) expect(limiter.failedAuthentication("192.0.2.1")).toBe(0);
    expect(limiter.authenticationLock("192.0.2.1")).toBe(600);
    now += 300_000;
    expect(limiter.failedAuthentication("192.0.2.1")).toBe(300);
    expect(limiter.authenticationLock("192.0.2.2")).toBe(0);
    now += 300_000;
    expect(limiter.authenticationLock("192.0.2.1")).toBe(0);
    expect(limiter.failedAuthentication("192.0.2.1")).toBe(0);
  });

  test("19 in any ten minutes lock nobody, wherever the ten minutes begin", () => {
    const limiter = open();
    for (let i = 0; i < 200; i++) {
      expect(limiter.failedAuthentication("192.0.2.1")).toBe(0);
      now += 31_600;
    }
    expect(limiter.lockouts()).toEqual([]);
  });

  test("20 within ten minutes lock, wherever the ten minutes begin", () => {
    const limiter = open();
    for (let i = 0; i < 20; i++) {
      limiter.failedAuthentication("192.0.2.1");
      now += 31_000;
    }
    expect(limiter.authenticationLock("192.0.2.1")).toBeGreaterThan(0);
  });

  test("100 rejected answers lock the key's writes for a minute, not its reads, and locked writes use up nothing", () => {
    const limiter = open();
    for (let i = 0; i < 100; i++) limiter.countError("k");
    expect(limiter.takeWrite("bulk", "k")).toMatchObject({
      allowed: false,
      rejectedBy: "lockout",
      retryAfterSeconds: 60,
    });
    expect(limiter.takeWrite("bulk", "k").windows[0]).toMatchObject({ remaining: 10 });
    expect(limiter.take("single", "k").allowed).toBe(true);
    expect(limiter.takeWrite("bulk", "other").allowed).toBe(true);
    now += 60_000;
    expect(limiter.takeWrite("bulk", "k").allowed).toBe(true);
  });

  test("lists who is locked out and until when, a hundred at most", () => {
    const limiter = open({ auth: "1/10m for 10m", errors: "1/10m for 1m" });
    limiter.countError("k");
    limiter.failedAuthentication("192.0.2.1");
    expect(limiter.lockouts()).toEqual([
      { kind: "auth", subject: "192.0.2.1", until: new Date(START + 600_000) },
      { kind: "errors", subject: "k", until: new Date(START + 60_000) },
    ]);
    for (let i = 0; i < 500; i++) limiter.failedAuthentication(`198.51.100.${i}`);
    expect(limiter.lockouts()).toHaveLength(100);
  });
});

describe("memory", () => {
  test("does not grow beyond its cap, and still limits who is active", () => {
    const windows = new MemoryWindows(parsePolicy("60/m,500/h") ?? [], 1000);
    for (let i = 0; i < 20_000; i++) windows.take(`key-${i}`, now);
    expect(windows.size).toBe(1000);
    const locks = new MemoryLocks({ limit: 20, windowSeconds: 600, lockSeconds: 600 }, 1000);
    for (let i = 0; i < 20; i++) locks.count("guilty", now);
    for (let i = 0; i < 20_000; i++) locks.count(`address-${i}`, now);
    expect(locks.size).toBeLessThanOrEqual(1001);
    expect(locks.lockedMs("guilty", now)).toBe(600_000);
  });

  test("forgets the dead as new ones come", () => {
    const windows = new MemoryWindows(parsePolicy("60/m") ?? []);
    for (let i = 0; i < 5000; i++) windows.take(`old-${i}`, now);
    now += 60_000;
    for (let i = 0; i < 5000; i++) windows.take(`new-${i}`, now);
    expect(windows.size).toBeLessThanOrEqual(5001);
  });

  test("a take costs microseconds", () => {
    const limiter = open({ single: "1000000000/m,1000000000/h,1000000000/d" });
    const keys = Array.from(
      { length: 1000 },
      (_, i) => `0199e5b2-0000-7000-8000-${String(i).padStart(12, "0")}`,
    );
    const round = () => {
      const begun = performance.now();
      for (let i = 0; i < 100_000; i++) limiter.takeWrite("single", keys[i % 1000] as string);
      return (performance.now() - begun) / 100;
    };
    const microseconds = Math.min(round(), round(), round());
    console.log(`memory limiter: ${microseconds.toFixed(2)} µs a takeWrite`);
    // Ten times the goal: the build machine may be busy.
    expect(microseconds).toBeLessThan(20);
  });
});

test("a lock that is lifted is over, and what led to it is forgotten", () => {
  const limiter = open({ errors: "2/10m for 1m" });
  for (let i = 0; i < 2; i++) limiter.countError("k");
  expect(limiter.takeWrite("single", "k").rejectedBy).toBe("lockout");
  limiter.lift({ kind: "errors", subject: "k" });
  expect(limiter.takeWrite("single", "k").allowed).toBe(true);
  limiter.countError("k");
  expect(limiter.writeLock("k")).toBe(0);
  limiter.countError("k");
  expect(limiter.writeLock("k")).toBe(60);
});
