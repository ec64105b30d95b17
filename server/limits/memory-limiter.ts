import type { Limiter, LimiterOptions, LimiterState, LockedOut, LockSubject } from "./limiter";
import { MemoryLocks, MemoryWindows } from "./memory-counters";
import type { LockoutName, PolicyName } from "./policies";
import { lockedOut, type Quota, quotaResult, UNLIMITED } from "./quota";

export const LISTED_LOCKS = 100;
const wholeSeconds = (ms: number) => Math.ceil(ms / 1000);

/** Alone with neither Upstash nor Redis, or standing in for them: everything in this process, every answer at once. */
export class MemoryLimiter implements Limiter {
  readonly ready = Promise.resolve();
  readonly windows: Record<PolicyName, MemoryWindows | null>;
  readonly locks: Record<LockoutName, MemoryLocks | null>;
  readonly now: () => number;

  constructor({ policies, lockouts, clock }: LimiterOptions) {
    this.windows = {
      single: policies.single && new MemoryWindows(policies.single),
      bulk: policies.bulk && new MemoryWindows(policies.bulk),
    };
    this.locks = {
      auth: lockouts.auth && new MemoryLocks(lockouts.auth),
      errors: lockouts.errors && new MemoryLocks(lockouts.errors),
    };
    this.now = clock ?? Date.now;
  }

  take(policy: PolicyName, keyId: string): Quota {
    return this.windows[policy]?.take(keyId, this.now()) ?? UNLIMITED;
  }

  takeWrite(policy: PolicyName, keyId: string): Quota {
    return this.lockedQuota(policy, keyId) ?? this.take(policy, keyId);
  }

  /** The rejection of a write while the key is locked out, as far as memory knows. @param maxAgeMs as of `lockedMs` */
  lockedQuota(policy: PolicyName, keyId: string, maxAgeMs?: number): Quota | undefined {
    const seconds = wholeSeconds(this.locks.errors?.lockedMs(keyId, this.now(), maxAgeMs) ?? 0);
    return seconds > 0 ? lockedOut(this.windows[policy]?.peek(keyId, this.now()) ?? [], seconds) : undefined;
  }

  peek(policy: PolicyName, keyId: string): Quota {
    const windows = this.windows[policy]?.peek(keyId, this.now());
    return windows
      ? quotaResult(windows, windows.find((window) => window.remaining === 0)?.name ?? null)
      : UNLIMITED;
  }

  failedAuthentication(address: string): number {
    return wholeSeconds(this.locks.auth?.count(address, this.now()) ?? 0);
  }

  authenticationLock(address: string): number {
    return wholeSeconds(this.locks.auth?.lockedMs(address, this.now()) ?? 0);
  }

  countError(keyId: string): void {
    this.locks.errors?.count(keyId, this.now());
  }

  writeLock(keyId: string): number {
    return wholeSeconds(this.locks.errors?.lockedMs(keyId, this.now()) ?? 0);
  }

  lockouts(): LockedOut[] {
    const of = (kind: LockoutName) =>
      this.locks[kind]?.list(this.now(), LISTED_LOCKS).map((lock) => ({ kind, ...lock })) ?? [];
    return listed([...of("auth"), ...of("errors")]);
  }

  locked(subjects: LockSubject[]): LockedOut[] {
    const now = this.now();
    return subjects.flatMap(({ kind, subject }) => {
      const ms = this.locks[kind]?.lockedMs(subject, now) ?? 0;
      return ms > 0 ? [{ kind, subject, until: new Date(now + ms) }] : [];
    });
  }

  lift({ kind, subject }: LockSubject): void {
    this.locks[kind]?.free(subject);
  }

  state(): LimiterState {
    return { store: "memory", degraded: false };
  }

  async close(): Promise<void> {}
}

/** As the dashboard reads them: the longest first, at most 100. */
export function listed(locks: { kind: LockoutName; subject: string; until: number }[]): LockedOut[] {
  const longest = locks.sort((a, b) => b.until - a.until).slice(0, LISTED_LOCKS);
  return longest.map(({ kind, subject, until }) => ({ kind, subject, until: new Date(until) }));
}
