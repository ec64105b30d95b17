import type { Db } from "../../platform/db/client";

/**
 * Returns the state of scheduled backups, across all processes: the last complete backup, and why the last one failed;
 * null after a success.
 */
export async function findLastBackup(db: Db) {
  const { bytes, ...last } = await db.lastBackup.findFirstOrThrow();
  return { ...last, bytes: bytes === null ? null : Number(bytes) };
}

export async function noteBackup(
  db: Db,
  result: { madeAt: Date; file: string; bytes: number } | { error: string },
): Promise<void> {
  const data = "error" in result ? result : { ...result, error: null };
  await db.lastBackup.updateMany({ data: { ...data, triedAt: new Date() } });
}
