// Embedded PostgreSQL: the binaries, the place of the data, one cluster. Imports no other part of server/
// but operator-error and project-root.
import { spawnSync } from "node:child_process";
import { type Stats, statSync } from "node:fs";
import { OperatorError } from "../operator-error";

/** Who PostgreSQL runs as. `switchTo` is what `spawn` needs for that: empty unless we are root. */
export interface OsUser {
  uid: number;
  gid: number;
  switchTo: { uid?: number; gid?: number };
}

/** The environment of every PostgreSQL program: none of our secrets, no PG* variable of the shell. */
const CLEAN_VARIABLES: Record<string, string> = {
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};
export const CLEAN_ENV = CLEAN_VARIABLES as NodeJS.ProcessEnv; // Next makes NODE_ENV obligatory in that type

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whom PostgreSQL should run as for data at `pgdata` (which need not exist yet): ourselves; as root the
 * owner of the data, else the user `postgres`, else `nobody`, because PostgreSQL rejects to run as root.
 */
export function postgresUser(pgdata: string): OsUser {
  const owner = statOrUndefined(pgdata);
  if (!runningAsRoot()) {
    const uid = process.getuid?.() ?? -1;
    if (owner && owner.uid !== uid) {
      throw new OperatorError(
        `The database in ${pgdata} belongs to another user of this machine (${userName(owner.uid)}), and PostgreSQL ` +
          `only opens data of the user it runs as. The data are untouched. Start Rollcall as root or as ` +
          `that user; or, while it is stopped, hand them over: sudo chown -R ${userName(uid)} ${pgdata}`,
      );
    }
    return { uid, gid: process.getgid?.() ?? -1, switchTo: {} };
  }
  // Owned by root happens when root copies a backup into place: that is fixed when the cluster starts.
  if (owner && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, switchTo: { uid: owner.uid, gid: owner.gid } };
  }
  for (const name of ["postgres", "nobody"]) {
    const uid = idOf("-u", name);
    const gid = idOf("-g", name);
    if (uid && gid) return { uid, gid, switchTo: { uid, gid } };
  }
  throw new OperatorError(
    "PostgreSQL rejects to run as root, and this machine has neither a user postgres nor nobody to run it as. " +
      "Start Rollcall as an ordinary user, add one (useradd --system postgres), or set DATABASE_URL.",
  );
}

/** Whether that user can go into `folder` and, when asked, run `program` there. */
export function canEnter(user: OsUser, folder: string, program?: string): boolean {
  const script = program ? 'cd -- "$1" && test -x "$2" && test -r "$2"' : 'cd -- "$1"';
  const args = ["-c", script, "sh", folder, ...(program ? [program] : [])];
  const tried = spawnSync("/bin/sh", args, { ...user.switchTo, cwd: "/", env: CLEAN_ENV, stdio: "ignore" });
  if ((tried.error as NodeJS.ErrnoException | undefined)?.code === "EPERM") {
    throw new OperatorError(
      "PostgreSQL rejects to run as root, and this container or machine doesn't let root become another user. " +
        "Start Rollcall as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  return tried.status === 0;
}

export function userName(uid: number): string {
  const asked = spawnSync("id", ["-un", String(uid)], { encoding: "utf8" });
  return asked.status === 0 ? asked.stdout.trim() : `uid ${uid}`;
}

function idOf(flag: "-u" | "-g", name: string): number | undefined {
  const asked = spawnSync("id", [flag, name], { encoding: "utf8" });
  return asked.status === 0 ? Number(asked.stdout) : undefined;
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
