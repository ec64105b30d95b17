import type { Lockout, Policy } from "./policies";
import { type Quota, quotaResult, type WindowState } from "./quota";

/** Subjects remembered by one counter. Beyond it one that has long been known is forgotten, whatever it has used. */
export const MAX_SUBJECTS = 100_000;

/** How many entries are looked at for every new one: more than one, so that the dead never gather. */
const SWEEP = 2;

/**
 * A map that cannot grow without bound: each new entry looks at a few others and removes the dead ones, and at the cap
 * a living one. No timers: what nobody touches costs nothing.
 */
class BoundedMap<V> extends Map<string, V> {
  /** Goes round and round. Kept between calls: a new iterator first has to step over all that was deleted before it. */
  #hand = this.entries();

  constructor(
    private readonly dead: (value: V, now: number) => boolean,
    private readonly cap: number,
  ) {
    super();
  }

  add(key: string, value: V, now: number): void {
    for (let looks = 0; looks < SWEEP && this.size > 0; looks++) {
      let step = this.#hand.next();
      if (step.done) {
        this.#hand = this.entries();
        step = this.#hand.next();
      }
      if (step.done) break;
      if (this.size >= this.cap || this.dead(step.value[1], now)) this.delete(step.value[0]);
    }
    this.set(key, value);
  }
}

/** What one subject has used: per window the number of the window and the requests in it. */
type Use = { slots: number[]; used: number[]; learntAt: number };

/**
 * Fixed windows in this process's memory, the buckets @upstash/ratelimit would use: window number = floor(now / length).
 * A rejected request uses nothing in any window. Times are Unix milliseconds.
 */
export class MemoryWindows {
  readonly #uses: BoundedMap<Use>;
  readonly #longestMs: number;

  constructor(
    private readonly policy: Policy,
    cap = MAX_SUBJECTS,
  ) {
    this.#longestMs = (policy.at(-1)?.windowSeconds ?? 0) * 1000;
    const last = policy.length - 1;
    this.#uses = new BoundedMap(
      (use, now) => (use.slots[last] as number) !== Math.floor(now / this.#longestMs),
      cap,
    );
  }

  get size(): number {
    return this.#uses.size;
  }

  take(subject: string, now: number): Quota {
    let use = this.#uses.get(subject);
    if (use === undefined) {
      use = { slots: this.policy.map(() => 0), used: this.policy.map(() => 0), learntAt: 0 };
      this.#uses.add(subject, use, now);
    }
    let rejecting: string | null = null;
    for (let i = 0; i < this.policy.length; i++) {
      const window = this.policy[i] as Policy[number];
      const slot = Math.floor(now / (window.windowSeconds * 1000));
      if (use.slots[i] !== slot) {
        use.slots[i] = slot;
        use.used[i] = 0;
      }
      if (rejecting === null && (use.used[i] as number) >= window.quota) rejecting = window.name;
    }
    if (rejecting === null) {
      for (let i = 0; i < this.policy.length; i++) use.used[i] = (use.used[i] as number) + 1;
    }
    return quotaResult(this.#states(use, now), rejecting);
  }

  peek(subject: string, now: number): WindowState[] {
    return this.#states(this.#uses.get(subject), now);
  }

  /** Takes over what a shared store has just said, so that this process can stand in for it without starting at nought. */
  learn(subject: string, windows: WindowState[], now: number): void {
    let use = this.#uses.get(subject);
    if (use === undefined) {
      use = { slots: [], used: [], learntAt: 0 };
      this.#uses.add(subject, use, now);
    }
    use.learntAt = now;
    for (let i = 0; i < windows.length; i++) {
      const window = windows[i] as WindowState;
      use.slots[i] = Math.round(window.resetsAt / window.windowSeconds) - 1;
      use.used[i] = window.quota - window.remaining;
    }
  }

  /** The rejection that a store would repeat, from what it said less than `maxAgeMs` ago; undefined when it must be asked. */
  knownRejection(subject: string, now: number, maxAgeMs: number): Quota | undefined {
    const use = this.#uses.get(subject);
    if (use === undefined || now - use.learntAt > maxAgeMs) return undefined;
    const windows = this.#states(use, now);
    const full = windows.find((window) => window.remaining === 0);
    return full && quotaResult(windows, full.name);
  }

  #states(use: Use | undefined, now: number): WindowState[] {
    const states: WindowState[] = new Array(this.policy.length);
    for (let i = 0; i < this.policy.length; i++) {
      const window = this.policy[i] as Policy[number];
      const slot = Math.floor(now / (window.windowSeconds * 1000));
      const used = use !== undefined && use.slots[i] === slot ? (use.used[i] as number) : 0;
      states[i] = windowState(window, used, slot, now);
    }
    return states;
  }
}

