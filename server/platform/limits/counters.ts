import {
  forEachRule,
  type LockoutName,
  type LockoutRules,
  type LockSubject,
  type Policies,
  type PolicyName,
  type RateWindow,
} from "./policies";

/** The state of one window of a policy. */
export type WindowState = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** Requests that are still allowed, ≥ 0. */
  remaining: number;
  /** Whole seconds until the window resets, ≥ 1. */
  resetSeconds: number;
  /** The time of the reset, in Unix seconds. */
  resetsAt: number;
};

/** The answer to one request for quota. */
export type Quota = {
  allowed: boolean;
  /** The name of the exhausted window, or `lockout`; null when allowed. */
  rejectedBy: string | null;
  /** Whole seconds, ≥ 1 when rejected, else 0. An earlier request is certain to be rejected. */
  retryAfterSeconds: number;
  /** All windows of the policy, shortest first; empty when the policy is off. */
  windows: WindowState[];
};

/** @param resetsAt Unix seconds @param now Unix milliseconds */
export function windowState(
  { name, quota, windowSeconds }: RateWindow,
  resetsAt: number,
  remaining: number,
  now: number,
): WindowState {
  const resetSeconds = Math.max(1, Math.ceil(resetsAt - now / 1000));
  return { name, quota, windowSeconds, remaining, resetSeconds, resetsAt };
}

export const wholeSeconds = (ms: number) => Math.ceil(ms / 1000);

/**
 * Decides whether these windows allow a request, and how long to wait if not.
 * @param lockedMs how long the subject is still locked out
 */
export function quotaOf(windows: WindowState[], lockedMs = 0): Quota {
  if (lockedMs > 0)
    return { allowed: false, rejectedBy: "lockout", retryAfterSeconds: wholeSeconds(lockedMs), windows };
  const isFull = ({ remaining }: WindowState) => remaining === 0;
  const full = windows.find(isFull);
  if (!full) return { allowed: true, rejectedBy: null, retryAfterSeconds: 0, windows };
  // Returns the longest wait. After only the first window's wait, the caller would get a second 429.
  const retryAfterSeconds = Math.max(...windows.filter(isFull).map(({ resetSeconds }) => resetSeconds));
  return { allowed: false, rejectedBy: full.name, retryAfterSeconds, windows };
}

/**
 * The most subjects that one counter remembers. Above that, it forgets the subjects that it has not seen for longest.
 */
const MAX_SUBJECTS = 100_000;

/**
 * A map without timers. It keeps entries for `ttlMs` after they were written, and slightly longer; at most `cap`
 * entries.
 */
export class BoundedMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #turnsAt = 0;

  constructor(
    private readonly ttlMs: number,
    private readonly cap = MAX_SUBJECTS,
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

/** The counters of one store, under the rules given at its opening. */
export type Counters = {
  /**
   * Counts a request in every window, or in none when it is rejected. `lock`: also rejects while this lock on the
   * subject is active.
   */
  take(policy: PolicyName, subject: string, lock: LockoutName | null): Quota | Promise<Quota>;
  /** Returns the state of the windows without counting. */
  peek(policy: PolicyName, subject: string): WindowState[] | Promise<WindowState[]>;
  /**
   * Counts an event. `before`: ms of a lock that was already active (then the event is not counted). `begun`: ms of the
   * lock that it caused.
   */
  count(kind: LockoutName, subject: string): EventCount | Promise<EventCount>;
  /** Returns how many milliseconds a lock still lasts; 0: no lock. */
  lockedMs(lock: LockSubject): number | Promise<number>;
};

export type EventCount = { before: number; begun: number };

/**
 * Rate limits and lockouts in this process's memory. Uses the fixed windows of @upstash/ratelimit. `limit` events
 * within a rule's window cause a lock.
 */
export class MemoryCounters implements Counters {
  readonly #used: Record<PolicyName, BoundedMap<WindowState[]>>;
  readonly #events: Record<LockoutName, BoundedMap<number[]>>;
  /** When each lock ends. Separate from the events, so that a flood of new subjects removes no lock. */
  readonly #locks: Record<LockoutName, BoundedMap<number>>;

  /** @param now the clock, in Unix milliseconds */
  constructor(
    private readonly policies: Policies,
    private readonly lockouts: LockoutRules,
    readonly now: () => number,
  ) {
    const lasting = <V>(seconds = 0) => new BoundedMap<V>(seconds * 1000);
    this.#used = forEachRule(policies, (policy) => lasting(policy.at(-1)?.windowSeconds));
    this.#events = forEachRule(lockouts, (rule) => lasting(rule?.windowSeconds));
    this.#locks = forEachRule(lockouts, (rule) => lasting(rule?.lockSeconds));
  }

  /** @param cost in requests of usual size */
  take(policy: PolicyName, subject: string, lock: LockoutName | null = null, cost = 1): Quota {
    const now = this.now();
    const windows = this.peek(policy, subject, now);
    const quota = quotaOf(windows, lock ? this.lockedMs({ kind: lock, subject }) : 0);
    if (!quota.allowed) return quota;
    for (const window of windows) window.remaining = Math.max(0, window.remaining - cost);
    this.#used[policy].set(subject, windows, now);
    return quota;
  }

  peek(policy: PolicyName, subject: string, now = this.now()): WindowState[] {
    const last = this.#used[policy].get(subject);
    return this.policies[policy].map((window, i) => {
      const { quota, windowSeconds } = window;
      const resetsAt = (Math.floor(now / (windowSeconds * 1000)) + 1) * windowSeconds;
      const before = last?.[i];
      return windowState(window, resetsAt, before?.resetsAt === resetsAt ? before.remaining : quota, now);
    });
  }

  count(kind: LockoutName, subject: string): EventCount {
    const now = this.now();
    const rule = this.lockouts[kind];
    const before = this.lockedMs({ kind, subject });
    if (before > 0 || !rule) return { before, begun: 0 };
    const times = [...(this.#events[kind].get(subject) ?? []), now].slice(-rule.limit);
    this.#events[kind].set(subject, times, now);
    if (times.length < rule.limit || now - (times[0] as number) >= rule.windowSeconds * 1000)
      return { before: 0, begun: 0 };
    this.#events[kind].delete(subject);
    const begun = rule.lockSeconds * 1000;
    this.#locks[kind].set(subject, now + begun, now);
    return { before: 0, begun };
  }

  lockedMs({ kind, subject }: LockSubject): number {
    return Math.max(0, (this.#locks[kind].get(subject) ?? 0) - this.now());
  }
}
