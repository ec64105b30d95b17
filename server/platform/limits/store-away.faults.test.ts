import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { left, SharedFixture, timed } from "../../test/shared-fixture";

const shared = new SharedFixture();

describe("when Redis is away", () => {
  shared.test(
    "killed: memory counts, one line is logged, and Redis is used again after its return",
    async () => {
      const a = await shared.limiter(shared.plain());
      await a.take("write", "k");
      await shared.redis.kill();
      const answers = [];
      for (let i = 0; i < 70; i++) answers.push(await timed(() => a.take("write", "k")));
      expect(answers.filter((answer) => answer.value.allowed)).toHaveLength(60);
      expect(Math.max(...answers.map((answer) => answer.ms))).toBeLessThan(700);
      expect((await a.failedAuthentication("192.0.2.1")).lockedSeconds).toBe(0);
      expect(await a.authenticationLock("192.0.2.1")).toBe(0);
      expect(a.state()).toMatchObject({ store: "redis", degraded: true, since: expect.any(Date) });
      expect(shared.logged).toEqual(["warn"]);

      await shared.redis.start();
      await expect.poll(() => a.state().degraded, { timeout: 10_000 }).toBe(false);
      expect(shared.logged).toEqual(["warn", "info"]);
      // A new Redis does not have the old counts.
      expect((await a.take("write", "other")).windows[0]?.remaining).toBe(59);
      expect(await left(await shared.limiter(shared.plain()), "other")).toEqual([59, 499, 2999]);
    },
  );

  shared.test(
    "hanging: running requests wait 300 ms, later ones don't, and Redis is used again after its return",
    async () => {
      const a = await shared.limiter(shared.plain());
      await a.takeWrite("write", "k");
      shared.redis.signal("SIGSTOP");
      try {
        const first = await Promise.all(
          Array.from({ length: 20 }, () => timed(() => a.takeWrite("write", "k"))),
        );
        for (const { ms, value } of first) {
          expect(value.allowed).toBe(true);
          expect(ms).toBeLessThan(700);
        }
        const later = await timed(() => a.takeWrite("write", "k"));
        expect(later.value.windows[0]?.remaining).toBe(39);
        expect(later.ms).toBeLessThan(150);
        // Waits for two probes and the timeout of the hanging connection.
        await sleep(6000);
        expect((await timed(() => a.takeWrite("write", "k"))).ms).toBeLessThan(150);
        expect(shared.logged).toEqual(["warn"]);
      } finally {
        shared.redis.signal("SIGCONT");
      }
      await expect.poll(() => a.state().degraded, { timeout: 10_000 }).toBe(false);
      expect(shared.logged).toEqual(["warn", "info"]);
    },
  );

  shared.test("full: a Redis that can't write counts as away", async () => {
    const a = await shared.limiter(shared.plain());
    const client = shared.redis.client();
    await client.config("SET", "maxmemory", "1");
    try {
      for (let i = 0; i < 20; i++) expect((await a.take("write", "k")).allowed).toBe(true);
      await sleep(2500);
      expect(a.state().degraded).toBe(true);
      expect(shared.logged).toHaveLength(1);
    } finally {
      await client.config("SET", "maxmemory", "0");
      client.disconnect();
    }
    await expect.poll(() => a.state().degraded, { timeout: 10_000 }).toBe(false);
  });

  shared.test("away at the start: the start is not delayed, and Redis is used once it answers", async () => {
    await shared.redis.kill();
    const started = await timed(() => shared.limiter(shared.plain()));
    expect(started.ms).toBeLessThan(1000);
    const a = started.value;
    expect((await a.takeWrite("write", "k")).allowed).toBe(true);
    expect(a.state().degraded).toBe(true);
    expect(shared.logged).toEqual(["warn"]);
    await shared.redis.start();
    await expect.poll(() => a.state().degraded, { timeout: 10_000 }).toBe(false);
    expect((await a.takeWrite("write", "new")).windows[0]?.remaining).toBe(59);
  });
});

describe("an unreachable store is logged and fails no request:", () => {
  async function expectAway(store: string, where: Parameters<typeof shared.limiter>[0]) {
    const a = await shared.limiter(where);
    expect((await a.takeWrite("write", "k")).allowed).toBe(true);
    expect(await a.authenticationLock("192.0.2.1")).toBe(0);
    expect(a.state()).toMatchObject({ store, degraded: true });
    expect(shared.logged).toEqual(["warn"]);
  }

  test("a host name that does not resolve", () =>
    expectAway("redis", { redisUrl: "redis://nobody.invalid:6379" }));
  test("an address without a listener", () =>
    expectAway("upstash", { upstash: { url: "http://127.0.0.1:9", token: "t" } }));
  shared.test("a wrong token", () =>
    expectAway("upstash", { upstash: { url: shared.upstash.url, token: "wrong" } }),
  );
});
