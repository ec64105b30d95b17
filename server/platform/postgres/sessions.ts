import type { Client } from "pg";
import { pg } from "../db/pg";

/** The advisory lock on the cluster ("roll" in ASCII). Users share it; starting and stopping take it exclusively. */
const LOCK = { class: 0x726f6c6c, key: 1 };

/** The name of the product's role and database. */
export const APP = "rollcall";

const REOPEN_AFTER_MS = 500;

/**
 * Returns a role's connection string for the socket in `pgdata`. PostgreSQL identifies us by our OS user, without a
 * password.
 */
export function urlOf(pgdata: string, role: string, database = role): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(pgdata)}`;
}

/** @throws pg's error when the connection fails */
export async function openClient(url: string, name: string): Promise<Client> {
  const options = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 15_000 };
  const client = new pg.Client({ connectionString: url, application_name: name.slice(0, 63), ...options });
  client.on("error", () => {}); // a connection that is cut also rejects the query in flight
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Runs `work` on a new connection and closes it. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(url, "rollcall start");
  return work(client).finally(() => client.end().catch(() => {}));
}

/** Tries to take the lock of the cluster for this connection, without waiting. */
export async function tryLock(client: Client, mode: "alone" | "shared"): Promise<boolean> {
  const sql = `SELECT pg_try_advisory_lock${mode === "shared" ? "_shared" : ""}($1::int, $2::int) AS took`;
  return (await client.query<{ took: boolean }>(sql, [LOCK.class, LOCK.key])).rows[0]?.took === true;
}

/** Turns this connection's exclusive lock into a shared one. */
export async function shareLock(client: Client): Promise<void> {
  await tryLock(client, "shared");
  await client.query("SELECT pg_advisory_unlock($1::int, $2::int)", [LOCK.class, LOCK.key]);
}

export async function listLockHolders(client: Client): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = $1::int8 AND l.objid = $2::int8 AND l.objsubid = 2 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCK.class, LOCK.key],
  );
  return found.rows.map(({ name }) => name);
}

/**
 * Keeps a connection until `close`, and opens another after a loss.
 * @param prepare makes each new connection ready; after a failure the connection is opened again
 * @param first a connection that is already open and ready
 */
export function keepConnection(
  url: string,
  name: string,
  prepare: (client: Client) => Promise<void>,
  first?: Client,
) {
  let current: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const reopenSoon = () => {
    current = undefined;
    if (!closed) timer = setTimeout(() => open().catch(reopenSoon), REOPEN_AFTER_MS).unref();
  };
  const keep = (client: Client) => {
    current = client;
    client.once("end", reopenSoon);
  };
  async function open() {
    const client = await openClient(url, name);
    try {
      await prepare(client);
      if (closed) throw new Error("closed meanwhile");
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    keep(client);
  }
  if (first) keep(first);
  else void open().catch(reopenSoon);
  return {
    /** The open connection; undefined while it is lost. */
    client: () => current,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await current?.end().catch(() => {});
    },
  };
}

/**
 * Keeps a share of the lock until `close`, also after a restart of PostgreSQL. After a lost share, a second server would
 * take the cluster for unused.
 */
export function keepShare(url: string, name: string, first: Client): { close(): Promise<void> } {
  const shareAgain = async (client: Client) => {
    if (!(await tryLock(client, "shared"))) throw new Error("another process starts or stops PostgreSQL");
  };
  const kept = keepConnection(url, name, shareAgain, first);
  return {
    async close() {
      // Ending a connection frees its locks only a moment later.
      await kept
        .client()
        ?.query("SELECT pg_advisory_unlock_all()")
        .catch(() => {});
      await kept.close();
    },
  };
}
