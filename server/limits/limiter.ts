// server/limits: how often a caller may ask. Policies as data; one limiter over Upstash, Redis or memory. The only importer of @upstash/* and ioredis; imports contract only: settings and log come as parameters.
import { MemoryLocks, MemoryWindows } from "./memory-counters";
import {
  forEachPolicy,
  type KeyPolicyName,
  type LocalPolicyName,
  type Lockout,
  type LockoutName,
  type Policy,
  type PolicyName,
  type SignUpPolicyName,
  withoutSignUps,
} from "./policies";
import { lockedOut, peekResult, type Quota, wholeSeconds } from "./quota";
import type { RedisConnection } from "./redis-clients";
import { type LimiterLog, SharedStore } from "./shared-store";

/** How long a rejection, by a full window or a lock, is repeated from memory. Spares the store a flood; short, so that an operator can clear a count. */
const REJECTION_KNOWN_MS = 10_000;

/** What a lock is on: the caller's address for `auth`, the key's id for `errors`. */
export type LockSubject = { kind: LockoutName; subject: string };
/** A lock in force. */
export type LockedOut = LockSubject & { until: Date };

export type LimiterState = {
  store: "memory" | "redis" | "upstash";
  /** The store is away and each process counts in its own memory. */
  degraded: boolean;
  since?: Date;
};

export type LimiterOptions = {
  /** Comes before `redisUrl`; with neither, counts are in this process's memory. */
  upstash?: { url: string; token: string };
  redisUrl?: string;
  /** Without those of sign-ups these have no limit. */
  policies: Record<KeyPolicyName, Policy> & Partial<Record<SignUpPolicyName, Policy>>;
  /** Without one there is no limit. */
  local?: Record<LocalPolicyName, Policy>;
  /** null: never locked out. */
  lockouts: Record<LockoutName, Lockout | null>;
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
  return new Limiter(options, openStore(options));
}

function openStore(options: LimiterOptions): SharedStore | null {
  const { upstash, redisUrl, lockouts, log, budgetMs, prefix = "rollcall:limits" } = options;
  if (!upstash && !redisUrl) return null;
  const policies = { ...withoutSignUps, ...options.policies };
  // Imported only where needed: the clients alone cost a start 60 ms.
  const open = async () => {
    const [clients, { RedisStore }] = await Promise.all([import("./redis-clients"), import("./redis-store")]);
    const connection: RedisConnection = upstash
      ? await clients.openUpstash(upstash)
      : await clients.openPlainRedis(redisUrl as string);
    return new RedisStore(connection, policies, lockouts, prefix);
  };
  return new SharedStore({ name: upstash ? "upstash" : "redis", open, log, budgetMs });
}

/**
 * The shared store decides, where there is one; memory repeats what it reported where that cannot have changed (a full
 * window, a lock), and stands in with the same counts while it is away. Nothing here ever rejects.
 * Subjects (key ids, addresses) are the caller's to keep short.
 */
export class Limiter {
  /** Resolves once the store has been reached, or has failed to answer, for the first time: 2.3 s at most. */
  readonly ready: Promise<void>;
  readonly #policies: Record<PolicyName, Policy>;
  readonly #windows: Record<PolicyName, MemoryWindows>;
  readonly #local: Record<LocalPolicyName, MemoryWindows>;
  readonly #locks: Record<LockoutName, MemoryLocks>;
  readonly #now: () => number;

