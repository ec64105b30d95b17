import { within } from "../../kernel/time";
import type { RedisStore } from "./redis-store";

/** The subset of pino that is used here. */
export type LimiterLog = { warn(obj: object, msg: string): void; info(obj: object, msg: string): void };

export type LimiterState = {
  store: "memory" | "redis" | "upstash";
  /** The store is unreachable, and each process counts in its own memory. */
  degraded: boolean;
  since?: Date;
};

/** The time limit of one operation on the store. After that memory answers. */
const BUDGET_MS = 300;
/** How long after a failure the store is tried again. */
const RETRY_MS = 2000;
const LOG_EVERY_MS = 60_000;
/** The first contact may include DNS, TLS and loading the scripts. */
const FIRST_CONTACT_MS = 2000;

type Options = {
  name: "redis" | "upstash";
  open: () => Promise<RedisStore>;
  log: LimiterLog;
  budgetMs?: number;
};

/**
 * The shared store, which may be unreachable or slow. After one failure no request waits for it: the fallback answers
 * until a background probe succeeds.
 */
export class SharedStore {
  /** Resolves after the first contact succeeded or failed, within 2.3 s. Never rejects. */
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

  /** Asks the store. Uses the fallback when the store is unreachable, fails or takes too long. Never rejects. */
  async run<T>(ask: (store: RedisStore) => T | Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
    if (this.#awaySince || this.#closed) return fallback();
    try {
      return await this.#within(this.#budgetMs, ask);
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

  #within<T>(ms: number, ask: (store: RedisStore) => T | Promise<T>): Promise<T> {
    return within(ms, this.#store.then(ask));
  }

  async #probe(budgetMs: number): Promise<void> {
    try {
      await this.#within(budgetMs, (store) => store.probe());
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

  /** Stops using the store for a while. Warns at most once a minute, even when the connection comes and goes. */
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

/**
 * Returns a short reason for the log. Upstash's errors end with the whole command, which contains addresses, so that
 * part is removed.
 */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  // The message of a failed fetch is only "fetch failed". A rejected dual-stack connection has only a code.
  const parts = [message, cause instanceof Error ? cause.message : undefined].filter(Boolean);
  return (parts.join(": ") || code || String(error)).replace(/, command was.*/s, "").slice(0, 200);
}
