import { BoundedMap, type Counters, MemoryCounters } from "./memory-counters";
import {
  type LockoutName,
  type LockoutRules,
  type LockSubject,
  type Policies,
  type PolicyName,
  unlimited,
} from "./policies";
import { type Quota, quotaOf, wholeSeconds } from "./quota";
import { type LimiterLog, type LimiterState, SharedStore } from "./shared-store";

/** A lock in force. */
export type LockedOut = LockSubject & { until: Date };

export type LimiterOptions = {
  /** Comes before `redisUrl`; with neither, counts are in this process's memory. */
  upstash?: { url: string; token: string };
  redisUrl?: string;
  /** Those that are not given have no limit. */
  policies: Partial<Policies>;
  lockouts: LockoutRules;
  log: LimiterLog;
  /** Before every key in the store; installations that share a Redis need one each. */
  prefix?: string;
  /** How long a request waits for the store, in milliseconds; 300 by default. For tests of counts on a busy machine. */
  budgetMs?: number;
  /** The clock of the counters in memory, Unix milliseconds; for tests. */
  clock?: () => number;
};

/** Opens the limiter. Returns at once, whether or not the store can be reached; until it has been, memory answers. */
export function openLimiter(options: LimiterOptions): Limiter {
  const policies = { ...unlimited, ...options.policies };
  const memory = new MemoryCounters(policies, options.lockouts, options.clock ?? Date.now);
  return new Limiter(options.lockouts, memory, openStore(options, policies));
}

function openStore(options: LimiterOptions, policies: Policies): SharedStore | null {
  const { upstash, redisUrl, lockouts, log, budgetMs, prefix = "rollcall:limits" } = options;
  if (!upstash && !redisUrl) return null;
  // Imported only where needed: the clients alone cost a start 60 ms.
  const open = async () => {
    const [clients, { RedisStore }] = await Promise.all([import("./redis-clients"), import("./redis-store")]);
    const connection = upstash
      ? await clients.openUpstash(upstash)
      : await clients.openPlainRedis(redisUrl as string);
    return new RedisStore(connection, policies, lockouts, prefix);
  };
  return new SharedStore({ name: upstash ? "upstash" : "redis", open, log, budgetMs });
}

/** How long a rejection of the shared store is repeated without asking again, so that a flood costs it little. */
const REPEAT_MS = 1000;

/**
 * The shared store decides, where there is one; memory counts while it is away. Nothing here ever rejects.
 * Subjects (key ids, addresses) are the caller's to keep short.
 */
export class Limiter {
  /** Resolves once the store has been reached, or has failed to answer, for the first time: 2.3 s at most. */
  readonly ready: Promise<void>;
  readonly #rejections = new BoundedMap<{ quota: Quota; until: number }>(REPEAT_MS);

  constructor(
    private readonly lockouts: LockoutRules,
    private readonly memory: MemoryCounters,
    private readonly store: SharedStore | null,
  ) {
    this.ready = store?.ready ?? Promise.resolve();
  }

  /** Counts a request of a key, or a sign-up of an address and the like, unless it is rejected: then it counts nowhere. */
  take(policy: PolicyName, keyId: string): Promise<Quota> {
    return this.#take(policy, keyId, null);
  }

  /** `take` for a write: rejects also while the key is locked out for its bad requests (`rejectedBy: "lockout"`). */
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

  /** The key's quota without counting; `allowed` is whether a `take` would pass now. */
  async peek(policy: PolicyName, keyId: string): Promise<Quota> {
    return quotaOf(await this.#ask((counters) => counters.peek(policy, keyId)));
  }

  /**
   * Counts a request of a browser in this process's memory alone: what is limited is the time of this very process, and a
   * shared store would cost every call of the dashboard a round trip.
   * @returns whole seconds until it may go on, 0: at once
   */
  takeLocal(policy: "session" | "address", subject: string, cost = 1): number {
    return this.memory.take(policy, subject, null, cost).retryAfterSeconds;
  }

  /**
   * Counts a failed authentication or sign-in. `lockedSeconds`: what remains of a lock that was in force already, in which
   * case it was not counted (answer 429), else 0 (answer 401). `begun`: this very failure locked the address.
   */
  async failedAuthentication(
    address: string,
  ): Promise<{ lockedSeconds: number; begun: boolean; failures: number }> {
    const { before, begun } = await this.#ask((counters) => counters.count("auth", address));
    const failures = this.lockouts.auth?.limit ?? 0;
    return { lockedSeconds: wholeSeconds(before), begun: begun > 0, failures };
  }

  /** Seconds (whole, rounded up) the address is locked out for; 0 = free. */
  async authenticationLock(address: string): Promise<number> {
    const [ms = 0] = await this.#ask((counters) => counters.lockedMs([{ kind: "auth", subject: address }]));
    return wholeSeconds(ms);
  }

  /** Counts a 4xx answer to the key, other than 401, 403 and 429. */
  async countError(keyId: string): Promise<void> {
    await this.#ask((counters) => counters.count("errors", keyId));
  }

  /** Which of these are locked out now, in whichever process that shares the store the lock began. */
  async locked(subjects: LockSubject[]): Promise<LockedOut[]> {
    if (subjects.length === 0) return [];
    const found = await this.#ask((counters) => counters.lockedMs(subjects));
    return subjects.flatMap((lock, i) => {
      const ms = found[i] ?? 0;
      return ms > 0 ? [{ ...lock, until: new Date(this.memory.now() + ms) }] : [];
    });
  }

  /** Ends a lock before its time, within a second, and forgets what led to it. */
  async lift(lock: LockSubject): Promise<void> {
    await this.#ask((counters) => counters.lift(lock));
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
