import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../operator-error";
import { makeSharedHome, SHARED_HOME } from "./binaries";
import { canEnter, type OsUser, postgresUser, runningAsRoot, userName } from "./os-user";

// A socket's address holds 104 bytes on macOS and 108 on Linux, with the zero at its end.
const LONGEST_SOCKET = 103;

/** A cluster's files. */
export type Place = {
  /** The cluster's folder, absolute: PostgreSQL's data, and its socket. */
  pgdata: string;
  logFile: string;
  user: OsUser;
};

/**
 * Makes DATA_DIR when it is absent: ours alone, except that root lets others pass through (not list), since
 * PostgreSQL runs as another user then. Throws OperatorError when it can't be made or written.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, runningAsRoot() ? 0o711 : 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainFileError(dataDir, error);
  }
}

/** The cluster's place for this DATA_DIR, made on the first start. */
export function findPlace(dataDir: string, log: (line: string) => void): Place {
  const folder = resolve(dataDir);
  ensureDataDir(folder);
  const pgdata = findCluster(folder, log);
  const logFile = join(folder, "postgres.log");
  if (Buffer.byteLength(join(pgdata, ".s.PGSQL.5432")) > LONGEST_SOCKET) {
    throw new OperatorError(
      `The path ${folder} is too long for PostgreSQL's socket. Set DATA_DIR to a shorter one (up to 80 characters).`,
    );
  }
  const user = postgresUser(pgdata); // first: another user's cluster can't even be looked into
  if (existsSync(logFile) && !existsSync(join(pgdata, "PG_VERSION"))) {
    throw new OperatorError(
      `The database's files are missing: ${pgdata} is empty or gone. Nothing was changed. Is a ` +
        `disk not mounted? Put them back; or, to start with an empty database, delete ${logFile}.`,
    );
  }
  return { pgdata, logFile, user };
}

/** DATA_DIR/postgres; or, when PostgreSQL's user can't get there, a folder in /var/lib/rollcall that this links to. */
function findCluster(dataDir: string, log: (line: string) => void): string {
  const inside = join(dataDir, "postgres");
  if (lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) return readlinkSync(inside);
  if (!runningAsRoot()) return inside;
  const user = postgresUser(inside);
  if (canEnter(user, dataDir)) return inside;
  const advice = `Set DATA_DIR to a folder that others can pass through, for instance /srv/rollcall, or start as an ordinary user.`;
  const cause = `PostgreSQL can't run as root, and the user it would run as (${userName(user.uid)}) can't enter ${dataDir}`;
  if (existsSync(inside)) {
    throw new OperatorError(`${cause}. The data there are untouched. Move that folder. ${advice}`);
  }
  const home = join(SHARED_HOME, `data-${randomBytes(6).toString("hex")}`);
  try {
    makeSharedHome();
    mkdirSync(home);
    chmodSync(home, 0o711);
    symlinkSync(join(home, "postgres"), inside);
  } catch (error) {
    throw new OperatorError(
      `${cause}, and ${home} could not be made (${(error as Error).message}). ${advice}`,
    );
  }
  log(`PostgreSQL's user can't enter ${dataDir}: the database's files are in ${home}`);
  return join(home, "postgres");
}

/** Root starting it once must not lock out the user who owns the folder. */
export function giveToFolderOwner(file: string): void {
  if (!runningAsRoot()) return;
  const owner = statSync(dirname(file));
  chownSync(file, owner.uid, owner.gid);
}

/** Writes down which files a folder has; what is in them was flushed before. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What a file system reported, as a sentence with a way out; any other error as it is. */
export function explainFileError(folder: string, error: unknown): unknown {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const where = path ?? folder;
  // mkdir -p says ENOENT where it means a read-only file system.
  switch (code === "ENOENT" && syscall === "mkdir" ? "EROFS" : code) {
    case "EACCES":
    case "EPERM": {
      const me = userName(process.getuid?.() ?? -1);
      return new OperatorError(
        `${where} can't be used by ${me}: permission denied. Nothing was changed. Set DATA_DIR to a folder of ` +
          `your own, or hand this one over: sudo chown -R ${me} ${folder}`,
      );
    }
    case "EROFS":
      return new OperatorError(
        `${where} can't be made or written: is the file system read-only? Set DATA_DIR to a folder that can be written.`,
      );
    case "ENOSPC":
    case "EDQUOT":
      return new OperatorError(
        `The disk that holds ${folder} is full. What was saved is safe. Free some space and start again.`,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new OperatorError(`${where} should be a folder and is a file. Set DATA_DIR to another path.`);
    default:
      return error;
  }
}
