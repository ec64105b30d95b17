import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type DatabaseError, Query } from "pg";
import { OperatorError } from "../operator-error";
import { projectRoot } from "../project-root";

// The table, its checksums and the lock's number are those of `prisma migrate`, so that both agree on what
// has been applied (prisma-engines: schema-engine/connectors/sql-schema-connector).
const LOCK = 72707369;
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
const NO_TRANSACTION = "-- rollcall:no-transaction";
const LOCK_TIMEOUT_S = 60;

interface Migration {
  name: string;
  sql: string;
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

/** prisma/migrations of this checkout, absolute. */
export function migrationsFolder(): string {
  return join(projectRoot(), "prisma", "migrations");
}

/**
 * Brings the database up to this checkout: applies `<folder>/<name>/migration.sql` in order of name, each in
 * a transaction of its own (but for a file whose first line is `-- rollcall:no-transaction`, which then holds
 * one statement, such as CREATE INDEX CONCURRENTLY). Returns the names applied now. Several processes may
 * call it at once: one works, the others wait. Throws OperatorError; the database is then as it was.
 */
export async function migrate(options: {
  url: string;
  /** Default: prisma/migrations of this checkout. */
  folder?: string;
  log: (line: string) => void;
}): Promise<string[]> {
  const { url, folder = migrationsFolder(), log } = options;
  const migrations = readMigrations(folder);
  const client = await connect(url);
  try {
    // A role may have limits that suit requests and not migrations.
    await client.query(`SET statement_timeout = 0; SET lock_timeout = '${LOCK_TIMEOUT_S}s'`);
    await takeLock(client, log);
    const pending = await findPending(client, migrations);
    for (const migration of pending) {
      log(`Migrating the database: ${migration.name}`);
      await apply(client, migration);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => {}); // the lock goes with the session
  }
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const file = join(folder, name, "migration.sql");
      if (!existsSync(file)) {
        throw new OperatorError(
          `${join(folder, name)} holds no migration.sql. Delete the folder or restore the file.`,
        );
      }
      return { name, sql: readFileSync(file, "utf8") };
    });
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: "rollcall migrate",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => {}); // a cut connection also rejects the query in flight
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new OperatorError(
      `The database at ${client.host}:${client.port}/${client.database} can't be used: ${(error as Error).message || error}. ` +
        `Check DATABASE_URL and that PostgreSQL runs there.`,
    );
  }
}

