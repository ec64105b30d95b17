// The embedded PostgreSQL, used when DATABASE_URL is not set.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { OperatorError } from "../../kernel/errors";
import { findBinaries } from "./binaries";
import { type Cluster, ensureFiles, isDown, isGoingAway, isNotCreated, startCluster } from "./cluster";
import { explainFileError, findPlace } from "./data-dir";
import { findPostmaster, readPostmasterPid, shutDown } from "./postmaster";
import {
  APP,
  keepShare,
  listLockHolders,
  openClient,
  shareLock,
  tryLock,
  urlOf,
  withClient,
} from "./sessions";

export interface EmbeddedPostgres {
  /** The connection string of the product's database, as its owner (not a superuser). */
  url: string;
  /**
   * Shuts PostgreSQL down, unless another Rollcall process uses it. Then that process shuts it down. @returns whether
   * it was shut down
   */
  stop(): Promise<boolean>;
}

type Options = {
  dataDir: string;
  log: (line: string) => void;
  /** False only for throwaway clusters: no fsync. Default: true. */
  durable?: boolean;
};

type ServerOptions = Options & {
  /** This server's address, for the error message of a second start. */
  address?: string;
};

const SERVER = "rollcall server, ";
// After a SIGKILL of a server, its connection may keep the lock for another moment.
const SECOND_SERVER_MS = 1_500;
/** The first and the longest pause after a restart that failed. */
const [SHORT_PAUSE_MS, LONG_PAUSE_MS] = [500, 10_000];
/** How often to look whether a PostgreSQL that a command started is still running. */
const LOOK_MS = 1_000;

/**
 * Creates and starts the PostgreSQL of this DATA_DIR for its one server, and restarts it when it ends unexpectedly:
 * again and again, because a disk that is full may have space again.
 * Stops a PostgreSQL that a killed server left running first.
 * @throws OperatorError, for instance when another server uses it
 */
export async function startEmbeddedPostgres(options: ServerOptions): Promise<EmbeddedPostgres> {
  const { log, address } = options;
  const name = `${SERVER}process ${process.pid}${address ? ` at ${address}` : ""}`;
  const startedAt = Date.now();
  const own = await open(options, name, async ({ cluster: { pgdata }, client, started }) => {
    if (!(await tryLock(client, "alone"))) {
      if (Date.now() - startedAt > SECOND_SERVER_MS) rejectSecondServer(await listLockHolders(client));
      return false;
    }
    if (started?.pid === undefined || started.pid !== readPostmasterPid(pgdata)) {
      log("PostgreSQL is still running from a killed Rollcall. Restarting it");
      await shutDown(pgdata);
      return false;
    }
    await shareLock(client);
    return true;
  });
  const stopping = new AbortController();
  const watching = keepRunning(own, stopping.signal);
  return {
    url: own.url,
    async stop() {
      stopping.abort();
      await watching;
      return leave(own);
    },
  };
}

/** Restarts PostgreSQL each time it ends, until `stopping`. */
async function keepRunning({ cluster, started }: Opened, stopping: AbortSignal): Promise<void> {
  for (let postgres = started; ; postgres = await restart(cluster, stopping)) {
    await untilEnded(cluster.pgdata, postgres, stopping);
    if (stopping.aborted) return;
    // The usual cause is the out-of-memory killer. Committed data is on disk.
    cluster.log("PostgreSQL stopped. Restarting it; stored data is safe");
  }
}

async function restart(cluster: Cluster, stopping: AbortSignal): Promise<ChildProcess | undefined> {
  for (let pauseMs = SHORT_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(2 * pauseMs, LONG_PAUSE_MS)) {
    try {
      return await startCluster(cluster);
    } catch (error) {
      cluster.log(`PostgreSQL could not be restarted. Rollcall tries again. ${(error as Error).message}`);
      await pause(pauseMs, stopping);
    }
  }
  return undefined;
}

