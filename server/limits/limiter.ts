import type { Log, MaybePromise } from "./availability";
import { MemoryLimiter } from "./memory-limiter";
import type { Lockout, LockoutName, Policy, PolicyName } from "./policies";
import type { Quota } from "./quota";
import { SharedLimiter } from "./shared-limiter";

export type { Log, MaybePromise } from "./availability";
export { type Quota, quotaHeaders, type WindowState } from "./quota";

/** A lock in force. `subject` is the caller's address for `auth`, the key's id for `errors`. */
export type LockedOut = { kind: LockoutName; subject: string; until: Date };

/** Whom a lock may be on. */
export type LockSubject = Pick<LockedOut, "kind" | "subject">;

export type LimiterState = {
  store: "memory" | "redis" | "upstash";
  /** The store is away and each process counts in its own memory. */
  degraded: boolean;
  /** Since when it is degraded. */
  since?: Date;
};

export type LimiterOptions = {
  /** Comes before `redisUrl`; with neither, counts are in this process's memory. */
  upstash?: { url: string; token: string };
  redisUrl?: string;
  /** null: no limit. */
  policies: Record<PolicyName, Policy | null>;
  /** null: never locked out. */
  lockouts: Record<LockoutName, Lockout | null>;
  log: Log;
  /** Before every key in the store; installations that share a Redis need one each. */
  prefix?: string;
  /** How long a request waits for the store, in milliseconds; 300 by default. For tests of counts on a busy machine. */
  budgetMs?: number;
  /** The clock of the memory limiter, Unix milliseconds; for tests. */
  clock?: () => number;
};

/**
 * Answers at once where memory knows, else after the store has; `await` takes either. Nothing here ever rejects or
 * throws. Subjects (key ids, addresses) are the caller's to keep short.
 */
export type Limiter = {
  /** Counts a request of a key, unless it is rejected: then it counts nowhere. */
  take(policy: PolicyName, keyId: string): MaybePromise<Quota>;
  /** `take` for a write: rejects also while the key is locked out for its bad requests (`rejectedBy: "lockout"`). */
  takeWrite(policy: PolicyName, keyId: string): MaybePromise<Quota>;
  /** Where the key stands, without counting; `allowed` says whether a `take` would pass now. */
  peek(policy: PolicyName, keyId: string): MaybePromise<Quota>;
  /**
   * Counts a failed authentication. Resolves to the seconds left of a lock that was in force already (it was not
   * counted then: answer 429), or 0 (it was: answer 401), so that a failing caller costs one round trip.
   */
  failedAuthentication(address: string): MaybePromise<number>;
  /** Seconds (whole, rounded up) the address is locked out for; 0 = free. */
  authenticationLock(address: string): MaybePromise<number>;
  /** Counts a 4xx answer to the key, other than 401, 403 and 429. */
  countError(keyId: string): MaybePromise<void>;
  /** Seconds (whole, rounded up) the key's writes are locked out for; 0 = free. */
  writeLock(keyId: string): MaybePromise<number>;
  /** Locks in force, of all processes that share the store; at most 100, those that last longest first. */
  lockouts(): MaybePromise<LockedOut[]>;
  /** Which of these are locked out now; as `lockouts`, but complete however many others there are. */
  locked(subjects: LockSubject[]): MaybePromise<LockedOut[]>;
  /** Ends a lock before its time, and forgets what led to it. Other processes that know of it follow within 10 s. */
  lift(subject: LockSubject): MaybePromise<void>;
  state(): LimiterState;
  /** Resolves once the store has been reached, or has failed to answer, for the first time: 2.3 s at most. */
  ready: Promise<void>;
  close(): Promise<void>;
};

/** Opens the limiter. Returns at once, whether or not the store can be reached; until it has been, memory answers. */
export function openLimiter(options: LimiterOptions): Limiter {
  const { upstash, redisUrl, prefix = "rollcall:limits" } = options;
  const memory = new MemoryLimiter(options);
  // Imported only where needed: ioredis alone costs a start 60 ms.
  if (upstash) {
    return new SharedLimiter("upstash", memory, options, async () => {
      const [{ RedisStore }, { openUpstash }] = await Promise.all([
        import("./redis-store"),
        import("./upstash-redis"),
      ]);
      return new RedisStore(openUpstash(upstash), options.policies, options.lockouts, prefix);
    });
  }
  if (redisUrl) {
    return new SharedLimiter("redis", memory, options, async () => {
      const [{ RedisStore }, { openPlainRedis }] = await Promise.all([
        import("./redis-store"),
        import("./plain-redis"),
      ]);
      const connection = openPlainRedis(redisUrl);
      await connection.attempted;
      return new RedisStore(connection, options.policies, options.lockouts, prefix);
    });
  }
  return memory;
}
