import { Ratelimit } from "@upstash/ratelimit";
import {
  type Counters,
  type EventCount,
  type Quota,
  quotaOf,
  type WindowState,
  windowState,
} from "./counters";
import {
  forEachRule,
  type LockoutName,
  type LockoutRules,
  type LockSubject,
  type Policies,
  type PolicyName,
  type RateWindow,
} from "./policies";
import type { RedisClient, RedisConnection } from "./redis-clients";

/**
 * Counts one event, and locks when the last `limit` events lie within the window. It is one script, so that exactly
 * `limit` of many simultaneous failures are counted. Returns {ms of an already active lock, ms of the new lock}. KEYS:
 * events, lock. ARGV: now ms, limit, window ms, lock ms.
 */
const COUNT_EVENT = `
local locked = redis.call("PTTL", KEYS[2])
if locked > 0 then return {locked, 0} end
local now, limit, window, lock = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call("LPUSH", KEYS[1], now)
redis.call("LTRIM", KEYS[1], 0, limit - 1)
redis.call("PEXPIRE", KEYS[1], window)
local first = redis.call("LINDEX", KEYS[1], limit - 1)
if not first or now - tonumber(first) >= window then return {0, 0} end
redis.call("DEL", KEYS[1])
redis.call("SET", KEYS[2], "1", "PX", lock)
return {0, lock}`;

/** A script instead of PTTL: @upstash/redis sends reads and writes in separate HTTP requests, but scripts share one. */
const REMAINING_LOCK = `return math.max(0, redis.call("PTTL", KEYS[1]))`;

/** Probes with a write. A replica, a full Redis or a read-only token is then not taken for a healthy store. */
const PROBE_WRITE = `return redis.call("SET", KEYS[1], "1", "PX", 60000)`;

type CountedWindow = { window: RateWindow; limiter: Ratelimit };
type Use = { isTaken: boolean; state: WindowState };

/**
 * The counters in a Redis that all processes share, with @upstash/ratelimit's fixed windows. The library takes a
 * window's number from the caller's clock, so machines need synchronised clocks (NTP). With clocks s seconds apart,
 * requests within s seconds of a window's edge count into two windows. A lock's end depends on the store's clock only.
 * Every method rejects when the store does not answer.
 */
export class RedisStore implements Counters {
  readonly #client: RedisClient;
  readonly #windows: Record<PolicyName, CountedWindow[]>;

  constructor(
    private readonly connection: RedisConnection,
    policies: Policies,
    private readonly lockouts: LockoutRules,
    private readonly prefix: string,
  ) {
    this.#client = connection.client;
    this.#windows = forEachRule(policies, (policy, name) =>
      policy.map((window) => ({ window, limiter: this.#limiterOf(name, window) })),
    );
  }

  #limiterOf(name: string, window: RateWindow): Ratelimit {
    return new Ratelimit({
      redis: this.#client as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"],
      limiter: Ratelimit.fixedWindow(window.quota, `${window.windowSeconds} s`),
      prefix: `${this.prefix}:${name}:${window.name}`,
      // The library's timeout answers "allowed"; ours answers from memory.
      timeout: 0,
      // The library's cache keeps keys forever; the limiter's cache is bounded.
      ephemeralCache: false,
      analytics: false,
      enableTelemetry: false,
    });
  }

  /** Takes one round trip when allowed, two when rejected. A rejected request returns its uses in the other windows. */
  async take(policy: PolicyName, subject: string, lock: LockoutName | null): Promise<Quota> {
    const counted = this.#windows[policy];
    const [lockedMs, uses] = await Promise.all([
      lock && this.lockouts[lock] ? this.lockedMs({ kind: lock, subject }) : 0,
      Promise.all(counted.map((one) => use(one, subject))),
    ]);
    const windows = uses.map(({ state }) => state);
    if (lockedMs === 0 && uses.every(({ isTaken }) => isTaken))
      return { allowed: true, rejectedBy: null, retryAfterSeconds: 0, windows };
    await Promise.all(counted.map((one, i) => returnUse(one, subject, uses[i] as Use)));
    return quotaOf(windows, lockedMs);
  }

  /** Takes one round trip and counts nothing. */
  peek(policy: PolicyName, subject: string): Promise<WindowState[]> {
    const look = async ({ window, limiter }: CountedWindow) =>
      stateFrom(window, await limiter.getRemaining(subject));
    return Promise.all(this.#windows[policy].map(look));
  }

  async count(kind: LockoutName, subject: string): Promise<EventCount> {
    const rule = this.lockouts[kind];
    if (!rule) return { before: 0, begun: 0 };
    const args = [Date.now(), rule.limit, rule.windowSeconds * 1000, rule.lockSeconds * 1000];
    const counted = await this.#client.eval(COUNT_EVENT, this.#lockKeys({ kind, subject }), args);
    const [before, begun] = counted as [number, number];
    return { before, begun };
  }

  async lockedMs(lock: LockSubject): Promise<number> {
    const keys = this.#lockKeys(lock).slice(1);
    return (await this.#client.eval(REMAINING_LOCK, keys, [])) as number;
  }

  /** Resolves when the store can run scripts and accepts writes. */
  async probe(): Promise<void> {
    await this.#client.eval(PROBE_WRITE, [`${this.prefix}:probe`], []);
  }

  close(): void {
    this.connection.close();
  }

  #lockKeys = ({ kind, subject }: LockSubject) =>
    ["events", "lock"].map((part) => `${this.prefix}:${part}:${kind}:${subject}`);
}

async function use({ window, limiter }: CountedWindow, subject: string): Promise<Use> {
  const answer = await limiter.limit(subject);
  return { isTaken: answer.success, state: stateFrom(window, answer) };
}

/**
 * Returns a use, in the store and in `used`, unless the window has ended. A negative count must not carry over into the
 * next window.
 */
async function returnUse(
  { limiter }: CountedWindow,
  subject: string,
  { isTaken, state }: Use,
): Promise<void> {
  if (isTaken) state.remaining += 1;
  if (Date.now() < state.resetsAt * 1000) await limiter.limit(subject, { rate: -1 });
}

/** @param answer the library's result, with `reset` in Unix milliseconds */
function stateFrom(
  window: RateWindow,
  { remaining, reset }: { remaining: number; reset: number },
): WindowState {
  return windowState(window, reset / 1000, remaining, Date.now());
}
