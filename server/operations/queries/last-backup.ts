import type { Db } from "../../platform/db/client";

/** How scheduled backups go, in all processes. */
export type LastBackup = {
  triedAt: Date | null;
  /** When the last whole one was made, where, and how large it is. */
  madeAt: Date | null;
  file: string | null;
  bytes: number | null;
  /** Why the last try came to nothing; null when it worked. */
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
