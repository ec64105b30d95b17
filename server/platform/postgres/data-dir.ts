import { accessSync, chmodSync, constants, existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { OperatorError } from "../../kernel/errors";
import { canEnter, type OsUser, postgresUser, runningAsRoot, userName } from "./os-user";

// A socket's path holds 104 bytes on macOS and 108 on Linux, including the final zero byte.
const LONGEST_SOCKET = 103;

/** Where a cluster's files are. */
export type Place = {
  /** The absolute path of the cluster's folder, with PostgreSQL's data and socket. */
  pgdata: string;
  logFile: string;
  user: OsUser;
};

/**
 * Creates DATA_DIR if it is absent, accessible to us only. Root also lets others pass through (not list), because
 * PostgreSQL then runs as another user. @throws OperatorError when it can't be created or written
 */
export function ensureDataDir(dataDir: string): void {
  try {
    if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, runningAsRoot() ? 0o711 : 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainFileError(dataDir, error);
  }
}

/** Returns the cluster's place for this DATA_DIR. The first start creates it. */
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
  const user = postgresUser(pgdata); // checked first, because another user's cluster is not even readable
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

/** Turns a file system error into a sentence with a solution. Other errors are returned unchanged. */
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
  // mkdir -p reports ENOENT for a read-only file system.
  const sentence = sentences[code === "ENOENT" && syscall === "mkdir" ? "EROFS" : code];
  return sentence ? new OperatorError(sentence) : error;
}
