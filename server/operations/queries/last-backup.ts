import type { Db } from "../../platform/db/client";

/** The state of scheduled backups, across all processes. */
type LastBackup = {
  triedAt: Date | null;
  /** The last complete backup: its time, file and size. */
  madeAt: Date | null;
  file: string | null;
  bytes: number | null;
  /** Why the last backup failed; null after a success. */
  error: string | null;
};

export async function findLastBackup(db: Db): Promise<LastBackup> {
  const { triedAt, madeAt, file, bytes, error } = await db.lastBackup.findFirstOrThrow();
  return { triedAt, madeAt, file, bytes: bytes === null ? null : Number(bytes), error };
}

export async function noteBackup(
  db: Db,
  result: { madeAt: Date; file: string; bytes: number } | { error: string },
): Promise<void> {
  const data = "error" in result ? result : { ...result, error: null };
  await db.lastBackup.updateMany({ data: { ...data, triedAt: new Date() } });
}
