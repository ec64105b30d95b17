import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../operator-error";

const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/** The pid that PostgreSQL noted when it started. The file outlives SIGKILL, so it is a hint and never a proof. */
export function readPostmasterPid(pgdata: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(pgdata, "postmaster.pid"), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process has this pid, ours or not. A zombie, which only waits to be reaped, has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true; // no /proc here
  }
}

/**
 * The pid of this cluster's postmaster while it runs: after a reboot or in a new container the pid in its file may be
 * any process's. In doubt yes: better a start that is rejected than two postmasters.
 */
export function findPostmaster(pgdata: string): number | undefined {
  const pid = readPostmasterPid(pgdata);
  if (!pid || !isAlive(pid)) return undefined;
  try {
    // PostgreSQL works in its data folder; unlike the command line that stays right when the folder moves.
    const its = existsSync("/proc/self/cwd")
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata)
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
    return its ? pid : undefined;
  } catch {
    return isAlive(pid) ? pid : undefined;
  }
}

/**
 * Fast shutdown: open transactions are rolled back, committed ones are on disk. Returns when the
 * postmaster is gone. If it hangs, an immediate shutdown follows, which is as safe as a power cut.
 */
export async function shutDown(pgdata: string): Promise<void> {
  const pid = findPostmaster(pgdata);
  if (!pid) return;
  process.kill(pid, "SIGINT");
  if (await gone(pid, FAST_SHUTDOWN_MS)) return;
  process.kill(pid, "SIGQUIT");
  if (await gone(pid, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new OperatorError(
    `PostgreSQL (process ${pid}) did not stop within ${FAST_SHUTDOWN_MS / 1000} s. Stored data is safe. ` +
      `End it with kill -9 ${pid}; the next start repairs the database.`,
  );
}

async function gone(pid: number, timeoutMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  while (Date.now() < giveUpAt) {
    if (!isAlive(pid)) return true;
    await sleep(10);
  }
  return false;
}
