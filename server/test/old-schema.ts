import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, migrationsFolder } from "../platform/db/migrate";

/** Applies this checkout's migrations that come before the given one. */
export async function migrateBefore(url: string, migration: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-migrations-"));
  try {
    for (const name of readdirSync(migrationsFolder()).filter((one) => /^\d/.test(one) && one < migration))
      cpSync(join(migrationsFolder(), name), join(folder, name), { recursive: true });
    await migrate({ url, folder, log: () => {} });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
