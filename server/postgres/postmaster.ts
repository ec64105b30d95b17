import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../operator-error";

const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

export interface PidFile {
  pid: number;
  port: number;
}

/** What PostgreSQL noted when it started. It outlives SIGKILL, so it is a hint and never a proof. */
export function readPidFile(pgdata: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(pgdata, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, port: Number(lines[3]) || 0 } : undefined;
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
 * Whether the pid in this cluster's pid file is really its postmaster: after a reboot or in a new
 * container it may be any process's. In doubt yes: better a rejected start than two postmasters.
 */
export function isPostmaster(pid: number, pgdata: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    // PostgreSQL works in its data folder; unlike the command line that stays right when the folder moves.
    if (existsSync("/proc/self/cwd")) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata);
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(
      "postgres",
    );
  } catch {
    return isAlive(pid);
  }
}

/**
 * Fast shutdown: open transactions are rolled back, committed ones are on disk. Returns when the
 * postmaster is gone. If it hangs, an immediate shutdown follows, which is as safe as a power cut.
 */
export async function shutDown(pgdata: string): Promise<void> {
  const file = readPidFile(pgdata);
  if (!file || !isPostmaster(file.pid, pgdata)) return;
  process.kill(file.pid, "SIGINT");
  if (await gone(file.pid, FAST_SHUTDOWN_MS)) return;
  process.kill(file.pid, "SIGQUIT");
  if (await gone(file.pid, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new OperatorError(
    `PostgreSQL (process ${file.pid}) did not stop within ${FAST_SHUTDOWN_MS / 1000} s. What was saved is safe. ` +
      `End it with kill -9 ${file.pid}; the next start repairs what is left.`,
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
