import { Availability, type MaybePromise } from "./availability";
import type { Limiter, LimiterOptions, LimiterState, LockedOut, LockSubject } from "./limiter";
import { LISTED_LOCKS, listed, type MemoryLimiter } from "./memory-limiter";
import type { LockoutName, PolicyName } from "./policies";
import { type Quota, quotaResult, UNLIMITED } from "./quota";
import type { RedisStore } from "./redis-store";

/** How long a rejection, by a full window or a lock, is repeated from memory. Spares the store a flood; short, so that an operator can clear a count. */
const REJECTION_KNOWN_MS = 10_000;
const CLOCK_APART_SECONDS = 2;
const wholeSeconds = (ms: number) => Math.ceil(ms / 1000);

/**
 * The store decides; memory repeats what it said where that cannot have changed (a full window, a lock), learns from
 * every answer, and stands in from there when the store is away: a key then has what it had left, in each process.
 */
export class SharedLimiter implements Limiter {
  readonly ready: Promise<void>;
  readonly #availability: Availability;
  #store!: RedisStore;
  #closed = false;

  constructor(
    private readonly name: "redis" | "upstash",
    private readonly memory: MemoryLimiter,
    private readonly options: LimiterOptions,
    open: () => Promise<RedisStore>,
  ) {
    let opening: Promise<void> | undefined;
    const opened = async () => {
      this.#store = await open();
      if (this.#closed) this.#store.close();
    };
    let clockTold = false;
    const probe = async () => {
      opening ??= opened();
      await opening;
      const apart = await this.#store.probe();
      if (Math.abs(apart) <= CLOCK_APART_SECONDS || clockTold) return;
      clockTold = true;
      options.log.warn(
        { store: name, secondsApart: apart },
        "rate limits: this machine's clock and the store's differ; windows are shared only by machines that keep time: run NTP on both",
      );
    };
    this.#availability = new Availability({
      store: name,
      probe,
      log: options.log,
      budgetMs: options.budgetMs,
    });
    this.ready = this.#availability.ready;
  }

  take(policy: PolicyName, keyId: string): MaybePromise<Quota> {
    return this.#take(policy, keyId, null);
  }

  takeWrite(policy: PolicyName, keyId: string): MaybePromise<Quota> {
    return (
      this.memory.lockedQuota(policy, keyId, REJECTION_KNOWN_MS) ??
      this.#take(policy, keyId, this.options.lockouts.errors && "errors")
    );
  }

  #take(policy: PolicyName, keyId: string, lock: "errors" | null): MaybePromise<Quota> {
    const windows = this.memory.windows[policy];
    if (!windows && !lock) return UNLIMITED;
    return (
      windows?.knownRejection(keyId, this.memory.now(), REJECTION_KNOWN_MS) ??
      this.#availability.run(
        async () => {
          const quota = await this.#store.take(policy, keyId, lock);
          windows?.learn(keyId, quota.windows, this.memory.now());
          if (quota.rejectedBy === "lockout")
            this.#learnLock("errors", keyId, quota.retryAfterSeconds * 1000);
          return quota;
        },
        () => (lock ? this.memory.takeWrite(policy, keyId) : this.memory.take(policy, keyId)),
      )
    );
  }

  peek(policy: PolicyName, keyId: string): MaybePromise<Quota> {
    const windows = this.memory.windows[policy];
    if (!windows) return UNLIMITED;
    return this.#availability.run(
      async () => {
        const states = await this.#store.peek(policy, keyId);
        windows.learn(keyId, states, this.memory.now());
        return quotaResult(states, states.find((window) => window.remaining === 0)?.name ?? null);
      },
      () => this.memory.peek(policy, keyId),
    );
  }

  async failedAuthentication(address: string): Promise<number> {
    return wholeSeconds(await this.#count("auth", address));
  }

  authenticationLock(address: string): MaybePromise<number> {
    return this.#locked("auth", address);
  }

  async countError(keyId: string): Promise<void> {
    await this.#count("errors", keyId);
  }

  writeLock(keyId: string): MaybePromise<number> {
    return this.#locked("errors", keyId);
  }

  lockouts(): MaybePromise<LockedOut[]> {
    return this.#availability.run(
      async () =>
        listed((await this.#store.locks(LISTED_LOCKS)).map(({ name, ...lock }) => ({ kind: name, ...lock }))),
      () => this.memory.lockouts(),
    );
  }

  locked(subjects: LockSubject[]): MaybePromise<LockedOut[]> {
    if (subjects.length === 0) return [];
    return this.#availability.run(
      async () => {
        const left = await this.#store.lockedAmong(subjects);
        return subjects.flatMap(({ kind, subject }, i) => {
          const ms = left[i] ?? 0;
          return ms > 0 ? [{ kind, subject, until: new Date(Date.now() + ms) }] : [];
        });
      },
      () => this.memory.locked(subjects),
    );
  }

  lift(subject: LockSubject): MaybePromise<void> {
    this.memory.lift(subject);
    return this.#availability.run(
      () => this.#store.lift(subject.kind, subject.subject),
      () => {},
    );
  }

  state(): LimiterState {
    const since = this.#availability.awaySince;
    return since ? { store: this.name, degraded: true, since } : { store: this.name, degraded: false };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#availability.close();
    this.#store?.close();
  }

  #count(name: LockoutName, subject: string): MaybePromise<number> {
    const memory = this.memory.locks[name];
    if (!memory) return 0;
    const known = memory.lockedMs(subject, this.memory.now(), REJECTION_KNOWN_MS);
    if (known > 0) return known;
    return this.#availability.run(
      async () => {
        const { before, begun } = await this.#store.count(name, subject);
        this.#learnLock(name, subject, before || begun);
        return before;
      },
      () => memory.count(subject, this.memory.now()),
    );
  }

  #locked(name: LockoutName, subject: string): MaybePromise<number> {
    const memory = this.memory.locks[name];
    if (!memory) return 0;
    const known = memory.lockedMs(subject, this.memory.now(), REJECTION_KNOWN_MS);
    if (known > 0) return wholeSeconds(known);
    return this.#availability.run(
      async () => {
        const leftMs = await this.#store.lockedMs(name, subject);
        this.#learnLock(name, subject, leftMs);
        return wholeSeconds(leftMs);
      },
      () => 0,
    );
  }

  #learnLock(name: LockoutName, subject: string, leftMs: number): void {
    const now = this.memory.now();
    if (leftMs > 0) this.memory.locks[name]?.lock(subject, now + leftMs, now);
    // Somebody has lifted it, or memory made it up while the store was away.
    else this.memory.locks[name]?.unlock(subject);
  }
}
