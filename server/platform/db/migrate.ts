import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, DatabaseError } from "pg";
import { OperatorError } from "../../kernel/errors";
import { projectRoot } from "../../kernel/project-root";
import { pg } from "./pg";

// The table, checksums and lock number are those of `prisma migrate`, so that both agree on the applied migrations
// (prisma-engines: schema-engine/connectors/sql-schema-connector).
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
const LOCK_TIMEOUT_S = 60;

export type Migration = { name: string; sql: string };

/** Returns the absolute path of this checkout's prisma/migrations. */
export function migrationsFolder(): string {
  return join(projectRoot(), "prisma", "migrations");
}

/**
 * Brings the database up to this checkout: applies `<folder>/<name>/migration.sql` in order of name, each in its own
 * transaction. Returns the names applied now. Several processes may call it at once; one works and the others wait.
 * @throws OperatorError; the database then has all complete migrations before the failed one
 */
export async function migrate(options: {
  url: string;
  /** Default: prisma/migrations of this checkout. */
  folder?: string;
  log: (line: string) => void;
}): Promise<string[]> {
  const { url, folder = migrationsFolder(), log } = options;
  const migrations = readMigrations(folder);
  const client = await connectForMigration(url);
  try {
    // A role may have limits that suit requests but not migrations.
    await client.query(`SET statement_timeout = 0; SET lock_timeout = '${LOCK_TIMEOUT_S}s'`);
    await takeMigrationLock(client, log);
    const pending = await findPendingMigrations(client, migrations);
    for (const migration of pending) {
      log(`Migrating the database: ${migration.name}`);
      await apply(client, migration);
    }
    return pending.map((migration) => migration.name);
  } finally {
    await client.end().catch(() => {}); // ending the session releases the lock
  }
}

/**
 * Lists the migrations that the database lacks. Changes nothing, except that it creates the table of migrations.
 * @throws OperatorError
 */
export async function listPending(url: string): Promise<string[]> {
  const client = await connectForMigration(url);
  try {
    return (await findPendingMigrations(client, readMigrations())).map(({ name }) => name);
  } finally {
    await client.end().catch(() => {});
  }
}

export function readMigrations(folder = migrationsFolder()): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, "migration.sql"), "utf8") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Opens a connection for long work. @throws OperatorError */
export async function connectForMigration(url: string): Promise<Client> {
  const client = new pg.Client({
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

/** Takes the lock until the session ends. @throws OperatorError */
export async function takeMigrationLock(client: Client, log: (line: string) => void): Promise<void> {
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

/**
 * Finds the migrations that the database lacks, and creates their table. @throws OperatorError when the database is not
 * Rollcall's, or newer than this version
 */
export async function findPendingMigrations(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const known = await client.query<{ known: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known",
  );
  if (!known.rows[0]?.known) {
    await rejectForeignTables(client);
    await client.query(TABLE);
  }
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at`,
  );
  for (const row of rows) {
    const migration = migrations.find(({ name }) => name === row.name);
    if (!migration) throw new OperatorError(unknown(row.name));
    if (checksum(migration.sql) !== row.checksum) {
      throw new OperatorError(
        `The migration ${row.name} was changed after this database had applied it, so nobody can tell ` +
          `what the database looks like. Nothing was changed now. Restore its migration.sql (git checkout) and put ` +
          `the change into a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

const unknown = (name: string) =>
  `The database is newer than this Rollcall, or from before its first release: it has the migration ${name}, ` +
  `which this checkout doesn't know. Nothing was changed. When it is newer, update this checkout or go back with a ` +
  `backup made before. When it is from before the release, start with an empty one: set DATABASE_URL or DATA_DIR ` +
  `to a new database or folder, and import the people again.`;

/** Rejects a database with tables from another program, like `prisma migrate deploy`. */
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

/** Applies a migration in the caller's transaction. */
export async function applyWithin(client: Client, { name, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum(sql), name],
  );
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await applyWithin(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    const reason = describe(error as DatabaseError, migration);
    await client.query("ROLLBACK").catch(() => {});
    throw new OperatorError(
      `The migration ${migration.name} failed and was rolled back: the database is as it was before it. ` +
        `Once the cause is fixed, start again.\n  ${reason}`,
    );
  }
}

function describe(
  { message, position, detail, hint, code }: DatabaseError,
  { name, sql }: Migration,
): string {
  const line = position ? `, line ${sql.slice(0, Number(position) - 1).split("\n").length}` : "";
  const extra = [detail, hint].filter(Boolean).join(" ");
  return (
    `prisma/migrations/${name}/migration.sql${line}: ${message}` +
    `${code ? ` (${code})` : ""}${extra ? `. ${extra}` : ""}`
  );
}

/** Returns a migration's checksum as Prisma computes it. Git keeps the line endings; see .gitattributes. */
export const checksum = (sql: string) => createHash("sha256").update(sql).digest("hex");
