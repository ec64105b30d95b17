import type { Client } from "pg";
import { from, to } from "pg-copy-streams";
import { OperatorError } from "../../kernel/errors";
import { pg } from "../../platform/db/pg";

type CopiedTable = { name: string; columns: string[] };

/** Identifies an applied migration. */
type AppliedMigration = { name: string; checksum: string };

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const listed = ({ name, columns }: CopiedTable) => `${quoted(name)} (${columns.map(quoted).join(", ")})`;

/** Every version of PostgreSQL can read COPY's text in these formats. */
const PLAIN_TEXT =
  "SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET timezone = 'UTC'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET client_encoding = 'UTF8'";
const PATIENT =
  "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s'";

/**
 * Lists our tables and their columns in order of name, except tables that migrations fill. Excludes the change feed: a
 * restored database starts a new one, and readers detect this by their invalid positions.
 */
async function listTables(client: Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND c.relname NOT IN ('_prisma_migrations', 'changes', 'change_epoch')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/**
 * Opens a view of the database at one moment. Writers don't wait for it. `copy` returns a table's rows as COPY text.
 * @throws OperatorError when the database is not Rollcall's
 */
export async function openSnapshot(url: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: "rollcall backup",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => {}); // also rejects the query in flight
  const close = () => client.end().catch(() => {});
  try {
    await client.connect().catch((error: Error) => {
      throw new OperatorError(`The database can't be reached: ${error.message}. Nothing was written.`);
    });
    await client.query(`${PATIENT}; ${PLAIN_TEXT}`);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const known = await client.query("SELECT 1 WHERE to_regclass('_prisma_migrations') IS NOT NULL");
    if (known.rowCount === 0)
      throw new OperatorError("No data to back up: Rollcall has never started on this database.");
    const { rows: migrations } = await client.query<AppliedMigration>(
      `SELECT migration_name AS name, checksum FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
    );
    return {
      migrations,
      tables: await listTables(client),
      copy: (table: CopiedTable): AsyncIterable<Buffer> =>
        client.query(to(`COPY ${listed(table)} TO STDOUT`)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Fills a table that this transaction has emptied. @returns the number of rows */
export async function copyInto(
  client: Client,
  table: CopiedTable,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  // Frozen rows need no vacuum. PostgreSQL allows this only for tables emptied in the same transaction.
  const stream = client.query(from(`COPY ${listed(table)} FROM STDIN WITH (FREEZE)`));
  const failed = new Promise<never>((_, reject) => stream.once("error", reject));
  failed.catch(() => {});
  for await (const chunk of content) {
    if (!stream.write(chunk))
      await Promise.race([failed, new Promise<void>((resolve) => stream.once("drain", resolve))]);
  }
  await Promise.race([failed, new Promise<void>((resolve) => stream.end(resolve))]);
  return stream.rowCount;
}

/**
 * Drops the foreign keys, indexes and triggers of all tables in the caller's transaction, and empties the tables. They
 * then load fast and in any order. The tables' owner may do this; disabling foreign key triggers needs a superuser.
 * @returns a function that recreates them from their definitions
 */
export async function dropIndexesAndKeys(
  client: Client,
  tables: CopiedTable[],
): Promise<() => Promise<void>> {
  await client.query(`${PATIENT}; ${PLAIN_TEXT}; SET LOCAL maintenance_work_mem = '256MB'`);
  const names = tables.map(({ name }) => name);
  const { rows: keys } = await client.query<{ name: string; tab: string; definition: string }>(
    `SELECT conname AS name, conrelid::regclass::text AS tab, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 2, 1`,
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1)
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
     ORDER BY 1`,
    [names],
  );
  for (const { name, tab } of keys) await client.query(`ALTER TABLE ${tab} DROP CONSTRAINT ${quoted(name)}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  await client.query(`TRUNCATE ${names.map(quoted).join(", ")}`);
  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    for (const { name, tab, definition } of keys)
      await client.query(`ALTER TABLE ${tab} ADD CONSTRAINT ${quoted(name)} ${definition}`);
  };
}

/** Lists the Rollcall processes connected to this database, by name. */
export async function listServers(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name ~ '^rollcall( jobs| server.*)?$' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Pauses a restored database until an operator has checked it: sends no email, and ends unfinished work. */
export async function pauseRestored(client: Client, madeAt: string): Promise<void> {
  await client.query(
    "UPDATE send_pace SET next_at = now(), paused_at = date_trunc('milliseconds', clock_timestamp()), paused_by = 'restore'",
  );
  // The original database still calls the webhook endpoints, so they are off here.
  await client.query("UPDATE webhook_endpoints SET off_reason = 'restored' WHERE off_reason IS NULL");
  // Resend may have accepted these batches after the backup. They are only repeated under their idempotency key.
  await client.query(
    "UPDATE mail_batches SET unsure_since = coalesce(unsure_since, $1::timestamptz) WHERE finished_at IS NULL",
    [madeAt],
  );
  // A backup does not contain the jobs of this work.
  await client.query(
    `UPDATE imports SET state = CASE state WHEN 'running' THEN 'failed' ELSE 'done' END, ended_at = coalesce(ended_at, now()),
       written = CASE state WHEN 'running' THEN 0 ELSE rows END, error = CASE state
         WHEN 'running' THEN 'The backup was made during this import. No people were added and no emails were sent. Start the import again.'
         ELSE 'The backup was made during the undo of this import. No people were removed. Undo the import again.' END
     WHERE state IN ('running', 'undoing')`,
  );
  await client.query(
    `UPDATE bulk_actions SET state = 'failed', ended_at = coalesce(ended_at, now()),
       error = 'The backup was made during this action. Repeat the action for the rest.'
     WHERE state IN ('running', 'undoing')`,
  );
}
