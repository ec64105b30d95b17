import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../kernel/errors";

/**
 * Fast shutdown rolls back open transactions. Immediate shutdown, for a PostgreSQL that hangs, is as safe as a power
 * cut.
 */
const SIGNALS = [
  ["SIGINT", 30_000],
  ["SIGQUIT", 10_000],
] as const;

/** Returns the pid that PostgreSQL wrote at its start. The file survives a SIGKILL, so it is only a hint. */
export function readPostmasterPid(pgdata: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(pgdata, "postmaster.pid"), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether this process is the cluster's postmaster. If unknown, yes: a rejected start is better than two postmasters.
 */
function isPostmaster(pid: number, pgdata: string): boolean {
  try {
    // PostgreSQL's working directory is its data folder. A zombie has no working directory.
    return existsSync("/proc/self/cwd")
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata)
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

/**
 * Returns the pid of this cluster's running postmaster. After a reboot or in a new container, the pid in its file may
 * belong to any process.
 */
export function findPostmaster(pgdata: string): number | undefined {
  const pid = readPostmasterPid(pgdata);
  return pid && isPostmaster(pid, pgdata) ? pid : undefined;
}

/**
 * Stops PostgreSQL; committed transactions are on disk. Returns when the postmaster has ended. pg_ctl is not used: it
 * waits only for the pid file, which another start may have rewritten.
 */
export async function shutDown(pgdata: string): Promise<void> {
  const pid = findPostmaster(pgdata);
  if (!pid) return;
  for (const [signal, waitMs] of SIGNALS) {
    process.kill(pid, signal);
    for (const giveUpAt = Date.now() + waitMs; Date.now() < giveUpAt; await sleep(10))
      if (!isPostmaster(pid, pgdata)) return;
  }
  throw new OperatorError(
    `PostgreSQL (process ${pid}) did not stop. Stored data is safe. End it with kill -9 ${pid}; the next start ` +
      "repairs the database.",
  );
}
