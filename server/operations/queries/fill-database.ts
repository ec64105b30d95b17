import type { Client } from "pg";
import { OperatorError } from "../../kernel/errors";
import {
  applyWithin,
  connectForMigration,
  findPendingMigrations,
  type Migration,
  takeMigrationLock,
} from "../../platform/db/migrate";
import { listServers, pauseRestored } from "./table-copies";

/** @throws OperatorError unless the database has no account, no process uses it, and it is not newer than the backup */
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
      "This database is in use: it has accounts. Nothing was changed. A backup can only be restored into an empty database: set " +
        "DATABASE_URL to a new database (CREATE DATABASE …), or DATA_DIR to a new folder.",
    );
  const { rows: applied } = await client.query<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const ahead = applied.find(({ name }) => !had.some((one) => one.name === name));
  if (ahead)
    throw new OperatorError(
      `A newer Rollcall than the one that made the backup has already started on this database (migration ${ahead.name}). ` +
        "Nothing was changed. Restore into a new one: set DATABASE_URL to a new database, or DATA_DIR to a new folder.",
    );
}

type Restored = {
  /** The migrations to apply before the rows, and those to apply after. */
  had: Migration[];
  later: Migration[];
  /** When the backup was made, in ISO 8601. */
  madeAt: string;
  log(line: string): void;
};

/**
 * Fills an empty database in one transaction: everything or nothing. Sending is paused until an operator resumes it.
 * @throws OperatorError unless the database is empty; nothing changed then
 */
export async function fillEmptyDatabase<T>(
  url: string,
  { had, later, madeAt, log }: Restored,
  fill: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connectForMigration(url);
  try {
    await client.query("SET statement_timeout = 0; SET lock_timeout = '60s'");
    await takeMigrationLock(client, log);
    await checkEmpty(client, had);
    await client.query("BEGIN");
    for (const migration of await findPendingMigrations(client, had)) await applyWithin(client, migration);
    const filled = await fill(client);
    for (const migration of later) await applyWithin(client, migration);
    await pauseRestored(client, madeAt);
    await client.query("COMMIT");
    log("Gathering statistics");
    await client.query("ANALYZE");
    return filled;
  } finally {
    await client.end().catch(() => {}); // rolls back uncommitted changes
  }
}
