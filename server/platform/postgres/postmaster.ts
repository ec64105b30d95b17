import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../kernel/operator-error";

/** Fast shutdown: open transactions are rolled back. Immediate: as safe as a power cut, for one that hangs. */
const SIGNALS = [
  ["SIGINT", 30_000],
  ["SIGQUIT", 10_000],
] as const;

/** The pid that PostgreSQL noted when it started. The file outlives SIGKILL, so it is a hint and never a proof. */
export function readPostmasterPid(pgdata: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(pgdata, "postmaster.pid"), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** Whether this process is the cluster's postmaster. In doubt yes: better a start that is rejected than two postmasters. */
function isPostmaster(pid: number, pgdata: string): boolean {
  try {
    // PostgreSQL works in its data folder. A zombie, which only waits to be reaped, works nowhere.
    return existsSync("/proc/self/cwd")
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata)
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

/** The pid of this cluster's postmaster while it runs: after a reboot or in a new container the pid in its file may be any process's. */
export function findPostmaster(pgdata: string): number | undefined {
  const pid = readPostmasterPid(pgdata);
  return pid && isPostmaster(pid, pgdata) ? pid : undefined;
}

/**
 * Stops PostgreSQL; committed transactions are on disk. Returns when the postmaster is gone. Not by pg_ctl, which waits for the
 * pid file alone: another start may have written the next one.
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
