import { Client } from "pg";

/** First half of the keys of Rollcall's advisory locks on its embedded cluster ("list" in ASCII). */
const LOCK_CLASS = 0x726f6c6c;
/** Held shared by every process that uses the cluster, exclusively by the one that shuts it down. */
export const IN_USE = 1;
/** Held by the one server of the cluster. */
export const SERVER = 2;

const REOPEN_AFTER_MS = 500;

/** A connection kept open for the sake of an advisory lock. */
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
    const next = new Client({
      connectionString: url,
      application_name: lock.applicationName().slice(0, 63),
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    next.on("error", () => {});
    next.once("end", () => {
      if (client !== next || closed) return;
      client = undefined;
      reopenSoon();
    });
    await next.connect();
    const took = await next.query<{ took: boolean }>(
      `SELECT pg_try_advisory_lock${lock.shared ? "_shared" : ""}($1::int, $2::int) AS took`,
      [LOCK_CLASS, lock.key],
    );
    if (closed || !took.rows[0]?.took) {
      await next.end();
      return false;
    }
    client = next;
    return true;
  };
  const reopenSoon = () => {
    retry = setTimeout(() => {
      open().then(
        (took) => took || closed || reopenSoon(),
        () => closed || reopenSoon(),
      );
    }, REOPEN_AFTER_MS);
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

/** Gives up this session's share of the cluster and tries to have it alone: true when nobody else uses it. */
export async function becomeLastUser(session: LockSession): Promise<boolean> {
  await session.query("SELECT pg_advisory_unlock_shared($1::int, $2::int)", [LOCK_CLASS, IN_USE]);
  const tried = await session.query<{ took: boolean }>(
    "SELECT pg_try_advisory_lock($1::int, $2::int) AS took",
    [LOCK_CLASS, IN_USE],
  );
  return tried[0]?.took === true;
}

/** The application name of whoever holds the server's lock on this database, if any. */
export async function serverLockHolder(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => {});
  try {
    await client.connect();
    const found = await client.query<{ name: string }>(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.classid = $1::int8 AND l.objid = $2::int8 AND l.objsubid = 2 AND l.granted
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCK_CLASS, SERVER],
    );
    return found.rows[0]?.name;
  } finally {
    await client.end().catch(() => {});
  }
}
