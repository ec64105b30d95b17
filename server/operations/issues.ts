import { statfs } from "node:fs/promises";
import { diskFull } from "../kernel/errors";
import { within } from "../kernel/time";
import type { ReadMailService } from "../mail/delivery/provider";
import { findSendBacklog, findSendPause } from "../mail/shared-queries";
import type { Db } from "../platform/db/client";
import { ignoredProxyIssue } from "../platform/limits/caller-address";
import { readBackupState } from "./backup/scheduled";

async function freeDisk(folder: string) {
  const found = await statfs(folder).catch(() => null);
  if (!found) return null;
  const mb = (blocks: number) => Math.round((blocks * found.bsize) / 2 ** 20);
  return { freeMb: mb(found.bavail), totalMb: mb(found.blocks) };
}

const LOW_DISK_MB = 256;
const DISK_FULL_MS = 60_000;

/** Lists the problems that need the operator's attention, as sentences. */
function issuesOf(
  config: Settings,
  free: Awaited<ReturnType<typeof freeDisk>>,
  { backlog, pause, backup }: Partial<Stored>,
): string[] {
  const issues: string[] = [];
  if (diskFull.at !== null && Date.now() - diskFull.at < DISK_FULL_MS)
    issues.push(
      "The database's disk is full: writes are answered with 503. Free some space. Stored data is safe.",
    );
  if (free && free.freeMb < LOW_DISK_MB)
    issues.push(
      `The disk of DATA_DIR has ${free.freeMb} MB left of ${free.totalMb}. Free some space before it is full.`,
    );
  if (pause)
    issues.push(
      `Sending has been paused since ${pause.at.toISOString()}. Run \`mails resume\` to resume it.`,
    );
  if (backup?.issue) issues.push(`The last backup failed: ${backup.issue}`);
  const proxy = ignoredProxyIssue(config);
  if (proxy) issues.push(proxy);
  if (backlog && backlog.overdueSends > 0 && !pause)
    issues.push(
      `${backlog.overdueSends} sends are more than five minutes overdue, and no process works on them.`,
    );
  return issues;
}

type Settings = Parameters<typeof ignoredProxyIssue>[0] & {
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
  BACKUP_DIR?: string | undefined;
};

/** The time limit for reading stored state. Values that arrive later are null. */
const PATIENCE_MS = 1_000;

type Sources = { db: Db; config: Settings; mailService: ReadMailService };

async function readStored({ db, config, mailService }: Sources) {
  const [backlog, pause, backup, { transport }] = await Promise.all([
    findSendBacklog(db),
    findSendPause(db),
    readBackupState(db, config),
    mailService(),
  ]);
  // log: without a mail service, emails are only stored and logged.
  return { backlog, pause, backup, mode: transport?.kind ?? ("log" as const) };
}
type Stored = Awaited<ReturnType<typeof readStored>>;

/** Lists the problems that need the operator's attention, with the state that shows them. */
export async function findIssues(sources: Sources) {
  const { config } = sources;
  const stored: Partial<Stored> = await within(PATIENCE_MS, readStored(sources)).catch(() => ({}));
  const disk = config.DATABASE_URL ? null : await freeDisk(config.DATA_DIR);
  const { backlog = null, pause = null, backup = null, mode = null } = stored;
  return { issues: issuesOf(config, disk, stored), disk, backlog, pause, backup, mode };
}
