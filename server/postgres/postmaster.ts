import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { OperatorError } from "../operator-error";
import { findBinaries } from "./binaries";
import { CLEAN_ENV, postgresUser } from "./os-user";

/** Fast: open transactions are rolled back. Immediate: as safe as a power cut, for one that hangs. */
const MODES = [
  ["fast", "30"],
  ["immediate", "10"],
];

/** The pid that PostgreSQL noted when it started. The file outlives SIGKILL, so it is a hint and never a proof. */
export function readPostmasterPid(pgdata: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(pgdata, "postmaster.pid"), "utf8"), 10) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The pid of this cluster's postmaster while it runs: after a reboot or in a new container the pid in its file may be
 * any process's. In doubt yes: better a start that is rejected than two postmasters.
 */
export function findPostmaster(pgdata: string): number | undefined {
  const pid = readPostmasterPid(pgdata);
  if (!pid) return undefined;
  try {
    // PostgreSQL works in its data folder. A zombie, which only waits to be reaped, works nowhere.
    const its = existsSync("/proc/self/cwd")
      ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata)
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes("postgres");
    return its ? pid : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? pid : undefined;
  }
}

/** Stops PostgreSQL; committed transactions are on disk. Returns when the postmaster is gone. */
export async function shutDown(pgdata: string): Promise<void> {
  if (!findPostmaster(pgdata)) return;
  const user = postgresUser(pgdata);
  const { bin } = findBinaries(user);
  for (const [mode, seconds] of MODES) {
    const args = ["stop", "--silent", "-D", pgdata, "-m", mode as string, "-t", seconds as string];
    const options = { ...user.switchTo, cwd: "/", env: CLEAN_ENV };
    await promisify(execFile)(join(bin, "pg_ctl"), args, options).catch(() => {});
    if (!findPostmaster(pgdata)) return;
  }
  throw new OperatorError(
    `PostgreSQL (process ${readPostmasterPid(pgdata)}) did not stop. Stored data is safe. End it with kill -9; the next start ` +
      "repairs the database.",
  );
}
