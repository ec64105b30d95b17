// server/limits: how often a caller may ask. Policies as data; one limiter over Upstash, Redis or memory. The only importer of @upstash/* and ioredis; imports nothing else of server/: settings and log come as parameters.

/** pino's shape, as much of it as is used here. */
export type Log = { warn(obj: object, msg: string): void; info(obj: object, msg: string): void };

/** At hand already, or later: spares the hot path a promise where the answer is in memory. */
export type MaybePromise<T> = T | Promise<T>;

/** What one operation on the store may take before memory answers in its stead. */
const BUDGET_MS = 300;
/** How long after a failure the store is left alone before it is tried again. */
const REST_MS = 2000;
const LOG_EVERY_MS = 60_000;
/** The first contact may include DNS, TLS and a script's first loading. */
const FIRST_PROBE_MS = 2000;

type Options = {
  /** What the log calls the store. */
  store: string;
  /** Asks the store for something that needs all that the limiter needs: reading, writing, running scripts. */
  probe: () => Promise<unknown>;
  log: Log;
  budgetMs?: number;
  restMs?: number;
};

/**
 * Stands between the limiter and a store that may be away, slow or hanging. After one failure nobody waits for the
 * store any more: all are answered by the fallback until a probe, run beside the requests, finds it well again.
 */
export class Availability {
  /** Resolves when the first contact has succeeded or failed, after 2.3 s at most; never rejects. */
  readonly ready: Promise<void>;
  #away = true;
  #since = new Date();
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #lastWarning = Number.NEGATIVE_INFINITY;
  #warned = false;
  readonly #budgetMs: number;
  readonly #restMs: number;

  constructor(private readonly options: Options) {
    this.#budgetMs = options.budgetMs ?? BUDGET_MS;
    this.#restMs = options.restMs ?? REST_MS;
    this.ready = this.#probe(FIRST_PROBE_MS);
  }

  /** Since when the fallback has been answering; undefined while the store does. */
  get awaySince(): Date | undefined {
    return this.#away ? this.#since : undefined;
  }

  /** Asks the store, or the fallback when the store is away, fails or exceeds its budget. Never rejects. */
  run<T>(ask: () => Promise<T>, fallback: () => T): MaybePromise<T> {
    if (this.#away || this.#closed) return fallback();
    return within(this.#budgetMs, ask).catch((error) => {
      this.#fell(error);
      return fallback();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #fell(error: unknown): void {
    if (this.#closed || this.#away) return;
    this.#away = true;
    this.#since = new Date();
    this.#warn(error);
    this.#probeLater();
  }

  #probeLater(): void {
    this.#timer = setTimeout(() => void this.#probe(this.#budgetMs), this.#restMs);
    this.#timer.unref();
  }

  async #probe(budgetMs: number): Promise<void> {
    try {
      await within(budgetMs, this.options.probe);
      // A first answer that came late is asked for once more: well is who answers within what a request is given.
      if (budgetMs > this.#budgetMs) await within(this.#budgetMs, this.options.probe);
      if (this.#closed) return;
      this.#away = false;
      if (!this.#warned) return;
      this.#warned = false;
      this.options.log.info(
        { store: this.options.store, awayMs: Date.now() - this.#since.getTime() },
        "rate limits: the store answers again and counts for all processes",
      );
    } catch (error) {
      if (this.#closed) return;
      this.#warn(error);
      this.#probeLater();
    }
  }

  /** On a change of state, and once a minute while it lasts; a store that comes and goes is no louder. */
  #warn(error: unknown): void {
    const now = performance.now();
    if (now - this.#lastWarning < LOG_EVERY_MS) return;
    this.#lastWarning = now;
    this.#warned = true;
    this.options.log.warn(
      { store: this.options.store, reason: reasonOf(error), since: this.#since.toISOString() },
      "rate limits: the store does not answer; each process counts in its own memory until it does",
    );
  }
}

/** Rejects when `ask` has not settled after `ms`. What comes later is ignored, a late rejection too. */
function within<T>(ms: number, ask: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`));
    // Timers run before sockets are read: after a pause of our own process an answer may lie unread, so read once more.
    const timer = setTimeout(() => setImmediate(late), ms);
    const settled =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    try {
      ask().then(settled(resolve), settled(reject));
    } catch (error) {
      settled(reject)(error);
    }
  });
}

/** A short reason for the log. Upstash's errors end in the whole command, which holds addresses: that part stays out. */
function reasonOf(error: unknown): string {
  const { message, code, name, cause } = error as {
    message?: string;
    code?: string;
    name?: string;
    cause?: unknown;
  };
  // A failed fetch says only "fetch failed"; a rejected dual-stack connection says nothing but its code.
  const text =
    [message, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(": ") || code || name;
  return String(text ?? error)
    .replace(/, command was.*/s, "")
    .slice(0, 200);
}
