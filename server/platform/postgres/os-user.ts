import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { OperatorError } from "../../kernel/errors";

/** The OS user that runs PostgreSQL. `switchTo` has the options of `spawn` for it; empty unless we are root. */
export type OsUser = { uid: number; gid: number; switchTo: { uid?: number; gid?: number } };

/** The environment of all PostgreSQL programs, without our secrets and the shell's PG* variables. */
const CLEAN_VARIABLES: Record<string, string> = {
  PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};
export const CLEAN_ENV = CLEAN_VARIABLES as NodeJS.ProcessEnv; // Next makes NODE_ENV required in that type

export function runningAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the user that runs PostgreSQL for the data at `pgdata`, which need not exist yet. This is the process's own
 * user. For root it is the data's owner, else `postgres`, else `nobody`, because PostgreSQL refuses to run as root.
 */
export function postgresUser(pgdata: string): OsUser {
  const owner = statSync(pgdata, { throwIfNoEntry: false });
  if (!runningAsRoot()) {
    const uid = process.getuid?.() ?? -1;
    if (owner && owner.uid !== uid) {
      throw new OperatorError(
        `The database in ${pgdata} belongs to another user of this machine (${userName(owner.uid)}), and PostgreSQL ` +
          `only opens data of the user it runs as. The data was not changed. Start Rollcall as root or as ` +
          `that user; or, while it is stopped, change the owner: sudo chown -R ${userName(uid)} ${pgdata}`,
      );
    }
    return { uid, gid: process.getgid?.() ?? -1, switchTo: {} };
  }
  if (owner && owner.uid !== 0) return asUser(owner.uid, owner.gid);
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [id("-u", name), id("-g", name)];
    if (uid && gid) return asUser(Number(uid), Number(gid));
  }
  throw new OperatorError(
    "PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody to run it as. " +
      "Start Rollcall as an ordinary user, add one (useradd --system postgres), or set DATABASE_URL.",
  );
}

const asUser = (uid: number, gid: number): OsUser => ({ uid, gid, switchTo: { uid, gid } });

/** Whether that user can enter `folder` and run `program` there, if given. */
export function canEnter(user: OsUser, folder: string, program = folder): boolean {
  const script = 'cd -- "$1" && test -x "$2"';
  const options = { ...user.switchTo, cwd: "/", env: CLEAN_ENV, stdio: "ignore" } as const;
  const tried = spawnSync("/bin/sh", ["-c", script, "sh", folder, program], options);
  if ((tried.error as NodeJS.ErrnoException | undefined)?.code === "EPERM") {
    throw new OperatorError(
      "PostgreSQL does not run as root, and this container or machine doesn't let root become another user. " +
        "Start Rollcall as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  return tried.status === 0;
}

/** Returns a user's name as PostgreSQL finds it; undefined without one, as for a bare user id in a container. */
export function knownName(uid: number): string | undefined {
  const { stdout } = spawnSync("id", ["-un", String(uid)], { encoding: "utf8", env: CLEAN_ENV });
  // Other characters could have a meaning in pg_ident.conf, even in quotes.
  return /^([^"\n/][^"\n]*)\n$/.exec(stdout ?? "")?.[1];
}

export const userName = (uid: number): string => knownName(uid) ?? `uid ${uid}`;

function id(flag: string, user: string): string {
  return spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim();
}
