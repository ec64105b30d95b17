import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
import { type Limiter, type LimiterOptions, openLimiter } from "../platform/limits/limiter";
import { parseLockout, parsePolicy } from "../platform/limits/policies";
import { hasRedisServer, RedisFixture, UpstashFixture } from "./redis-fixture";

type Where = Pick<LimiterOptions, "upstash" | "redisUrl">;
type Rules = { write?: string; bulk?: string; auth?: string; errors?: string };

/**
 * A real Redis with an Upstash in front of it for one test file, and limiters that stand for processes sharing them.
 */
export class SharedFixture {
  redis!: RedisFixture;
  upstash!: UpstashFixture;
  /** The levels of this test's log lines, in order. */
  logged: ("warn" | "info")[] = [];
  #open: Limiter[] = [];
  #round = 0;

  /** @param budgetMs how long limiters wait for the store; a high value keeps counts exact on a busy machine */
  constructor(private readonly budgetMs?: number) {
    beforeAll(async () => {
      if (!hasRedisServer) return;
      this.redis = await RedisFixture.start();
      this.upstash = await UpstashFixture.start(this.redis);
    });
    afterAll(async () => {
      await this.upstash?.stop();
      await this.redis?.stop();
    });
    beforeEach(async () => {
      this.#round += 1;
      this.logged = [];
      // Windows follow the wall clock, so a test that counts within a minute must not start at the end of one.
      const leftMs = 60_000 - (Date.now() % 60_000);
      if (leftMs < 4000) await sleep(leftMs + 10);
    });
    afterEach(async () => {
      await Promise.all(this.#open.map((limiter) => limiter.close()));
      this.#open = [];
    });
  }

  /** A test that needs a real redis-server. */
  readonly test = (promise: string, run: () => Promise<void>): void =>
    test.skipIf(!hasRedisServer)(promise, run, 30_000);

  readonly plain = (): Where => ({ redisUrl: this.redis.url });
  readonly rest = (): Where => ({ upstash: { url: this.upstash.url, token: this.upstash.token } });

  /**
   * Adds a process on the store, optionally with its own clock. Counters are new for each test, and shared within it.
   */
  async limiter(where: Where, rules: Rules = {}, clock?: () => number): Promise<Limiter> {
    const limiter = openLimiter({
      ...where,
      policies: {
        write: parsePolicy(rules.write ?? "60/m,500/h,3000/d"),
        bulk: parsePolicy(rules.bulk ?? "10/m,100/h,500/d"),
        me: [],
      },
      lockouts: {
        signIn: null,
        auth: parseLockout(rules.auth ?? "20/10m for 10m"),
        errors: parseLockout(rules.errors ?? "100/10m for 1m"),
      },
      log: { warn: () => void this.logged.push("warn"), info: () => void this.logged.push("info") },
      prefix: `test:${this.#round}`,
      budgetMs: this.budgetMs,
      clock,
    });
    this.#open.push(limiter);
    await limiter.ready;
    return limiter;
  }
}

export async function timed<T>(run: () => T | Promise<T>): Promise<{ ms: number; value: T }> {
  const begun = performance.now();
  const value = await run();
  return { ms: performance.now() - begun, value };
}

/** Returns the remaining requests of a key in each window. */
export const left = async (limiter: Limiter, key = "k") =>
  (await limiter.peek("write", key)).windows.map((window) => window.remaining);
