import type { Client } from "pg";
import { OperatorError } from "../../kernel/errors";
import { checksum as checksumOf, type Migration, readMigrations } from "../../platform/db/migrate";
import { fillEmptyDatabase } from "../queries/fill-database";
import { copyInto, dropIndexesAndKeys } from "../queries/table-copies";
import { type Manifest, type ReadBackup, readArchive } from "./archive";
import type { ReportProgress } from "./backup";

/** Reads a whole backup and verifies its checksums, without a database. @throws OperatorError when it is damaged */
export function verifyBackup(file: string): Promise<ReadBackup> {
  return readArchive(file, {
    async begin() {},
    async table(_, content) {
      for await (const _chunk of content);
    },
  });
}

/**
 * Divides this version's migrations into those in the backup and later ones. @throws OperatorError when the backup has
 * others
 */
function divideMigrations({ migrations, version }: Manifest): { had: Migration[]; later: Migration[] } {
  const ours = readMigrations();
  const applied = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    const migration = ours.find((one) => one.name === name);
    if (!migration || checksumOf(migration.sql) !== checksum)
      throw new OperatorError(
        `The backup was made by another Rollcall (version ${version}) with the migration ${name}, which this version does not have: it is ` +
          "newer than this version, or from before its first release. Nothing was changed. Restore it with the version that made it or a newer version.",
      );
  }
  return {
    had: ours.filter(({ name }) => applied.has(name)),
    later: ours.filter(({ name }) => !applied.has(name)),
  };
}

/**
 * Restores a backup into an empty database, in one transaction: everything or nothing. Applies the backup's migrations
 * before its rows, and later migrations afterwards. Sending is paused until an operator resumes it.
 * @throws OperatorError; nothing changed then
 */
export async function restoreBackup(
  url: string,
  { file, log }: { file: string; log: ReportProgress },
): Promise<ReadBackup> {
  log(`Verifying ${file}`);
  const { manifest } = await verifyBackup(file);
  const { had, later } = divideMigrations(manifest);
  const restored = { had, later, madeAt: manifest.madeAt, log };
  return fillEmptyDatabase(url, restored, (client) => load(client, file, log));
}

async function load(client: Client, file: string, log: ReportProgress): Promise<ReadBackup> {
  const loaded = new Map<string, number>();
  let rebuild = async () => {};
  const read = await readArchive(file, {
    async begin({ tables }) {
      rebuild = await dropIndexesAndKeys(client, tables);
    },
    async table(table, content) {
      const rows = await copyInto(client, table, content).catch((error: Error) => {
        throw new OperatorError(
          `The table ${table.name} can't be loaded: ${error.message}. Nothing was changed.`,
        );
      });
      loaded.set(table.name, rows);
      if (rows > 0) log(`${table.name}: ${rows} rows`);
    },
  });
  for (const [name, { rows }] of Object.entries(read.tables))
    if (loaded.get(name) !== rows)
      throw new OperatorError(
        `PostgreSQL took ${loaded.get(name)} of ${rows} rows of ${name}. Nothing was changed.`,
      );
  log("Creating indexes and foreign keys");
  await rebuild();
  return read;
}
