// Rollcall's own PostgreSQL, for when no DATABASE_URL is set. The pieces are in embedded/.
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../operator-error";
import { findBinaries } from "./binaries";
import { ensureFiles, startCluster } from "./cluster";
import {
  becomeLastUser,
  IN_USE,
  type LockSession,
  openLockSession,
  SERVER,
  serverLockHolder,
} from "./lock-session";
import { explainRejection, findPlace, type Place } from "./place";
import { isPostmaster, readPidFile, shutDown } from "./postmaster";
import { asSuperuser, probe } from "./probe";

export { ensureDataDir, giveToFolderOwner } from "./place";

const APP = "rollcall"; // the role and the database of the product

export interface EmbeddedPostgres {
  /** Connection string of the product's database, as its owner (not a superuser). */
  url: string;
  /** True when PostgreSQL ran already, left by a killed process or shared with a running one. */
  adopted: boolean;
  /**
   * Lets go of PostgreSQL and shuts it down unless another Rollcall process still uses it, whose task that
   * then is. Open client connections don't keep it up. Says whether it was shut down.
   */
  stop(): Promise<boolean>;
}

interface Options {
  dataDir: string;
  log: (line: string) => void;
  /** False only for throwaway clusters: no fsync. Default true. */
  durable?: boolean;
}

/**
 * The PostgreSQL of this DATA_DIR: makes it, starts it, or joins the one that runs there. It survives a
 * SIGKILL of this process, and the next start adopts it. Throws OperatorError with a way out.
 */
export function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  return open(options, { evenWithClients: true });
}

/**
 * The same for a command that may run while the server runs or not: `stop` leaves PostgreSQL up when
 * another Rollcall process uses it or any other client is connected.
 */
export function openForCommand(options: Options): Promise<EmbeddedPostgres> {
  return open(options, { evenWithClients: false });
}

async function open(options: Options, ending: { evenWithClients: boolean }): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options;
  try {
    const place = findPlace(dataDir, log);
    let lastLine = Date.now();
    for (;;) {
      let port = await runningPort(place);
      const adopted = port !== undefined;
      if (port === undefined) {
        const binaries = findBinaries(place.user, place.dataDir, log);
        if ((await ensureFiles(place, binaries, durable)) === "made")
          log(`Made a database in ${place.pgdata}`);
        port = (await startCluster(place, binaries, durable, log))?.port;
      }
      const session = port ? await join(place, port, adopted) : undefined;
      if (port && session) {
        if (port !== place.memory.port || !place.memory.initialised)
          place.remember({ port, initialised: true });
        return {
          url: urlOf(place, port),
          adopted,
          stop: () => leave(place, port, session, ending.evenWithClients),
        };
      }
      // Another process is starting it or shutting it down: look again.
      if (Date.now() - lastLine > 10_000) {
        log("Waiting for another process that is starting or stopping PostgreSQL on these data");
        lastLine = Date.now();
      }
      await sleep(50);
    }
  } catch (error) {
    throw explainRejection(dataDir, error);
  }
}

/** The port where this cluster answers; undefined when nothing runs on these data. Waits while it is busy. */
async function runningPort(place: Place): Promise<number | undefined> {
  for (;;) {
    const file = readPidFile(place.pgdata);
    const ports = new Set([place.memory.port, file?.port ?? 0]);
    let busy = false;
    for (const port of ports) {
      const seen = await probe(place, port);
      if (seen === "running") return port;
      const ours = file?.port === port && isPostmaster(file.pid, place.pgdata);
      if (ours && seen === "rejected-password") {
        throw new OperatorError(
          `PostgreSQL already runs on ${place.pgdata} (process ${file.pid}) with other passwords than those in ` +
            `${place.dataDir}/postgres.json. The data are untouched. Stop it (kill -INT ${file.pid}) and start again.`,
        );
      }
      if (ours && seen === "busy") busy = true;
    }
    if (!busy) return undefined;
    await sleep(50);
  }
}

