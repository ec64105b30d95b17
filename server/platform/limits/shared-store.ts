import type { RedisStore } from "./redis-store";

/** The part of pino that is used here. */
export type LimiterLog = { warn(obj: object, msg: string): void; info(obj: object, msg: string): void };

export type LimiterState = {
  store: "memory" | "redis" | "upstash";
  /** The store is away and each process counts in its own memory. */
  degraded: boolean;
  since?: Date;
};

/** What one operation on the store may take before memory answers instead. */
const BUDGET_MS = 300;
/** How long after a failure the store is left alone before it is tried again. */
const RETRY_MS = 2000;
const LOG_EVERY_MS = 60_000;
/** The first contact may include DNS, TLS and the first loading of the scripts. */
const FIRST_CONTACT_MS = 2000;

type Options = {
  name: "redis" | "upstash";
  open: () => Promise<RedisStore>;
  log: LimiterLog;
  budgetMs?: number;
};

/**
 * The shared store, which may be away, slow or hanging. After one failure nobody waits for it any more: the fallback
 * answers until a probe, run beside the requests, succeeds again.
 */
export class SharedStore {
  /** Resolves when the first contact has succeeded or failed, after 2.3 s at most; never rejects. */
  readonly ready: Promise<void>;
  readonly #store: Promise<RedisStore>;
  readonly #budgetMs: number;
  #awaySince: Date | null = new Date();
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #isReported = false;

  constructor(private readonly options: Options) {
    this.#budgetMs = options.budgetMs ?? BUDGET_MS;
    this.#store = options.open();
    this.ready = this.#probe(FIRST_CONTACT_MS);
  }

  /** Asks the store, or the fallback when the store is away, fails or exceeds its budget. Never rejects. */
  async run<T>(ask: (store: RedisStore) => T | Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
    if (this.#awaySince || this.#closed) return fallback();
    try {
      return await within(this.#budgetMs, this.#store.then(ask));
    } catch (error) {
      if (!this.#awaySince) this.#fail(error);
      return fallback();
    }
  }

  state(): LimiterState {
    const store = this.options.name;
    return this.#awaySince ? { store, degraded: true, since: this.#awaySince } : { store, degraded: false };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#store.then((store) => store.close()).catch(() => {});
  }

  async #probe(budgetMs: number): Promise<void> {
    try {
      await within(
        budgetMs,
        this.#store.then((store) => store.probe()),
      );
    } catch (error) {
      this.#fail(error);
      return;
    }
    const awayMs = Date.now() - (this.#awaySince ?? new Date()).getTime();
    this.#awaySince = null;
    if (this.#closed || !this.#isReported) return;
    this.#isReported = false;
    this.options.log.info(
      { store: this.options.name, awayMs },
      "rate limits: the store answers again and counts for all processes",
    );
  }

  /** Leaves the store alone for a while. Warns at most once a minute, also of a store that comes and goes. */
  #fail(error: unknown): void {
    if (this.#closed) return;
    this.#awaySince ??= new Date();
    this.#timer = setTimeout(() => void this.#probe(this.#budgetMs), RETRY_MS).unref();
    const now = performance.now();
    if (now - this.#warnedAt < LOG_EVERY_MS) return;
    this.#warnedAt = now;
    this.#isReported = true;
    this.options.log.warn(
      { store: this.options.name, reason: reasonOf(error), since: this.#awaySince.toISOString() },
      "rate limits: the store does not answer; each process counts in its own memory until it does",
    );
  }
}

/** Rejects when `work` has not settled after `ms`. What comes later is ignored, a late rejection too. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Timers run before sockets are read: after a pause of our own process an answer may lie unread, so read once more.
    timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** A short reason for the log. Upstash's errors end in the whole command, which holds addresses: that part stays out. */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  // A failed fetch has only "fetch failed" as its message; a rejected dual-stack connection has nothing but a code.
  const parts = [message, cause instanceof Error ? cause.message : undefined].filter(Boolean);
  return (parts.join(": ") || code || String(error)).replace(/, command was.*/s, "").slice(0, 200);
}
