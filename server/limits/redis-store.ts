import { Ratelimit } from "@upstash/ratelimit";
import { windowState } from "./memory-counters";
import type { Lockout, LockoutName, Policy, PolicyName, RateWindow } from "./policies";
import { lockedOut, type Quota, quotaResult, type WindowState } from "./quota";
import { type Connection, type RedisClient, RedisScript } from "./redis-script";

/** Locks the index keeps for the dashboard; the oldest fall out of it, not out of force. */
const INDEXED_LOCKS = 1000;

/**
 * Counts one event and locks when the last `limit` of them lie within the window. One script, so that of many failures
 * at once exactly `limit` are counted. Returns {ms of the lock in force already, ms of the lock begun now}.
 * KEYS: events, lock, index. ARGV: now ms, limit, window ms, lock ms, index entry.
 */
const COUNT_EVENT = new RedisScript(`
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
redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", now)
redis.call("ZADD", KEYS[3], now + lock, ARGV[5])
redis.call("ZREMRANGEBYRANK", KEYS[3], 0, -${INDEXED_LOCKS + 1})
redis.call("PEXPIREAT", KEYS[3], now + 32 * 86400000)
return {0, lock}`);

/** A script rather than PTTL: @upstash/redis sends reads and writes in separate HTTP requests, scripts travel together. */
const LOCK_LEFT = new RedisScript(`return redis.call("PTTL", KEYS[1])`);

/** KEYS: events, lock, index. ARGV: index entry. */
const LIFT = new RedisScript(
  `redis.call("ZREM", KEYS[3], ARGV[1]) return redis.call("DEL", KEYS[1], KEYS[2])`,
);

/** As many as are asked for in one round trip. */
const LOCKS_LEFT = new RedisScript(`
local left = {}
for i, key in ipairs(KEYS) do left[i] = redis.call("PTTL", key) end
return left`);

const LIST_LOCKS = new RedisScript(
  `return redis.call("ZREVRANGEBYSCORE", KEYS[1], "+inf", ARGV[1], "WITHSCORES", "LIMIT", 0, ARGV[2])`,
);

/** Writes, so that a replica, a full Redis or a read-only token is not taken for a healthy one; 0 where TIME is barred. */
const PROBE = new RedisScript(
  `redis.call("SET", KEYS[1], "1", "PX", 60000) return redis.pcall("TIME")[1] or 0`,
);

type AskedWindow = { window: RateWindow; limiter: Ratelimit };

/**
 * The counters in a Redis that all processes share, over @upstash/ratelimit's fixed-window algorithm.
 * That library takes the number of a window from the caller's clock, not from the store's: machines must keep time
 * (NTP). With clocks s seconds apart, s seconds about a window's edge count into two windows, so a key can then gain at
 * most what is left of one; a lock's end is the store's clock alone. Every method rejects when the store does not answer.
 */
export class RedisStore {
  readonly #client: RedisClient;
  readonly #windows: Record<PolicyName, AskedWindow[]>;

