import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { OperatorError } from "../../kernel/operator-error";

/** Who PostgreSQL runs as. `switchTo` is what `spawn` needs for that: empty unless we are root. */
export type OsUser = { uid: number; gid: number; switchTo: { uid?: number; gid?: number } };

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
 * The user that PostgreSQL runs as for data at `pgdata` (which need not exist yet): this process's own; as root the
 * owner of the data, else `postgres`, else `nobody`, because PostgreSQL does not run as root.
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
    if (knownName(uid) === undefined) throw nameless(uid);
    return { uid, gid: process.getgid?.() ?? -1, switchTo: {} };
  }
  // Root is the owner when it copied a backup into place: that is fixed when the cluster starts.
  if (owner && owner.uid !== 0) {
    if (knownName(owner.uid) === undefined) throw nameless(owner.uid);
    return asUser(owner.uid, owner.gid);
  }
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [id("-u", name), id("-g", name)];
    if (uid && gid) return asUser(Number(uid), Number(gid));
  }
  throw new OperatorError(
    "PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody to run it as. " +
      "Start Rollcall as an ordinary user, add one (useradd --system postgres), or set DATABASE_URL.",
  );
}

/** PostgreSQL looks up the names of its users. */
const nameless = (uid: number) =>
  new OperatorError(
    `User ${uid} has no name on this machine, and PostgreSQL needs one. Nothing was changed. Start as a user with a line in ` +
      "/etc/passwd, add one for this user, or set DATABASE_URL to a PostgreSQL of your own.",
  );

const asUser = (uid: number, gid: number): OsUser => ({ uid, gid, switchTo: { uid, gid } });

/** Whether that user can go into `folder` and, when one is named, run `program` there. */
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

/** The name PostgreSQL finds for a user; undefined where there is none, as for a number that a container was given. */
export function knownName(uid: number): string | undefined {
  const { stdout } = spawnSync("id", ["-un", String(uid)], { encoding: "utf8", env: CLEAN_ENV });
  // Another shape could mean something else in pg_ident.conf, even quoted.
  return /^([^"\n/][^"\n]*)\n$/.exec(stdout ?? "")?.[1];
}

export const userName = (uid: number): string => knownName(uid) ?? `uid ${uid}`;

function id(flag: string, user: string): string {
  return spawnSync("id", [flag, user], { encoding: "utf8" }).stdout.trim();
}