  constructor(
    private readonly options: LimiterOptions,
    private readonly store: SharedStore | null,
  ) {
    const { policies, lockouts, clock } = options;
    this.#policies = { ...withoutSignUps, ...policies };
    const counted = (name: PolicyName) => new MemoryWindows(this.#policies[name]);
    this.#windows = forEachPolicy(counted);
    this.#locks = { auth: new MemoryLocks(lockouts.auth), errors: new MemoryLocks(lockouts.errors) };
    const { session = [], address = [] } = options.local ?? {};
    this.#local = { session: new MemoryWindows(session), address: new MemoryWindows(address) };
    this.#now = clock ?? Date.now;
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

  async #take(policy: PolicyName, keyId: string, lock: "errors" | null): Promise<Quota> {
    const windows = this.#windows[policy];
    const inMemory = () => (lock && this.#lockedQuota(policy, keyId)) ?? windows.take(keyId, this.#now());
    if (!this.store || (this.#policies[policy].length === 0 && !lock)) return inMemory();
    const known =
      (lock && this.#lockedQuota(policy, keyId, REJECTION_KNOWN_MS)) ??
      windows.knownRejection(keyId, this.#now(), REJECTION_KNOWN_MS);
    if (known) return known;
    return this.store.run(async (store) => {
      const quota = await store.take(policy, keyId, lock && this.options.lockouts.errors && lock);
      windows.note(keyId, quota.windows, this.#now());
      if (quota.rejectedBy === "lockout") this.#noteLock("errors", keyId, quota.retryAfterSeconds * 1000);
      return quota;
    }, inMemory);
  }

  /** The rejection of a write while the key is locked out, as far as memory knows. */
  #lockedQuota(policy: PolicyName, keyId: string, maxAgeMs?: number): Quota | null {
    const lockedMs = this.#locks.errors.lockedMs(keyId, this.#now(), maxAgeMs);
    return lockedMs > 0 ? lockedOut(this.#windows[policy].peek(keyId, this.#now()), lockedMs) : null;
  }

  /** The key's quota without counting; `allowed` is whether a `take` would pass now. */
  async peek(policy: PolicyName, keyId: string): Promise<Quota> {
    const inMemory = () => peekResult(this.#windows[policy].peek(keyId, this.#now()));
    if (!this.store) return inMemory();
    return this.store.run(async (store) => {
      const windows = await store.peek(policy, keyId);
      this.#windows[policy].note(keyId, windows, this.#now());
      return peekResult(windows);
    }, inMemory);
  }

  /**
   * Counts a request of a browser in this process's memory alone: what is limited is the time of this very process, and a
   * shared store would cost every call of the dashboard a round trip.
   * @returns whole seconds until it may go on, 0: at once
   */
  takeLocal(policy: LocalPolicyName, subject: string, cost = 1): number {
    return this.#local[policy].take(subject, this.#now(), cost).retryAfterSeconds;
  }

  /**
   * Counts a failed authentication. Resolves to the remaining seconds of a lock that was in force already (it was not
   * counted then: answer 429), or 0 (it was: answer 401), so that a failing caller costs one round trip.
   */
  async failedAuthentication(address: string): Promise<number> {
    return wholeSeconds((await this.#count("auth", address)).before);
  }

  /**
   * The same for a sign-in. `begun`: this very failure locked the address, which is so for one of them.
   */
  async failedSignIn(address: string): Promise<{ lockedSeconds: number; begun: boolean; failures: number }> {
    const { before, begun } = await this.#count("auth", address);
    const failures = this.options.lockouts.auth?.limit ?? 0;
    return { lockedSeconds: wholeSeconds(before), begun: begun > 0, failures };
  }

  /** Seconds (whole, rounded up) the address is locked out for; 0 = free. */
  async authenticationLock(address: string): Promise<number> {
    const inMemory = (maxAgeMs?: number) => this.#locks.auth.lockedMs(address, this.#now(), maxAgeMs);
    const known = inMemory(this.store ? REJECTION_KNOWN_MS : undefined);
    if (known > 0 || !this.store) return wholeSeconds(known);
    const lockedMs = await this.store.run(async (store) => {
      const [ms = 0] = await store.lockedMs([{ kind: "auth", subject: address }]);
      this.#noteLock("auth", address, ms);
      return ms;
    }, inMemory);
    return wholeSeconds(lockedMs);
  }

  /** Counts a 4xx answer to the key, other than 401, 403 and 429. */
  async countError(keyId: string): Promise<void> {
    await this.#count("errors", keyId);
  }

  /** Which of these are locked out now, in whichever process that shares the store the lock began. */
  async locked(subjects: LockSubject[]): Promise<LockedOut[]> {
    const inMemory = () =>
      subjects.map(({ kind, subject }) => this.#locks[kind].lockedMs(subject, this.#now()));
    if (subjects.length === 0) return [];
    const found = this.store
      ? await this.store.run((store) => store.lockedMs(subjects), inMemory)
      : inMemory();
    return subjects.flatMap(({ kind, subject }, i) => {
      const ms = found[i] ?? 0;
      return ms > 0 ? [{ kind, subject, until: new Date(this.#now() + ms) }] : [];
    });
  }

  /** Ends a lock before its time, and forgets what led to it. Other processes that know of it follow within 10 s. */
  async lift({ kind, subject }: LockSubject): Promise<void> {
    this.#locks[kind].free(subject);
    await this.store?.run(
      (store) => store.lift(kind, subject),
      () => {},
    );
  }

  state(): LimiterState {
    return this.store?.state() ?? { store: "memory", degraded: false };
  }

  async close(): Promise<void> {
    this.store?.close();
  }

  /** Counts an event. `before`: ms of the lock that was in force already; `begun`: ms of the lock that it caused. */
  async #count(kind: LockoutName, subject: string): Promise<{ before: number; begun: number }> {
    const locks = this.#locks[kind];
    const inMemory = () => {
      const before = locks.count(subject, this.#now());
      return { before, begun: before > 0 ? 0 : locks.lockedMs(subject, this.#now()) };
    };
    if (!this.store) return inMemory();
    const known = locks.lockedMs(subject, this.#now(), REJECTION_KNOWN_MS);
    if (known > 0) return { before: known, begun: 0 };
    return this.store.run(async (store) => {
      const { before, begun } = await store.count(kind, subject);
      this.#noteLock(kind, subject, before || begun);
      return { before, begun };
    }, inMemory);
  }

  #noteLock(kind: LockoutName, subject: string, lockMs: number): void {
    if (lockMs > 0) this.#locks[kind].lock(subject, lockMs, this.#now());
    // Somebody has lifted it, or memory counted it while the store was away.
    else this.#locks[kind].free(subject);
  }
}
