import type { Client } from "pg";
import { pg } from "../pg";

/** First half of the keys of Rollcall's advisory locks on its embedded cluster ("roll" in ASCII). */
const LOCK_CLASS = 0x726f6c6c;
/** Taken shared by every process that uses the cluster, exclusively by the one that shuts it down. */
export const IN_USE = 1;
/** Taken by the one server of the cluster. */
export const SERVER = 2;

/** The role and the database of the product. */
export const APP = "rollcall";

const REOPEN_AFTER_MS = 500;

/** The connection string of a role on the cluster whose socket is in `pgdata`, which knows us by our user and asks for no password. */
export function urlOf(pgdata: string, role: string, database = role): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(pgdata)}`;
}

function newClient(url: string, name: string): Client {
  const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 15_000 };
  const client = new pg.Client({ connectionString: url, application_name: name.slice(0, 63), ...timeouts });
  client.on("error", () => {}); // a connection that is cut also rejects the query in flight
  return client;
}

/** Runs `work` on a connection of its own, and closes it. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = newClient(url, "rollcall start");
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A connection that stays open for the sake of an advisory lock. */
export interface LockSession {
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * Connects to `url` and takes the lock, shared or exclusive; undefined when somebody else is in the way.
 * A cut connection (PostgreSQL restarts its backends after a crash of one) is opened anew and the lock
 * taken again until `close`. Throws what `pg` throws when the first connection fails.
 */
export async function openLockSession(
  url: string,
  lock: { key: number; shared: boolean; applicationName: () => string },
): Promise<LockSession | undefined> {
  let client: Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const open = async (): Promise<boolean> => {
    const next = newClient(url, lock.applicationName());
    next.once("end", () => {
      if (client !== next) return;
      client = undefined;
      reopenSoon();
    });
    await next.connect();
    const took = await tryLock(next, lock.key, lock.shared);
    if (closed || !took) await next.end();
    else client = next;
    return took;
  };
  const reopenSoon = () => {
    if (closed) return;
    retry = setTimeout(() => open().then((took) => took || reopenSoon(), reopenSoon), REOPEN_AFTER_MS);
    retry.unref();
  };

  if (!(await open())) return undefined;
  return {
    async query<Row extends object>(sql: string, values: unknown[] = []) {
      if (!client) throw new Error("The connection that holds the lock is cut.");
      return (await client.query<Row>(sql, values)).rows;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

async function tryLock(client: Client, key: number, shared: boolean): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_lock${shared ? "_shared" : ""}($1::int, $2::int) AS took`;
  return (await client.query<{ took: boolean }>(sql, [LOCK_CLASS, key])).rows[0]?.took === true;
}

/** Gives up this session's share of the cluster and tries to have it alone: true when nobody else uses it. */
export async function becomeLastUser(session: LockSession): Promise<boolean> {
  await session.query("SELECT pg_advisory_unlock_shared($1::int, $2::int)", [LOCK_CLASS, IN_USE]);
  const sql = "SELECT pg_try_advisory_lock($1::int, $2::int) AS took";
  const [tried] = await session.query<{ took: boolean }>(sql, [LOCK_CLASS, IN_USE]);
  return tried?.took === true;
}

/** The application name of the process that has the server's lock on this database, if any. */
export function serverLockHolder(url: string): Promise<string | undefined> {
  return withClient(url, async (client) => {
    const found = await client.query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.classid = $1::int8 AND l.objid = $2::int8 AND l.objsubid = 2 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCK_CLASS, SERVER],
    );
    return found.rows[0]?.name;
  });
}
