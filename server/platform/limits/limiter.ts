import { BoundedMap, type Counters, MemoryCounters, type Quota, quotaOf, wholeSeconds } from "./counters";
import { type LockoutName, type LockoutRules, type Policies, type PolicyName, unlimited } from "./policies";
import { type LimiterLog, type LimiterState, SharedStore } from "./shared-store";

export type LimiterOptions = {
  /** Takes precedence over `redisUrl`. With neither, this process counts in memory. */
  upstash?: { url: string; token: string };
  redisUrl?: string;
  /** Absent policies have no limit. */
  policies: Partial<Policies>;
  lockouts: LockoutRules;
  log: LimiterLog;
  /** The prefix of all keys in the store. Installations that share a Redis need different prefixes. */
  prefix?: string;
  /**
   * How long a request waits for the store, in milliseconds; 300 by default. For exact counts in tests on a busy
   * machine.
   */
  budgetMs?: number;
  /** The clock of the counters in memory, Unix milliseconds; for tests. */
  clock?: () => number;
};

/** Opens the limiter. Returns at once. Memory counts until the store is first reached. */
export function openLimiter(options: LimiterOptions): Limiter {
  const policies = { ...unlimited, ...options.policies };
  const memory = new MemoryCounters(policies, options.lockouts, options.clock ?? Date.now);
  return new Limiter(options.lockouts, memory, openStore(options, policies));
}

function openStore(options: LimiterOptions, policies: Policies): SharedStore | null {
  const { upstash, redisUrl, lockouts, log, budgetMs, prefix = "rollcall:limits" } = options;
  if (!upstash && !redisUrl) return null;
  // Imported on demand: loading the clients takes 60 ms.
  const open = async () => {
    const [clients, { RedisStore }] = await Promise.all([import("./redis-clients"), import("./redis-store")]);
    const connection = upstash
      ? await clients.openUpstash(upstash)
      : await clients.openPlainRedis(redisUrl as string);
    return new RedisStore(connection, policies, lockouts, prefix);
  };
  return new SharedStore({ name: upstash ? "upstash" : "redis", open, log, budgetMs });
}

/**
 * How long a rejection by the shared store is repeated without a new request, so that a flood of requests costs the
 * store little.
 */
const REPEAT_MS = 1000;

/**
 * Counts in the shared store, if there is one, and in memory while the store is unreachable. No method rejects. Callers
 * keep subjects (key ids, addresses) short.
 */
export class Limiter {
  /** Resolves after the first contact with the store succeeded or failed, within 2.3 s. */
  readonly ready: Promise<void>;
  readonly #rejections = new BoundedMap<{ quota: Quota; until: number }>(REPEAT_MS);

  constructor(
    private readonly lockouts: LockoutRules,
    private readonly memory: MemoryCounters,
    private readonly store: SharedStore | null,
  ) {
    this.ready = store?.ready ?? Promise.resolve();
  }

  /** Counts a request of a key, a sign-up of an address or the like. A rejected request is not counted. */
  take(policy: PolicyName, keyId: string): Promise<Quota> {
    return this.#take(policy, keyId, null);
  }

  /**
   * Like `take`, for a write. Also rejects while the key is locked out for its bad requests (`rejectedBy: "lockout"`).
   */
  takeWrite(policy: PolicyName, keyId: string): Promise<Quota> {
    return this.#take(policy, keyId, "errors");
  }

  async #take(policy: PolicyName, subject: string, lock: LockoutName | null): Promise<Quota> {
    const key = `${policy} ${lock} ${subject}`;
    const last = this.#rejections.get(key);
    const now = this.memory.now();
    if (last && now < last.until) return last.quota;
    const quota = await this.#ask((counters) => counters.take(policy, subject, lock));
    if (this.store && !quota.allowed) this.#rejections.set(key, { quota, until: now + REPEAT_MS }, now);
    return quota;
  }

  /** Returns the key's quota without counting. `allowed` tells whether a `take` would pass now. */
  async peek(policy: PolicyName, keyId: string): Promise<Quota> {
    return quotaOf(await this.#ask((counters) => counters.peek(policy, keyId)));
  }

  /**
   * Counts a browser request in this process's memory only. The limit protects this process's time, and a shared store
   * would cost each dashboard call a round trip.
   * @returns whole seconds until the next request is allowed; 0: now
   */
  takeLocal(policy: "session" | "address", subject: string, cost = 1): number {
    return this.memory.take(policy, subject, null, cost).retryAfterSeconds;
  }

  /**
   * Counts a request with a wrong key, or a failed sign-in. `lockedSeconds`: the rest of a lock that was already active; then the
   * failure was not counted (answer 429). Otherwise 0 (answer 401). `begun`: this failure locked the address.
   */
  async failedAuthentication(
    address: string,
    kind: "auth" | "signIn" = "auth",
  ): Promise<{ lockedSeconds: number; begun: boolean; failures: number }> {
    const { before, begun } = await this.#ask((counters) => counters.count(kind, address));
    const failures = this.lockouts[kind]?.limit ?? 0;
    return { lockedSeconds: wholeSeconds(before), begun: begun > 0, failures };
  }

  /** Returns how long the address is still locked out, in whole seconds rounded up; 0: not locked. */
  async authenticationLock(address: string, kind: "auth" | "signIn" = "auth"): Promise<number> {
    return wholeSeconds(await this.#ask((counters) => counters.lockedMs({ kind, subject: address })));
  }

  /** Counts a 4xx answer to the key, other than 401, 403 and 429. */
  async countError(keyId: string): Promise<void> {
    await this.#ask((counters) => counters.count("errors", keyId));
  }

  state(): LimiterState {
    return this.store?.state() ?? { store: "memory", degraded: false };
  }

  async close(): Promise<void> {
    this.store?.close();
  }

  async #ask<T>(work: (counters: Counters) => T | Promise<T>): Promise<T> {
    return this.store ? this.store.run(work, () => work(this.memory)) : work(this.memory);
  }
}
