// Rollcall's own PostgreSQL, for when no DATABASE_URL is set.
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries";
import { ensureFiles, isGoingAway, probe, startCluster } from "./cluster";
import { explainFileError, findPlace, type Place } from "./data-dir";
import { shutDown } from "./postmaster";
import {
  APP,
  becomeLastUser,
  IN_USE,
  type LockSession,
  openLockSession,
  urlOf,
  withClient,
} from "./sessions";
import { supervise } from "./supervise";

export interface EmbeddedPostgres {
  /** Connection string of the product's database, as its owner (not a superuser). */
  url: string;
  /** True when PostgreSQL ran already, left by a killed process or shared with a running one. */
  adopted: boolean;
  /**
   * Lets go of PostgreSQL and shuts it down unless another Rollcall process still uses it, whose task that
   * then is. Open client connections don't keep it up. Returns whether it was shut down.
   */
  stop(): Promise<boolean>;
}

type Options = {
  dataDir: string;
  log: (line: string) => void;
  /** False only for throwaway clusters: no fsync. Default true. */
  durable?: boolean;
};

type ServerOptions = Options & {
  /** Hears why PostgreSQL, which ended by itself, could not be started again for a minute. */
  onGone?(error: Error): void;
};

/**
 * The PostgreSQL of this DATA_DIR: makes it, starts it, or joins the one that runs there, and starts it again when it ends by
 * itself. It survives a SIGKILL of this process, and the next start adopts it. Throws OperatorError with a way out.
 */
export async function startEmbeddedPostgres(options: ServerOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true, onGone = () => {} } = options;
  const own = await open(options, { evenWithClients: true });
  const place = findPlace(dataDir, () => {});
  // Never with new files: a folder that is gone is not replaced by an empty database.
  const restart = () => startCluster(place, findBinaries(place.user, log), durable, log);
  const supervision = supervise({ pgdata: place.pgdata, restart, log, onGone });
  return {
    ...own,
    async stop() {
      await supervision.stop();
      return own.stop();
    },
  };
}

/**
 * The same for a command that may run while the server runs or not: `stop` leaves PostgreSQL up when
 * another Rollcall process uses it or any other client is connected.
 */
export function openForCommand(options: Options): Promise<EmbeddedPostgres> {
  return open(options, { evenWithClients: false });
}

/** Runs SQL as the superuser of a cluster that is running. */
export function asSuperuser(dataDir: string, sql: string): Promise<unknown> {
  const { pgdata } = findPlace(dataDir, () => {});
  return withClient(urlOf(pgdata, "postgres"), (client) => client.query(sql));
}

async function open(
  { dataDir, log, durable = true }: Options,
  ending: { evenWithClients: boolean },
): Promise<EmbeddedPostgres> {
  try {
    const place = findPlace(dataDir, log);
    let nextLine = Date.now() + 10_000;
    for (;;) {
      const state = await probe(place.pgdata);
      if (state === "down") await bringUp(place, durable, log);
      const session = state === "busy" ? undefined : await join(place.pgdata, state === "running");
      if (session) {
        return {
          url: urlOf(place.pgdata, APP),
          adopted: state === "running",
          stop: () => leave(place.pgdata, session, ending.evenWithClients),
        };
      }
      if (Date.now() > nextLine) {
        log("Waiting for another process that is starting or stopping PostgreSQL on these data");
        nextLine += 10_000;
      }
      await sleep(50);
    }
  } catch (error) {
    throw explainFileError(dataDir, error);
  }
}

async function bringUp(place: Place, durable: boolean, log: (line: string) => void): Promise<void> {
  const binaries = findBinaries(place.user, log);
  const files = await ensureFiles(place, binaries, durable);
  if (files === "made") log(`Made a database in ${place.pgdata}`);
  await startCluster(place, binaries, durable, log);
}

/** Makes sure of the product's role and database and takes a share; undefined while somebody shuts PostgreSQL down. */
async function join(pgdata: string, adopted: boolean): Promise<LockSession | undefined> {
  const take = () =>
    openLockSession(urlOf(pgdata, APP), { key: IN_USE, shared: true, applicationName: sessionName });
  try {
    if (!adopted) await ensureAppDatabase(pgdata);
    return await take();
  } catch (error) {
    const { code } = error as { code?: string };
    // A first start that was killed before it had made them: invalid_catalog_name, invalid_authorization_specification.
    if (code === "3D000" || code === "28000") {
      await ensureAppDatabase(pgdata);
      return await take();
    }
    if (isGoingAway(error)) return undefined;
    throw error;
  }
}

function ensureAppDatabase(pgdata: string): Promise<void> {
  return withClient(urlOf(pgdata, "postgres"), async (client) => {
    await client.query("SELECT pg_advisory_lock(1)"); // two first starts at once; freed with the connection
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [APP]);
    // CREATEDB is for tests and prisma.
    if (!role.rowCount) await client.query(`CREATE ROLE ${APP} LOGIN CREATEDB`);
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [APP]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${APP} OWNER ${APP}`);
  });
}

async function leave(pgdata: string, session: LockSession, evenWithClients: boolean): Promise<boolean> {
  let current: LockSession | undefined = session;
  try {
    let last = await becomeLastUser(session).catch(() => undefined);
    if (last === undefined) {
      await session.close(); // it was cut, or PostgreSQL is down
      current = (await probe(pgdata)) === "running" ? await join(pgdata, true) : undefined;
      last = current && (await becomeLastUser(current));
    }
    if (!last || (!evenWithClients && (await otherClients(pgdata)))) return false;
    await shutDown(pgdata);
    return true;
  } finally {
    await current?.close();
  }
}

function otherClients(pgdata: string): Promise<boolean> {
  return withClient(urlOf(pgdata, "postgres"), async (client) => {
    const others = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name <> $1 LIMIT 1`,
      [sessionName()],
    );
    return others.rowCount !== 0;
  });
}

function sessionName(): string {
  return `rollcall process ${process.pid}`;
}
