import type { Lockout, Policy, RateWindow } from "./policies";
import { peekResult, type Quota, quotaResult, type WindowState } from "./quota";

/** Subjects that one counter remembers. Beyond it an old one is forgotten, whatever it has used. */
export const MAX_SUBJECTS = 100_000;

/** Entries examined for every new one: more than one, so that expired entries never pile up. */
const SWEEP = 2;

/** A map that cannot grow without bound: each new entry examines a few others and removes the expired ones. No timers. */
class BoundedMap<V> extends Map<string, V> {
  /** Kept between calls: a new iterator first has to step over everything that was deleted before it. */
  #hand = this.entries();

  constructor(
    private readonly isExpired: (value: V, now: number) => boolean,
    private readonly cap: number,
  ) {
    super();
  }

  put(key: string, value: V, now: number): void {
    if (!this.has(key)) this.#sweep(now);
    this.set(key, value);
  }

  #sweep(now: number): void {
    for (let looks = 0; looks < SWEEP; looks++) {
      const { done, value } = this.#hand.next();
      if (done) this.#hand = this.entries();
      else if (this.size >= this.cap || this.isExpired(value[1], now)) this.delete(value[0]);
    }
  }
}

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

/** Fixed windows in this process's memory, the same as @upstash/ratelimit's. Times are Unix milliseconds. */
export class MemoryWindows {
  /** `sharedAt`: when the shared store reported these windows; 0 when they were counted here. */
  readonly #known: BoundedMap<{ windows: WindowState[]; sharedAt: number }>;

  constructor(
    private readonly policy: Policy,
    cap = MAX_SUBJECTS,
  ) {
    this.#known = new BoundedMap(({ windows }, now) => (windows.at(-1)?.resetsAt ?? 0) * 1000 <= now, cap);
  }

  get size(): number {
    return this.#known.size;
  }

  /** Counts a request in every window, or in none when one of them is used up. @param cost in requests of usual size */
  take(subject: string, now: number, cost = 1): Quota {
    const windows = this.peek(subject, now);
    const full = windows.find((window) => window.remaining === 0);
    if (full) return quotaResult(windows, full.name);
    for (const window of windows) window.remaining = Math.max(0, window.remaining - cost);
    this.#known.put(subject, { windows, sharedAt: 0 }, now);
    return quotaResult(windows, null);
  }

  peek(subject: string, now: number): WindowState[] {
    const last = this.#known.get(subject)?.windows;
    return this.policy.map((window, i) => {
      const { quota, windowSeconds } = window;
      const resetsAt = (Math.floor(now / (windowSeconds * 1000)) + 1) * windowSeconds;
      const before = last?.[i];
      return windowState(window, resetsAt, before?.resetsAt === resetsAt ? before.remaining : quota, now);
    });
  }

  /** Notes what the shared store reported, so that this process can stand in for it with the same counts. */
  note(subject: string, windows: WindowState[], now: number): void {
    this.#known.put(subject, { windows, sharedAt: now }, now);
  }

  /** The rejection that the shared store would repeat, by a report of the last `maxAgeMs`; undefined: ask the store. */
  knownRejection(subject: string, now: number, maxAgeMs: number): Quota | undefined {
    const known = this.#known.get(subject);
    if (known === undefined || now - known.sharedAt > maxAgeMs) return undefined;
    const quota = peekResult(this.peek(subject, now));
    return quota.allowed ? undefined : quota;
  }
}

/** Events and locks in this process's memory. The last `limit` events lock when they lie within the rule's window. */
export class MemoryLocks {
  readonly #events: BoundedMap<number[]>;
  /** Apart from the events, so that a flood of strangers pushes out no lock before 100,000 of them earn one. */
  readonly #locks: BoundedMap<{ until: number; learntAt: number }>;

  /** @param rule null: nobody is ever locked out */
  constructor(
    private readonly rule: Lockout | null,
    cap = MAX_SUBJECTS,
  ) {
    const windowMs = (rule?.windowSeconds ?? 0) * 1000;
    this.#events = new BoundedMap((times, now) => (times.at(-1) as number) <= now - windowMs, cap);
    this.#locks = new BoundedMap(({ until }, now) => until <= now, cap);
  }

  get size(): number {
    return this.#events.size + this.#locks.size;
  }

  /** Counts one event. Returns the milliseconds of the lock that was in force already (then nothing is counted), else 0. */
  count(subject: string, now: number): number {
    const locked = this.lockedMs(subject, now);
    if (locked > 0 || !this.rule) return locked;
    const times = this.#events.get(subject) ?? [];
    times.push(now);
    if (times.length > this.rule.limit) times.shift();
    this.#events.put(subject, times, now);
    if (times.length === this.rule.limit && now - (times[0] as number) < this.rule.windowSeconds * 1000) {
      this.#events.delete(subject);
      this.lock(subject, this.rule.lockSeconds * 1000, now);
    }
    return 0;
  }

  /** Milliseconds the lock still lasts, 0 when free. @param maxAgeMs a lock noted longer ago does not count */
  lockedMs(subject: string, now: number, maxAgeMs = Number.POSITIVE_INFINITY): number {
    const lock = this.#locks.get(subject);
    if (lock === undefined || now - lock.learntAt > maxAgeMs) return 0;
    return Math.max(0, lock.until - now);
  }

  lock(subject: string, lockMs: number, now: number): void {
    this.#locks.put(subject, { until: now + lockMs, learntAt: now }, now);
  }

  /** Frees `subject`, and forgets the events that led to the lock. */
  free(subject: string): void {
    this.#locks.delete(subject);
    this.#events.delete(subject);
  }
}
