// While the database is away or silent, requests get an error at once instead of waiting for a time-out.
import type { Pool, PoolClient, PoolConfig } from "pg";
import { NotSent } from "../../kernel/errors";
import { pg } from "./pg";

/** Silence is counted in ticks: a process that was busy itself has read no answers, and has missed ticks as well. */
const TICK_MS = 100;
const PROBE_AFTER_TICKS = 2;
const AWAY_AFTER_TICKS = 6;
/** A probe that takes longer is repeated on another connection, in case this one leads nowhere. */
const PROBE_TIMEOUT_MS = 3_000;
/** A connection that is used for longer belongs to a job, such as an import. A moment of silence must not end it. */
const JOB_MS = 5_000;

/** Whether PostgreSQL, or a pooler in front of it, sent this error; the codes of all its errors have a digit. 57P0x: it starts or stops. */
const isAnswer = (error: unknown) =>
  /^(?!57P0)(?=.*\d)[0-9A-Z]{5}$/.test(String((error as { code?: unknown } | null)?.code));

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that knows when the database is away: no statement was answered for 0.6 s, and neither was a probe. Until a probe
 * is answered, `connect` fails with `NotSent`. Statements under way fail with the loss of their connection, but for those
 * of long jobs.
 */
export class GuardedPool extends pg.Pool {
  /** On a connection of its own, so that a long statement, a lock or a full pool is not taken for silence. */
  readonly #probes: Pool;
  readonly #waiting = new Set<Connected>();
  /** Connections in use, and since when. */
  readonly #lent = new Map<PoolClient, number>();
  #timer: NodeJS.Timeout | undefined;
  #silentTicks = 0;
  #isAnswered = false;
  #isProbing = false;
  #isAway = false;

  constructor(
    config: PoolConfig & { connectionString: string },
    private readonly onChange: (isAway: boolean) => void,
  ) {
    super(config);
    this.#probes = new pg.Pool({
      connectionString: config.connectionString,
      application_name: "rollcall probe",
      keepAlive: true,
      max: 1,
      // Kept: a busy machine takes long to make one, and that is no silence.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    this.#probes.on("error", () => {});
    this.on("error", (error) => {
      this.#hear(error);
      this.#watch();
    });
    // Between two statements neither the pool nor Prisma listens to a connection; an unheard error would end the process.
    this.on("connect", (client) => client.on("error", () => {}));
    this.on("acquire", (client) => void this.#lent.set(client, performance.now()));
    this.on("release", (error, client) => {
      if (this.#lent.delete(client)) this.#hear(error);
    });
  }

  /** Whether statements are refused at this moment. */
  get isAway(): boolean {
    return this.#isAway;
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | undefined {
    if (!connected)
      return new Promise((resolve, reject) =>
        this.#lend((error, client) => (client ? resolve(client) : reject(error))),
      );
    this.#lend(connected);
    return undefined;
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    // Not awaited: a silent database would delay the stop.
    void this.#probes.end();
    return this.end();
  }

  #lend(connected: Connected): void {
    if (this.#isAway) {
      connected(new NotSent(), undefined, () => {});
      return;
    }
    this.#watch();
    this.#waiting.add(connected);
    super.connect((error, client, done) => {
      if (error) this.#hear(error);
      if (this.#waiting.delete(connected)) connected(error && new NotSent(error), client, done);
      else if (client) done(); // its request has an answer already
    });
  }

  #watch(): void {
    if (!this.ending) this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  #tick(): void {
    if (this.#isAnswered) {
      this.#isAnswered = false;
      this.#silentTicks = 0;
      if (this.#isAway) this.#setAway(false);
      if (this.#waiting.size > 0 || this.#lent.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#silentTicks++;
    if (this.#silentTicks >= PROBE_AFTER_TICKS && !this.#isProbing) void this.#probe();
    if (this.#silentTicks >= AWAY_AFTER_TICKS && !this.#isAway) this.#setAway(true);
  }

  /** @param error what a statement, a probe or a connection ended with, if it failed */
  #hear(error: unknown): void {
    this.#isAnswered = !error || isAnswer(error);
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const error = await this.#probes.query("SELECT 1").then(
      () => null,
      (thrown: unknown) => thrown,
    );
    this.#isProbing = false;
    this.#hear(error);
  }

  #setAway(isAway: boolean): void {
    this.#isAway = isAway;
    this.onChange(isAway);
    if (!isAway) return;
    for (const connected of this.#waiting) connected(new NotSent(), undefined, () => {});
    this.#waiting.clear();
    // A moment later, since it may be back: then requests that wait for a connection were answered, and no more.
    setTimeout(() => this.#endStatements(), TICK_MS).unref();
  }

  /** Their requests hear that nobody knows whether the change was saved. */
  #endStatements(): void {
    if (!this.#isAway) return;
    for (const [client, since] of this.#lent) {
      if (performance.now() - since > JOB_MS) continue;
      this.#lent.delete(client);
      void (client as unknown as { end(): Promise<void> }).end();
    }
  }
}