/** @param postgres the process, unless a command was faster and started another one */
async function untilEnded(
  pgdata: string,
  postgres: ChildProcess | undefined,
  stopping: AbortSignal,
): Promise<void> {
  if (postgres?.pid && postgres.pid === findPostmaster(pgdata)) {
    if (postgres.exitCode === null && postgres.signalCode === null)
      await once(postgres, "exit", { signal: stopping }).catch(() => {});
    return;
  }
  while (!stopping.aborted && findPostmaster(pgdata)) await pause(LOOK_MS, stopping);
}

const pause = (ms: number, stopping: AbortSignal) =>
  sleep(ms, undefined, { signal: stopping, ref: false }).catch(() => {});

/** Opens the embedded PostgreSQL for a command, which may run beside the server. */
export async function openForCommand(options: Options): Promise<EmbeddedPostgres> {
  const name = `rollcall command, process ${process.pid}`;
  const own = await open(options, name, ({ client }) => tryLock(client, "shared"));
  return { url: own.url, stop: () => leave(own) };
}

function rejectSecondServer(holders: string[]): void {
  const server = holders.find((name) => name.startsWith(SERVER));
  if (!server) return; // a command is short-lived
  throw new OperatorError(
    `Rollcall is already running on this data (${server.slice(SERVER.length)}). Use that one, or stop it first (Ctrl-C there). ` +
      `For a second, separate one set DATA_DIR and PORT; for several on one database set DATABASE_URL.`,
  );
}

/** @property started the PostgreSQL process, if this process started it */
type Attempt = { cluster: Cluster; client: Client; started: ChildProcess | undefined };
type Opened = Omit<Attempt, "client"> & { url: string; share: { close(): Promise<void> } };

/** Starts PostgreSQL if necessary, and tries until `claim` gets a share of its lock. */
async function open(
  { dataDir, log, durable = true }: Options,
  name: string,
  claim: (attempt: Attempt) => Promise<boolean>,
): Promise<Opened> {
  try {
    const place = findPlace(dataDir);
    const cluster = { ...place, binaries: findBinaries(place.user), durable, log };
    const url = urlOf(place.pgdata, APP);
    let started: ChildProcess | undefined;
    let nextLine = Date.now() + 10_000;
    for (;;) {
      const client = await connect(place.pgdata, name).catch(async (error) => {
        if (!isDown(error)) return ignoreGoingAway(error);
        await ensureFiles(cluster);
        started = await startCluster(cluster);
      });
      if (client && (await claim({ cluster, client, started }).catch(ignoreGoingAway)))
        return { url, cluster, started, share: keepShare(url, name, client) };
      await client?.end().catch(() => {});
      if (Date.now() > nextLine) {
        log("Waiting for another Rollcall command that uses this data");
        nextLine += 10_000;
      }
      await sleep(50);
    }
  } catch (error) {
    throw explainFileError(dataDir, error);
  }
}

/** For retries while PostgreSQL starts or stops. */
function ignoreGoingAway(error: unknown): undefined {
  if (!isGoingAway(error)) throw error;
}

/** Connects to the product's database. The first connection creates it. */
async function connect(pgdata: string, name: string): Promise<Client> {
  try {
    return await openClient(urlOf(pgdata, APP), name);
  } catch (error) {
    if (!isNotCreated(error)) throw error;
    await makeAppDatabase(pgdata);
    return await openClient(urlOf(pgdata, APP), name);
  }
}

function makeAppDatabase(pgdata: string): Promise<void> {
  return withClient(urlOf(pgdata, "postgres"), async (client) => {
    await client.query("SELECT pg_advisory_lock(1)"); // two first starts at once; freed with the connection
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [APP]);
    // Tests and Prisma need CREATEDB.
    if (!role.rowCount) await client.query(`CREATE ROLE ${APP} LOGIN CREATEDB`);
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [APP]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${APP} OWNER ${APP}`);
  });
}

async function leave({ url, cluster: { pgdata }, share }: Opened): Promise<boolean> {
  await share.close();
  const stopped = withClient(url, async (client) => {
    if (!(await tryLock(client, "alone"))) return false;
    await shutDown(pgdata); // under the lock, so that no other process joins meanwhile
    return true;
  });
  return (await stopped.catch(ignoreGoingAway)) ?? false;
}
