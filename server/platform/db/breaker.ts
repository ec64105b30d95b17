// While the database is unreachable or silent, requests fail at once instead of waiting for a timeout.
import type { Pool, PoolClient, PoolConfig } from "pg";
import { NotSent } from "../../kernel/errors";
import { pg } from "./pg";

/** Silence is counted in ticks. A busy process has read no answers, but it has missed ticks as well. */
const TICK_MS = 100;
const PROBE_AFTER_TICKS = 2;
const AWAY_AFTER_TICKS = 6;
/** A slower probe is repeated on another connection, in case this one is dead. */
const PROBE_TIMEOUT_MS = 3_000;
/** A connection in use for longer belongs to a job, such as an import. A short silence must not end it. */
const JOB_MS = 5_000;

/** Whether PostgreSQL or a pooler sent this error. All its codes contain a digit. 57P0x: it is starting or stopping. */
const isAnswer = (error: unknown) =>
  /^(?!57P0)(?=.*\d)[0-9A-Z]{5}$/.test(String((error as { code?: unknown } | null)?.code));

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that detects an unreachable database: neither a statement nor a probe was answered for 0.6 s. Until a probe is
 * answered, `connect` fails with `NotSent`. Running statements lose their connection, except those of long jobs.
 */
export class GuardedPool extends pg.Pool {
  /** Uses a separate connection. A long statement, a lock or a full pool is then not taken for silence. */
  readonly #probes: Pool;
  readonly #waiting = new Set<Connected>();
  /** Connections in use, with the time since when. */
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
      // Kept open. On a busy machine a new connection takes long, which must not count as silence.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    this.#probes.on("error", () => {});
    this.on("error", (error) => {
      this.#hear(error);
      this.#watch();
    });
    // Between two statements, neither the pool nor Prisma listens to a connection. An unhandled error would end the
    // process.
    this.on("connect", (client) => client.on("error", () => {}));
    this.on("acquire", (client) => void this.#lent.set(client, performance.now()));
    this.on("release", (error, client) => {
      if (this.#lent.delete(client)) this.#hear(error);
    });
  }

  /** Whether statements are currently refused. */
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
    // Not awaited, because a silent database would delay the stop.
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
      else if (client) done(); // its request already has an answer
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

  /** @param error how a statement, a probe or a connection failed; absent: it worked */
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
    // Waits a moment, since the database may be back. If so, only the requests that wait for a connection were
    // answered.
    setTimeout(() => this.#endStatements(), TICK_MS).unref();
  }

  /** Ends running statements. Their requests report that the change may have been saved. */
  #endStatements(): void {
    if (!this.#isAway) return;
    for (const [client, since] of this.#lent) {
      if (performance.now() - since > JOB_MS) continue;
      this.#lent.delete(client);
      void (client as unknown as { end(): Promise<void> }).end();
    }
  }
}
