// A circuit breaker in front of the pool: while the database is away or silent, nobody waits for it.
import type { Client, PoolClient, PoolConfig } from "pg";
import { NotSent, Unanswered } from "../errors";
import { pg } from "../pg";

/** Time is counted in ticks: one passes for a process that was busy itself, however long, since it has read no answers. */
const TICK_MS = 100;
/** Without an answer for so long, while somebody waits, the database is probed. */
const SILENT_TICKS = 2;
/** A probe without an answer for so long opens the breaker. */
const PROBE_TICKS = 4;
/** A probe is then repeated on another connection: this one may lead nowhere. */
const LOST_TICKS = 30;

/** Whether PostgreSQL, or a pooler before it, answered; 57P0x: it starts or stops. */
const isAnswer = (error: Error & { code?: string }) => /^(?!57P0)[0-9A-Z]{5}$/.test(error.code ?? "");

/** `SELECT 1` on a connection of its own, so that a long statement, a lock or a full pool is no silence. */
class Probe {
  #client: Client | undefined;
  #asked: object | undefined;
  /** How long it has waited for the answer, in ticks. */
  waited = 0;

  constructor(
    private readonly url: string,
    private readonly heard: (isThere: boolean) => void,
  ) {}

  /** Asks, unless it is waiting already. Called once a tick. */
  ask(): void {
    this.waited++;
    if (this.#asked && this.waited < LOST_TICKS) return;
    if (this.#asked) this.drop();
    const asked = {};
    this.#asked = asked;
    this.waited = 0;
    const isKept = this.#client !== undefined;
    this.#select().then(
      () => this.#end(asked, true),
      (error) => {
        if (asked !== this.#asked) return;
        this.drop();
        // What was kept may have been cut long ago.
        if (isKept) this.ask();
        else this.heard(isAnswer(error));
      },
    );
  }

  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#asked = undefined;
    void client?.end().catch(() => {});
  }

  #end(asked: object, isThere: boolean): void {
    if (asked !== this.#asked) return;
    this.#asked = undefined;
    this.heard(isThere);
  }

  async #select(): Promise<void> {
    let client = this.#client;
    if (!client) {
      client = new pg.Client({
        connectionString: this.url,
        application_name: "rollcall probe",
        keepAlive: true,
      });
      client.on("error", () => {});
      this.#client = client;
      await client.connect();
    }
    await client.query("SELECT 1");
  }
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool that answers at once with `NotSent` while the database is away. It is away when a connection fails, or nothing was
 * answered for a while, and a probe fails or has no answer either; it is back with the first answer to anything. No statement is cut:
 * those under way are waited for beside their requests, which `unlessAway` answers.
 */
export class GuardedPool extends pg.Pool {
  readonly #probe: Probe;
  readonly #waiting = new Set<Connected>();
  readonly #requests = new Set<(error: Error) => void>();
  #timer: NodeJS.Timeout | undefined;
  #answered = false;
  #silentTicks = 0;
  #isAway = false;

  constructor(
    config: PoolConfig & { connectionString: string },
    private readonly onChange: (isAway: boolean) => void,
  ) {
    super(config);
    this.#probe = new Probe(config.connectionString, (isThere) =>
      isThere ? this.#answer() : this.#setAway(),
    );
    this.on("release", (error) => (!error || isAnswer(error) ? this.#answer() : this.#doubt()));
    this.on("error", () => this.#doubt());
    // The pool listens to connections that it has, Prisma to those in a statement. An error in between would end the
    // process; the next statement on the connection fails all the same.
    this.on("connect", (client) => client.on("error", () => {}));
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

  /** What a request does, or `Unanswered` once the database is away for longer than it takes to refuse what waits. */
  unlessAway<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#requests.add(reject);
      work.then(
        (value) => {
          this.#requests.delete(reject);
          resolve(value);
        },
        (error) => {
          this.#requests.delete(reject);
          reject(error);
        },
      );
    });
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    this.#probe.drop();
    return this.end();
  }

  #lend(connected: Connected): void {
    if (this.#isAway) {
      connected(new NotSent(), undefined, () => {});
      return;
    }
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    this.#waiting.add(connected);
    super.connect((error, client, done) => {
      const isWanted = this.#waiting.delete(connected);
      if (error && !isAnswer(error)) this.#doubt();
      if (isWanted) connected(error && new NotSent(error), client, done);
      else if (client) done(); // whoever wanted it has an answer
    });
  }

  #tick(): void {
    if (this.#isAway) {
      this.#probe.ask();
      return;
    }
    const isIdle = this.#waiting.size === 0 && this.totalCount === this.idleCount;
    this.#silentTicks = this.#answered || isIdle ? 0 : this.#silentTicks + 1;
    this.#answered = false;
    if (isIdle) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (this.#silentTicks < SILENT_TICKS) return;
    this.#probe.ask();
    if (this.#probe.waited >= PROBE_TICKS) this.#setAway();
  }

  /** A connection was lost, or is not to be had. */
  #doubt(): void {
    if (!this.ending && !this.#isAway) this.#probe.ask();
  }

  #answer(): void {
    this.#answered = true;
    if (!this.#isAway) return;
    this.#isAway = false;
    this.onChange(false);
  }

  #setAway(): void {
    if (this.#isAway || this.ending) return;
    this.#isAway = true;
    this.onChange(true);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    for (const connected of this.#waiting) connected(new NotSent(), undefined, () => {});
    this.#waiting.clear();
    // The requests that these were for are answered before those whose statement was sent.
    setTimeout(() => {
      for (const reject of this.#isAway ? this.#requests : []) reject(new Unanswered());
    }, TICK_MS).unref();
  }
}
