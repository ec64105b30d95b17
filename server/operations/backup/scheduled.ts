import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Secrets } from "../../kernel/secrets";
import { DAY_MS } from "../../kernel/time";
import type { Db } from "../../platform/db/client";
import { findLastBackup, noteBackup } from "../queries/last-backup";
import { writeBackup } from "./backup";

const NAME = /^rollcall-\d{8}T\d{6}Z\.tar\.gz$/;
const PARTIAL = /^rollcall-.*\.partial-\d+$/;

type Scheduled = {
  db: Db;
  databaseUrl: string;
  authSecrets: Secrets;
  config: { BACKUP_DIR?: string | undefined; BACKUP_KEEP: number };
};

/**
 * Makes a backup in BACKUP_DIR, and then removes all but the newest BACKUP_KEEP. @throws the failure, which is also
 * stored for health
 */
export async function runScheduledBackup(
  { db, databaseUrl, authSecrets, config }: Scheduled,
  signal: AbortSignal,
): Promise<string> {
  const folder = config.BACKUP_DIR as string;
  const authSecret = authSecrets.join("\n");
  const file = join(folder, `rollcall-${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}.tar.gz`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { manifest } = await writeBackup(databaseUrl, { file, authSecret, log: () => {}, signal });
    await noteBackup(db, { madeAt: new Date(manifest.madeAt), file, bytes: statSync(file).size });
  } catch (error) {
    if (!signal.aborted) await noteBackup(db, { error: (error as Error).message }).catch(() => {});
    throw error;
  }
  removeOld(folder, config.BACKUP_KEEP);
  return file;
}

function removeOld(folder: string, keep: number): void {
  const names = readdirSync(folder);
  const old = names
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -keep);
  // Left by a process that was killed during a backup.
  const partial = names.filter(
    (name) => PARTIAL.test(name) && Date.now() - statSync(join(folder, name)).mtimeMs > DAY_MS,
  );
  for (const name of [...old, ...partial]) rmSync(join(folder, name), { force: true });
}

/**
 * Returns for health: the last complete backup with its age, and the last failure. Null when no backups are scheduled.
 */
export async function readBackupState(db: Db, { BACKUP_DIR: folder }: { BACKUP_DIR?: string | undefined }) {
  if (!folder) return null;
  const { madeAt, file, bytes, error } = await findLastBackup(db);
  const isGone = file !== null && !existsSync(file);
  return {
    madeAt: madeAt?.toISOString() ?? null,
    ageHours: madeAt && Math.round((Date.now() - madeAt.getTime()) / 360_000) / 10,
    bytes,
    issue: error ?? (isGone ? `${file} no longer exists.` : null),
  };
}