/** Makes sure of the product's role and database and takes a share; undefined while somebody shuts it down. */
async function join(place: Place, port: number, adopted: boolean): Promise<LockSession | undefined> {
  try {
    if (!adopted || !place.memory.initialised) await ensureAppDatabase(place, port);
    return await openLockSession(urlOf(place, port), {
      key: IN_USE,
      shared: true,
      applicationName: sessionName,
    });
  } catch (error) {
    const { code } = error as { code?: string };
    // Shut down under us: cannot_connect_now, admin_shutdown, or the socket went away.
    if (code === "57P03" || code === "57P01" || code === "ECONNREFUSED" || code === "ECONNRESET")
      return undefined;
    throw error;
  }
}

async function ensureAppDatabase(place: Place, port: number): Promise<void> {
  await asSuperuser(place, port, async (client) => {
    await client.query("SELECT pg_advisory_lock(1)"); // two first starts at once; freed with the connection
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [APP]);
    const verb = role.rowCount ? "ALTER" : "CREATE";
    // Made here from our own alphabet (base64url), so it needs no quoting. CREATEDB is for tests and prisma.
    await client.query(`${verb} ROLE ${APP} LOGIN CREATEDB PASSWORD '${place.memory.appPassword}'`);
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [APP]);
    if (!database.rowCount) await client.query(`CREATE DATABASE ${APP} OWNER ${APP}`);
  });
}

async function leave(
  place: Place,
  port: number,
  session: LockSession,
  evenWithClients: boolean,
): Promise<boolean> {
  let current: LockSession | undefined = session;
  try {
    let last = await becomeLastUser(session).catch(() => undefined);
    if (last === undefined) {
      await session.close(); // it was cut, or PostgreSQL is down
      current = (await probe(place, port)) === "running" ? await join(place, port, true) : undefined;
      last = current && (await becomeLastUser(current));
    }
    if (!last || (!evenWithClients && (await otherClients(place, port)))) return false;
    await shutDown(place.pgdata);
    return true;
  } finally {
    await current?.close();
  }
}

async function otherClients(place: Place, port: number): Promise<boolean> {
  return asSuperuser(place, port, async (client) => {
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

function urlOf(place: Place, port: number): string {
  return `postgresql://${APP}:${place.memory.appPassword}@127.0.0.1:${port}/${APP}`;
}

export interface InstanceLock {
  /** Tells a second start where this server can be found, for instance "http://localhost:3000". */
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

// A server that was killed a moment ago may still be held by its backend.
const INSTANCE_LOCK_PATIENCE_MS = 1500;

/**
 * Makes this process the one server of an embedded database until `release` or its end. Throws
 * OperatorError naming the other one. Not for an external DATABASE_URL, which several servers may share.
 */
export async function holdInstanceLock(url: string): Promise<InstanceLock> {
  let name = `rollcall server, process ${process.pid}`;
  const giveUpAt = Date.now() + INSTANCE_LOCK_PATIENCE_MS;
  for (;;) {
    const lock = { key: SERVER, shared: false, applicationName: () => name };
    const session = await openLockSession(url, lock);
    if (session) {
      return {
        async announce(address) {
          name = `${name.split(" at ")[0]} at ${address}`;
          await session.query("SELECT set_config('application_name', $1, false)", [name]);
        },
        release: () => session.close(),
      };
    }
    if (Date.now() > giveUpAt) {
      const holder =
        (await serverLockHolder(url))?.replace(/^rollcall server, /, "") ?? "its process could not be told";
      throw new OperatorError(
        `Rollcall is already running on these data (${holder}). Use that one, or stop it first (Ctrl-C there). ` +
          `For a second, separate one set DATA_DIR and PORT; for several on one database set DATABASE_URL.`,
      );
    }
    await sleep(100);
  }
}
