import { forEachRule, type LockoutName, type LockoutRules, type Policies, type PolicyName } from "./policies";
import { type Quota, quotaOf, type WindowState, windowState } from "./quota";

/** Subjects that one counter remembers. Beyond it those not seen for longest are forgotten, whatever they have used. */
const MAX_SUBJECTS = 100_000;

/** How long a report of the shared store is repeated from memory. Short, so that an operator can clear a count there. */
const REPORT_MS = 10_000;

/** A map without timers that keeps entries for `ttlMs` after they were written, and not much longer; `cap` at most. */
export class BoundedMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #turnsAt = 0;

  constructor(
    private readonly ttlMs: number,
    private readonly cap: number,
  ) {}

  get(key: string): V | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: V, now: number): void {
    if (now >= this.#turnsAt || this.#young.size >= this.cap / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#turnsAt = now + this.ttlMs;
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}

/**
 * Rate limits and lockouts in this process's memory: the fixed windows of @upstash/ratelimit, and locks that the last
 * `limit` events within a rule's window cause. Beside a shared store it keeps what the store reported, to repeat
 * rejections for a few seconds and to stand in with the same counts.
 */
export class MemoryCounters {
  /** `reportedAt`: when the shared store reported these windows; 0 when they were counted here. */
  readonly #used: Record<PolicyName, BoundedMap<{ windows: WindowState[]; reportedAt: number }>>;
  readonly #events: Record<LockoutName, BoundedMap<number[]>>;
  /** Apart from the events, so that a flood of strangers pushes out no lock. */
  readonly #locks: Record<LockoutName, BoundedMap<{ until: number; notedAt: number }>>;

  /** @param now the clock, Unix milliseconds */
  constructor(
    private readonly policies: Policies,
    private readonly lockouts: LockoutRules,
    readonly now: () => number,
  ) {
    const lasting = <V>(seconds = 0) => new BoundedMap<V>(seconds * 1000, MAX_SUBJECTS);
    this.#used = forEachRule(policies, (policy) => lasting(policy.at(-1)?.windowSeconds));
    this.#events = forEachRule(lockouts, (rule) => lasting(rule?.windowSeconds));
    this.#locks = forEachRule(lockouts, (rule) => lasting(rule?.lockSeconds));
  }

  /**
   * Counts a request in every window, or in none when it is rejected.
   * @param lock rejects while the subject is locked out so
   * @param cost in requests of usual size
   */
  take(policy: PolicyName, subject: string, lock: LockoutName | null = null, cost = 1): Quota {
    const now = this.now();
    const windows = this.peek(policy, subject, now);
    const quota = quotaOf(windows, lock ? this.lockedMs(lock, subject) : 0);
    if (!quota.allowed) return quota;
    for (const window of windows) window.remaining = Math.max(0, window.remaining - cost);
    this.#used[policy].set(subject, { windows, reportedAt: 0 }, now);
    return quota;
  }

  /** The windows as they are, without counting. */
  peek(policy: PolicyName, subject: string, now = this.now()): WindowState[] {
    const last = this.#used[policy].get(subject)?.windows;
    return this.policies[policy].map((window, i) => {
      const { quota, windowSeconds } = window;
      const resetsAt = (Math.floor(now / (windowSeconds * 1000)) + 1) * windowSeconds;
      const before = last?.[i];
      return windowState(window, resetsAt, before?.resetsAt === resetsAt ? before.remaining : quota, now);
    });
  }

  /** Counts an event. `before`: ms of the lock in force already (not counted then); `begun`: ms of the lock it caused. */
  count(kind: LockoutName, subject: string): { before: number; begun: number } {
    const now = this.now();
    const rule = this.lockouts[kind];
    const before = this.lockedMs(kind, subject);
    if (before > 0 || !rule) return { before, begun: 0 };
    const times = [...(this.#events[kind].get(subject) ?? []), now].slice(-rule.limit);
    this.#events[kind].set(subject, times, now);
    if (times.length < rule.limit || now - (times[0] as number) >= rule.windowSeconds * 1000)
      return { before: 0, begun: 0 };
    this.#events[kind].delete(subject);
    const begun = rule.lockSeconds * 1000;
    this.noteLock(kind, subject, begun);
    return { before: 0, begun };
  }

  /** Milliseconds the lock still lasts, 0 when free. @param maxAgeMs a lock noted longer ago does not count */
  lockedMs(kind: LockoutName, subject: string, maxAgeMs = Number.POSITIVE_INFINITY): number {
    const lock = this.#locks[kind].get(subject);
    if (lock === undefined || this.now() - lock.notedAt > maxAgeMs) return 0;
    return Math.max(0, lock.until - this.now());
  }

  /** Notes windows that the shared store reported. */
  note(policy: PolicyName, subject: string, windows: WindowState[]): void {
    this.#used[policy].set(subject, { windows, reportedAt: this.now() }, this.now());
  }

  /** Notes for how long a subject is locked out. 0 frees it, and forgets the events that led to the lock. */
  noteLock(kind: LockoutName, subject: string, lockMs: number): void {
    const now = this.now();
    if (lockMs > 0) {
      this.#locks[kind].set(subject, { until: now + lockMs, notedAt: now }, now);
      return;
    }
    this.#locks[kind].delete(subject);
    this.#events[kind].delete(subject);
  }

  /** Milliseconds of a lock that the shared store would report again; 0: ask it. */
  reportedLockMs(kind: LockoutName, subject: string): number {
    return this.lockedMs(kind, subject, REPORT_MS);
  }

  /** The rejection that the shared store would repeat; null: ask it. */
  reportedRejection(policy: PolicyName, subject: string, lock: LockoutName | null): Quota | null {
    const lockedMs = lock ? this.reportedLockMs(lock, subject) : 0;
    const reportedAt = this.#used[policy].get(subject)?.reportedAt ?? 0;
    if (lockedMs === 0 && this.now() - reportedAt > REPORT_MS) return null;
    const quota = quotaOf(this.peek(policy, subject), lockedMs);
    return quota.allowed ? null : quota;
  }
}