  constructor(
    private readonly connection: Connection,
    policies: Record<PolicyName, Policy | null>,
    private readonly lockouts: Record<LockoutName, Lockout | null>,
    private readonly prefix: string,
  ) {
    this.#client = connection.client;
    this.#windows = {
      single: this.#limiters("single", policies.single),
      bulk: this.#limiters("bulk", policies.bulk),
    };
  }

  #limiters(name: PolicyName, policy: Policy | null): AskedWindow[] {
    return (policy ?? []).map((window) => ({
      window,
      limiter: new Ratelimit({
        redis: this.#client as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"],
        limiter: Ratelimit.fixedWindow(window.quota, `${window.windowSeconds} s`),
        prefix: `${this.prefix}:${name}:${window.name}`,
        // Its own time-out answers "allowed"; Availability's answers from memory.
        timeout: 0,
        // Its cache of rejected keys never forgets a key that does not come back; MemoryWindows.knownRejection is bounded.
        ephemeralCache: false,
        analytics: false,
        enableTelemetry: false,
      }),
    }));
  }

  /**
   * Two round trips when allowed: lock and shortest window, then the longer windows together. A request that is rejected
   * uses up nothing: what it took elsewhere is given back.
   */
  async take(policy: PolicyName, subject: string, lock: LockoutName | null): Promise<Quota> {
    const [first, ...longer] = this.#windows[policy];
    const [lockedMs, shortest] = await Promise.all([
      lock ? this.lockedMs(lock, subject) : 0,
      first ? use(first, subject) : undefined,
    ]);
    if (!first || !shortest)
      return lockedMs > 0 ? lockedOut([], wholeSeconds(lockedMs)) : quotaResult([], null);
    if (lockedMs > 0 || !shortest.taken) {
      const [states] = await Promise.all([
        Promise.all(longer.map((asked) => look(asked, subject))),
        lockedMs > 0 ? giveBack(first, subject, shortest) : undefined,
      ]);
      const windows = [shortest.state, ...states];
      return lockedMs > 0
        ? lockedOut(windows, wholeSeconds(lockedMs))
        : quotaResult(windows, first.window.name);
    }
    const uses = [shortest, ...(await Promise.all(longer.map((asked) => use(asked, subject))))];
    const rejecting = uses.findIndex((used) => !used.taken);
    if (rejecting === -1)
      return quotaResult(
        uses.map((used) => used.state),
        null,
      );
    await Promise.all(this.#windows[policy].map((asked, i) => giveBack(asked, subject, uses[i] as Use)));
    return quotaResult(
      uses.map((used) => used.state),
      this.#windows[policy][rejecting]?.window.name ?? null,
    );
  }

  /** One round trip; uses nothing. */
  peek(policy: PolicyName, subject: string): Promise<WindowState[]> {
    return Promise.all(this.#windows[policy].map((asked) => look(asked, subject)));
  }

  /** Counts an event. `before`: ms of the lock in force already (not counted then); `begun`: ms of the lock it set off. */
  async count(name: LockoutName, subject: string): Promise<{ before: number; begun: number }> {
    const rule = this.lockouts[name];
    if (!rule) return { before: 0, begun: 0 };
    const keys = [
      `${this.prefix}:events:${name}:${subject}`,
      this.#lockKey(name, subject),
      `${this.prefix}:locks`,
    ];
    const args = [
      Date.now(),
      rule.limit,
      rule.windowSeconds * 1000,
      rule.lockSeconds * 1000,
      `${name}:${subject}`,
    ];
    const [before, begun] = (await COUNT_EVENT.run(this.#client, keys, args)) as [unknown, unknown];
    return { before: number(before), begun: number(begun) };
  }

  /** Milliseconds the lock still lasts, 0 when free. */
  async lockedMs(name: LockoutName, subject: string): Promise<number> {
    if (!this.lockouts[name]) return 0;
    return Math.max(0, number(await LOCK_LEFT.run(this.#client, [this.#lockKey(name, subject)], [])));
  }

  /** Ends a lock, and forgets the events that led to it. */
  async lift(name: LockoutName, subject: string): Promise<void> {
    const keys = [
      `${this.prefix}:events:${name}:${subject}`,
      this.#lockKey(name, subject),
      `${this.prefix}:locks`,
    ];
    await LIFT.run(this.#client, keys, [`${name}:${subject}`]);
  }

  /** Milliseconds that each of these locks still lasts, in the order asked; 0 when free. */
  async lockedAmong(subjects: { kind: LockoutName; subject: string }[]): Promise<number[]> {
    const keys = subjects.map(({ kind, subject }) => this.#lockKey(kind, subject));
    const left = (await LOCKS_LEFT.run(this.#client, keys, [])) as unknown[];
    return left.map((ms) => Math.max(0, number(ms)));
  }

  /** At most `max` locks in force, of all processes, those that last longest first; `until` in Unix milliseconds. */
  async locks(max: number): Promise<{ name: LockoutName; subject: string; until: number }[]> {
    const flat = (await LIST_LOCKS.run(
      this.#client,
      [`${this.prefix}:locks`],
      [Date.now(), max],
    )) as unknown[];
    const found = [];
    for (let i = 0; i + 1 < flat.length; i += 2) {
      const [name, ...subject] = String(flat[i]).split(":");
      found.push({ name: name as LockoutName, subject: subject.join(":"), until: number(flat[i + 1]) });
    }
    return found;
  }

  /**
   * Resolves when the store can do all of this, to the seconds by which its clock is ahead of ours (0: unknown).
   * Loads the scripts of a take on the way, so that the first requests after it needn't each send them whole.
   */
  async probe(): Promise<number> {
    const any = this.#windows.single[0] ?? this.#windows.bulk[0];
    if (any)
      await Promise.all([
        use(any, "probe"),
        look(any, "probe"),
        LOCK_LEFT.run(this.#client, [`${this.prefix}:probe`], []),
      ]);
    const storeSeconds = number(await PROBE.run(this.#client, [`${this.prefix}:probe`], []));
    return storeSeconds === 0 ? 0 : storeSeconds - Math.floor(Date.now() / 1000);
  }

  close(): void {
    this.connection.close();
  }

  #lockKey(name: LockoutName, subject: string): string {
    return `${this.prefix}:lock:${name}:${subject}`;
  }
}

type Use = { taken: boolean; state: WindowState };

async function use({ window, limiter }: AskedWindow, subject: string): Promise<Use> {
  const answer = await limiter.limit(subject);
  if (answer.reason === "timeout") throw new Error("@upstash/ratelimit timed out");
  return { taken: answer.success, state: stateFrom(window, answer) };
}

async function look({ window, limiter }: AskedWindow, subject: string): Promise<WindowState> {
  return stateFrom(window, await limiter.getRemaining(subject));
}

/** Undoes a use, in the store and in `used`, unless its window is over: a negative count must not enter the next one. */
async function giveBack({ limiter }: AskedWindow, subject: string, used: Use): Promise<void> {
  if (!used.taken) return;
  used.state.remaining += 1;
  if (Date.now() < used.state.resetsAt * 1000) await limiter.limit(subject, { rate: -1 });
}

/** @param answer `reset` in Unix milliseconds, as the library gives it */
function stateFrom(window: RateWindow, answer: { remaining: number; reset: number }): WindowState {
  const slot = number(answer.reset) / (window.windowSeconds * 1000) - 1;
  return windowState(window, window.quota - number(answer.remaining), slot, Date.now());
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** @throws Error when the store has answered something else: better counted in memory than as NaN */
function number(value: unknown): number {
  const parsed = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof parsed !== "number" || !Number.isFinite(parsed))
    throw new Error(`not a number: ${String(value).slice(0, 40)}`);
  return parsed;
}