/** The state of a window with `used` requests in window number `slot`; `now` in Unix milliseconds. */
export function windowState(window: Policy[number], used: number, slot: number, now: number): WindowState {
  const resetsAt = (slot + 1) * window.windowSeconds;
  return {
    name: window.name,
    quota: window.quota,
    windowSeconds: window.windowSeconds,
    remaining: used < window.quota ? window.quota - used : 0,
    resetSeconds: Math.max(1, Math.ceil(resetsAt - now / 1000)),
    resetsAt,
  };
}

/** Events and locks in this process's memory. Not aligned windows: the last `limit` events must lie within the window. */
export class MemoryLocks {
  readonly #events: BoundedMap<number[]>;
  /** Apart from the events, so that a flood of strangers pushes out no lock before 100,000 of them earn one. */
  readonly #locks: BoundedMap<{ until: number; learntAt: number }>;

  constructor(
    private readonly rule: Lockout,
    cap = MAX_SUBJECTS,
  ) {
    const windowMs = rule.windowSeconds * 1000;
    this.#events = new BoundedMap((times, now) => (times.at(-1) as number) <= now - windowMs, cap);
    this.#locks = new BoundedMap(({ until }, now) => until <= now, cap);
  }

  get size(): number {
    return this.#events.size + this.#locks.size;
  }

  /** Counts one event. Returns the milliseconds of the lock that was in force already (then nothing is counted), else 0. */
  count(subject: string, now: number): number {
    const locked = this.lockedMs(subject, now);
    if (locked > 0) return locked;
    let times = this.#events.get(subject);
    if (times === undefined) {
      times = [];
      this.#events.add(subject, times, now);
    }
    times.push(now);
    if (times.length > this.rule.limit) times.shift();
    if (times.length === this.rule.limit && now - (times[0] as number) < this.rule.windowSeconds * 1000) {
      this.#events.delete(subject);
      this.lock(subject, now + this.rule.lockSeconds * 1000, now);
    }
    return 0;
  }

  /** Milliseconds the lock still lasts, 0 when free. @param maxAgeMs what was learnt longer ago does not count */
  lockedMs(subject: string, now: number, maxAgeMs = Number.POSITIVE_INFINITY): number {
    if (this.#locks.size === 0) return 0;
    const lock = this.#locks.get(subject);
    if (lock === undefined) return 0;
    if (lock.until > now) return now - lock.learntAt > maxAgeMs ? 0 : lock.until - now;
    this.#locks.delete(subject);
    return 0;
  }

  /** Locks `subject` out until `until`, Unix milliseconds. */
  lock(subject: string, until: number, now: number): void {
    this.#locks.delete(subject);
    this.#locks.add(subject, { until, learntAt: now }, now);
  }

  unlock(subject: string): void {
    if (this.#locks.size > 0) this.#locks.delete(subject);
  }

  /** Frees `subject`, and forgets what it was locked out for. */
  free(subject: string): void {
    this.#locks.delete(subject);
    this.#events.delete(subject);
  }

  /** At most `max` locks in force, the newest first. */
  list(now: number, max: number): { subject: string; until: number }[] {
    const inForce = [];
    for (const [subject, { until }] of this.#locks) if (until > now) inForce.push({ subject, until });
    return inForce.sort((a, b) => b.until - a.until).slice(0, max);
  }
}
