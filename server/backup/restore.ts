import type { Client } from "pg";
import {
  applyWithin,
  checksums,
  connectForMigration,
  findPending,
  type Migration,
  readMigrations,
  takeMigrationLock,
} from "../db/migrate";
import {
  type CopiedTable,
  copyInto,
  type LaidAside,
  layAside,
  listServers,
  pauseRestored,
} from "../db/table-copies";
import { OperatorError } from "../operator-error";
import { type Manifest, type ReadBackup, readArchive } from "./archive";
import { type Progress, withProgress } from "./backup";

/** Reads a backup through and holds it against its sums, without any database. @throws OperatorError when it is not whole */
export function verifyBackup(file: string): Promise<ReadBackup> {
  return readArchive(file, {
    async begin() {},
    async table(_, content) {
      for await (const _chunk of content);
    },
  });
}

/** The migrations of this version that the backup had, and those that it lacks. @throws OperatorError when it has others */
function divideMigrations({ migrations, version }: Manifest): { had: Migration[]; later: Migration[] } {
  const ours = readMigrations();
  const applied = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    const migration = ours.find((one) => one.name === name);
    if (!migration || !checksums(migration.sql).includes(checksum))
      throw new OperatorError(
        `The backup was made by another Rollcall (version ${version}), whose migration ${name} this one does not have: it is ` +
          "newer than this one, or from before its first release. Nothing was changed. Restore it with the version that made it, or a newer one.",
      );
  }
  return {
    had: ours.filter(({ name }) => applied.has(name)),
    later: ours.filter(({ name }) => !applied.has(name)),
  };
}

/** @throws OperatorError unless nobody has set this database up, no process uses it, and it is not ahead of the backup */
async function checkEmpty(client: Client, had: Migration[]): Promise<void> {
  const servers = await listServers(client);
  if (servers.length > 0)
    throw new OperatorError(
      `Rollcall is running on this database (${servers.join(", ")}). Nothing was changed. Stop it, then restore again.`,
    );
  const { rows } = await client.query<{ known: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AND to_regclass('accounts') IS NOT NULL AS known",
  );
  if (!rows[0]?.known) return;
  const { rowCount: accounts } = await client.query("SELECT FROM accounts LIMIT 1");
  if (accounts !== 0)
    throw new OperatorError(
      "This database is in use: it has accounts. Nothing was changed. A backup is restored into an empty one only: set " +
        "DATABASE_URL to a new database (CREATE DATABASE …), or DATA_DIR to a new folder.",
    );
  const { rows: applied } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const ahead = applied.find(({ name }) => !had.some((one) => one.name === name));
  if (ahead)
    throw new OperatorError(
      `A newer Rollcall than the one that made the backup has started on this database already (migration ${ahead.name}). ` +
        "Nothing was changed. Restore into one on which none has: set DATABASE_URL to a new database, or DATA_DIR to a new folder.",
    );
}

/**
 * Fills an empty database from a backup, in one transaction: all of it or nothing. The migrations that the backup had come
 * first, those that it lacks afterwards. No mail leaves until an operator lets it.
 * @throws OperatorError; nothing was changed then
 */
export async function restoreBackup(
  url: string,
  { file, log }: { file: string; log: Progress },
): Promise<ReadBackup> {
  log(`Reading ${file} through`);
  const { manifest } = await verifyBackup(file);
  const { had, later } = divideMigrations(manifest);
  const client = await connectForMigration(url);
  try {
    await client.query("SET statement_timeout = 0; SET lock_timeout = '60s'");
    await takeMigrationLock(client, log);
    await checkEmpty(client, had);
    await client.query("BEGIN");
    for (const migration of await findPending(client, had)) await applyWithin(client, migration);
    const read = await load(client, file, log);
    for (const migration of later) await applyWithin(client, migration);
    await pauseRestored(client, manifest.madeAt);
    await client.query("COMMIT");
    log("Gathering statistics");
    for (const { name } of manifest.tables) await client.query(`ANALYZE "${name}"`);
    return read;
  } finally {
    await client.end().catch(() => {}); // what was not committed is rolled back
  }
}

async function load(client: Client, file: string, log: Progress): Promise<ReadBackup> {
  let aside: LaidAside | undefined;
  const loaded = new Map<string, number>();
  const read = await readArchive(file, {
    async begin({ tables }) {
      aside = await layAside(client, tables);
    },
    async table(table: CopiedTable, content) {
      const rows = await copyInto(client, table, withProgress(content, table.name, log)).catch(
        (error: Error) => {
          throw new OperatorError(
            `The table ${table.name} can't be loaded: ${error.message}. Nothing was changed.`,
          );
        },
      );
      loaded.set(table.name, rows);
      if (rows > 0) log(`${table.name}: ${rows} rows`);
    },
  });
  for (const [name, { rows }] of Object.entries(read.tables))
    if (loaded.get(name) !== rows)
      throw new OperatorError(
        `PostgreSQL took ${loaded.get(name)} of ${rows} rows of ${name}. Nothing was changed.`,
      );
  log("Making indexes and foreign keys");
  await aside?.rebuild();
  return read;
}