async function takeLock(client: Client, log: (line: string) => void): Promise<void> {
  const waiting = setTimeout(() => log("Waiting for another process that migrates this database"), 2000);
  try {
    await client.query("SELECT pg_advisory_lock($1::bigint)", [LOCK]);
  } catch (error) {
    if ((error as DatabaseError).code !== "55P03") throw error; // lock_not_available
    throw new OperatorError(
      `Another process has been migrating this database for over ${LOCK_TIMEOUT_S} s. Nothing was changed. ` +
        `Wait for it and start again; it holds advisory lock ${LOCK} in pg_locks.`,
    );
  } finally {
    clearTimeout(waiting);
  }
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const known = await client.query<{ known: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known",
  );
  if (!known.rows[0]?.known) {
    await rejectForeignTables(client);
    await client.query(TABLE);
  }
  const rows = await client.query<Applied>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows.rows) {
    const migration = byName.get(row.migration_name);
    if (!row.finished) throw new OperatorError(halfDone(row.migration_name));
    if (!migration) {
      throw new OperatorError(
        `The database is newer than this Rollcall, or from before its first release: it has the migration ` +
          `${row.migration_name}, which this checkout doesn't know. Nothing was changed. When it is newer, update this ` +
          `checkout or go back with a backup made before. When it is from before the release, start with an empty ` +
          `one: set DATABASE_URL or DATA_DIR to a new database or folder, and import the people again.`,
      );
    }
    if (!checksums(migration.sql).includes(row.checksum)) {
      throw new OperatorError(
        `The migration ${row.migration_name} was changed after this database had applied it, so nobody can tell ` +
          `what the database looks like. Nothing was changed now. Restore its migration.sql (git checkout) and put ` +
          `the change into a new migration.`,
      );
    }
  }
  const applied = new Set(rows.rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

/** Tables that nobody's migration made belong to somebody else: rejected, as `prisma migrate deploy` does. */
async function rejectForeignTables(client: Client): Promise<void> {
  const found = await client.query<{ relname: string }>(
    `SELECT c.relname FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1 LIMIT 3`,
  );
  if (found.rows.length === 0) return;
  const names = found.rows.map((row) => row.relname).join(", ");
  throw new OperatorError(
    `The database ${client.database} already has tables that are not Rollcall's (${names}). Nothing was changed. ` +
      `Give Rollcall a database of its own (CREATE DATABASE rollcall) and set DATABASE_URL to it.`,
  );
}

async function apply(client: Client, migration: Migration): Promise<void> {
  const id = randomUUID();
  const record = (columns: string, values: string, given: string[] = []) =>
    client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name${columns}) VALUES ($1, $2, $3${values})`,
      [id, checksums(migration.sql)[0], migration.name, ...given],
    );
  const alone = migration.sql.split("\n", 1)[0]?.trim() === NO_TRANSACTION;
  if (alone) await record("", "");
  else await client.query("BEGIN");
  const began = new Date().toISOString();
  try {
    await runScript(client, migration.sql);
    if (alone) {
      await client.query(
        "UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1",
        [id],
      );
    } else {
      await record(", started_at, finished_at, applied_steps_count", ", $4, clock_timestamp(), 1", [began]);
      await client.query("COMMIT");
    }
  } catch (error) {
    const said = describe(error, migration);
    if (alone) {
      await client.query("UPDATE _prisma_migrations SET logs = $2 WHERE id = $1", [id, said]).catch(() => {});
      throw new OperatorError(`${halfDone(migration.name)}\n  ${said}`);
    }
    await client.query("ROLLBACK").catch(() => {});
    // To prisma, "rolled back" means: recorded, and free to be tried again.
    await record(", logs, rolled_back_at", ", $4, now()", [said]).catch(() => {});
    throw new OperatorError(
      `The migration ${migration.name} failed and was rolled back: the database is as it was before it. ` +
        `Once the cause is fixed, start again.\n  ${said}`,
    );
  }
}

/** How many statements of the script were done is what tells the failed one when PostgreSQL names no position. */
function runScript(client: Client, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new Query(sql) as Query & {
      handleCommandComplete(message: unknown, connection: unknown): void;
    };
    const count = query.handleCommandComplete.bind(query);
    let done = 0;
    query.handleCommandComplete = (message, connection) => {
      done++;
      count(message, connection);
    };
    query.on("error", (error) => reject(Object.assign(error, { done })));
    query.on("end", () => resolve());
    client.query(query);
  });
}

function describe(error: unknown, { name, sql }: Migration): string {
  const { message, position, detail, hint, code, done = 0 } = error as DatabaseError & { done?: number };
  const start = position ? Number(position) - 1 : (statementStarts(sql)[done] ?? 0);
  const line = sql.slice(0, start).split("\n").length;
  const extra = [detail, hint].filter(Boolean).join(" ");
  return (
    `prisma/migrations/${name}/migration.sql, statement ${done + 1}, line ${line}: ${message}` +
    `${code ? ` (${code})` : ""}${extra ? `. ${extra}` : ""}`
  );
}

/** Offsets of the statements, for messages only: it knows strings, dollar quotes and comments, no more. */
function statementStarts(sql: string): number[] {
  const starts: number[] = [];
  let open = false;
  const token =
    /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|;|\s+|[^\s;'"$/-]+|[\s\S]/g;
  for (const match of sql.matchAll(token)) {
    const text = match[0];
    if (text === ";") open = false;
    else if (!open && !/^(--|\/\*|\s)/.test(text)) {
      open = true;
      starts.push(match.index);
    }
  }
  return starts;
}

/** Of the text as it is and with either line ending, as prisma compares them: git may have changed those. */
function checksums(sql: string): string[] {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].map((text) =>
    createHash("sha256").update(text).digest("hex"),
  );
}

function halfDone(name: string): string {
  return (
    `The migration ${name} began on this database and did not finish. It ran outside a transaction, or with ` +
    `prisma migrate deploy, so a part of it may be there. Nothing was changed now. Undo by hand what is there ` +
    `(after CREATE INDEX CONCURRENTLY drop the invalid index), then run: UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' ` +
    `AND finished_at IS NULL; and start again.`
  );
}
