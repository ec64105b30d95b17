import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { newId } from "../kernel/ids";
import { migrate, migrationsFolder } from "../platform/db/migrate";
import { createTestDatabase } from "./database";

/** Applies this checkout's migrations that come before the given one. */
async function migrateBefore(url: string, migration: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-migrations-"));
  try {
    for (const name of readdirSync(migrationsFolder()).filter((one) => /^\d/.test(one) && one < migration))
      cpSync(join(migrationsFolder(), name), join(folder, name), { recursive: true });
    await migrate({ url, folder, log: () => {} });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens a database with a newsletter, in the version before a migration. `upgrade` applies the rest. */
export async function openBefore(migration: string) {
  const { url, drop } = await createTestDatabase({ empty: true });
  onTestFinished(drop);
  await migrateBefore(url, migration);
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const sql = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
  const [accountId, newsletterId] = [newId(), newId()];
  await sql("INSERT INTO accounts (id, name) VALUES ($1, 'Lovelace')", [accountId]);
  const newsletter = [newsletterId, accountId];
  await sql("INSERT INTO newsletters (id, account_id, name) VALUES ($1, $2, 'Notes')", newsletter);
  return { url, sql, newsletterId, upgrade: () => migrate({ url, log: () => {} }) };
}
