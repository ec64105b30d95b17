import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../../kernel/operator-error";
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
export function findPlace(dataDir: string): Place {
  const folder = resolve(dataDir);
  ensureDataDir(folder);
  const pgdata = join(folder, "postgres");
  const logFile = join(folder, "postgres.log");
  if (Buffer.byteLength(join(pgdata, ".s.PGSQL.5432")) > LONGEST_SOCKET) {
    throw new OperatorError(
      `The path ${folder} is too long for PostgreSQL's socket. Set DATA_DIR to a shorter one (up to 80 characters).`,
    );
  }
  const user = postgresUser(pgdata); // first: another user's cluster can't even be looked into
  if (runningAsRoot() && !canEnter(user, folder))
    throw new OperatorError(
      `PostgreSQL can't run as root, and the user it would run as (${userName(user.uid)}) can't enter ${folder}. Nothing was ` +
        "changed. Set DATA_DIR to a folder that others can enter, such as /srv/rollcall, or start as an ordinary user.",
    );
  if (existsSync(logFile) && !existsSync(join(pgdata, "PG_VERSION"))) {
    throw new OperatorError(
      `The database's files are missing: ${pgdata} is empty or gone. Nothing was changed. Is a ` +
        `disk not mounted? Put them back; or, to start with an empty database, delete ${logFile}.`,
    );
  }
  return { pgdata, logFile, user };
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
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const where = path ?? folder;
  const me = userName(process.getuid?.() ?? -1);
  const denied =
    `${where} can't be used by ${me}: permission denied. Nothing was changed. Set DATA_DIR to a folder of your own, or ` +
    `change its owner: sudo chown -R ${me} ${folder}`;
  const readOnly = `${where} can't be created or written: is the file system read-only? Set DATA_DIR to a folder that can be written.`;
  const full = `The disk that holds ${folder} is full. Stored data is safe. Free some space and start again.`;
  const aFile = `${where} should be a folder and is a file. Set DATA_DIR to another path.`;
  const sentences: Record<string, string> = {
    ...{ EACCES: denied, EPERM: denied, EROFS: readOnly },
    ...{ ENOSPC: full, EDQUOT: full, ENOTDIR: aFile, EEXIST: aFile },
  };
  // mkdir -p says ENOENT where it means a read-only file system.
  const sentence = sentences[code === "ENOENT" && syscall === "mkdir" ? "EROFS" : code];
  return sentence ? new OperatorError(sentence) : error;
}
