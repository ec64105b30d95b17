import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/client";
import { findSendBacklog, type SendBacklog } from "../db/mail-batches";
import { diskFull } from "../errors";

type FreeDisk = { freeMb: number; totalMb: number };

async function freeDisk(folder: string): Promise<FreeDisk | null> {
  const found = await statfs(folder).catch(() => null);
  if (!found) return null;
  const mb = (blocks: number) => Math.round((blocks * found.bsize) / 2 ** 20);
  return { freeMb: mb(found.bavail), totalMb: mb(found.blocks) };
}

const LOW_DISK_MB = 256;
const DISK_FULL_MS = 60_000;

/** What an operator has to look at, in sentences. */
function issuesOf(free: FreeDisk | null, backlog: SendBacklog | null): string[] {
  const issues: string[] = [];
  if (diskFull.at !== null && Date.now() - diskFull.at < DISK_FULL_MS)
    issues.push(
      "The database's disk is full: what would write is answered 503. Free space; nothing saved is lost.",
    );
  if (free && free.freeMb < LOW_DISK_MB)
    issues.push(
      `The disk of DATA_DIR has ${free.freeMb} MB left of ${free.totalMb}. Free space before it is full.`,
    );
  if (backlog && backlog.overdueSends > 0)
    issues.push(
      `${backlog.overdueSends} sends have been due for over five minutes, and no process takes them up.`,
    );
  if (backlog && backlog.strandedSends > 0)
    issues.push(
      `${backlog.strandedSends} sends wait for a time far ahead: the clock was set back. They leave within a minute.`,
    );
  return issues;
}

/** The backlog may take so long; what is not known by then is null. */
const PATIENCE_MS = 1_000;

/**
 * What an operator has to look at while requests are answered, and what it was seen by.
 * @param dataDir of our own PostgreSQL; null with another
 */
export async function findIssues(db: Db, dataDir: string | null) {
  const late = sleep(PATIENCE_MS, null, { ref: false });
  const backlog = await Promise.race([findSendBacklog(db).catch(() => null), late]);
  const disk = dataDir === null ? null : await freeDisk(dataDir);
  return { issues: issuesOf(disk, backlog), disk, backlog };
}
