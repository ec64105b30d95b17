import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../operator-error";
import { SHARED_HOME } from "./binaries";
import { canEnter, type OsUser, postgresUser, runningAsRoot, userName } from "./os-user";

/** What DATA_DIR/postgres.json (mode 0600) remembers between starts. */
interface Memory {
  /** The port of the last start; 0 before the first. */
  port: number;
  superPassword: string;
  appPassword: string;
  /** False until the first start got through: only then may missing files mean "make new ones". */
  initialised: boolean;
}

export interface Place {
  dataDir: string;
  /** The cluster's folder, absolute. */
  pgdata: string;
  logFile: string;
  user: OsUser;
  memory: Memory;
  remember(change: Partial<Memory>): void;
}

/**
 * Makes DATA_DIR when it is absent: ours alone, except that root lets others pass through (not list), since
 * PostgreSQL runs as another user then. Throws OperatorError when it can't be made or written.
 */
export function ensureDataDir(dataDir: string): void {
  explainingRejection(dataDir, () => {
    if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, runningAsRoot() ? 0o711 : 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  });
}

/** The cluster's place for this DATA_DIR: the remembered one, else chosen now and remembered. */
export function findPlace(dataDir: string, log: (line: string) => void): Place {
  const folder = resolve(dataDir);
  ensureDataDir(folder);
  return explainingRejection(folder, () => {
    const file = join(folder, "postgres.json");
    const pgdata = findCluster(folder, log);
    const user = postgresUser(pgdata); // first: another user's cluster can't even be looked into
    const memory = existsSync(file) ? read(file) : createOnce(file, newMemory());
    if (memory.initialised && !existsSync(join(pgdata, "PG_VERSION"))) {
      throw new OperatorError(
        `The database's files are missing: ${pgdata} is empty or gone. Nothing was changed. Is a ` +
          `disk not mounted? Put them back; or, to start with an empty database, delete ${file}.`,
      );
    }
    return {
      dataDir: folder,
      pgdata,
      logFile: join(folder, "postgres.log"),
      user,
      memory,
      remember(change) {
        Object.assign(memory, change);
        write(file, memory, renameSync);
      },
    };
  });
}

/** DATA_DIR/postgres; or, when PostgreSQL's user can't get there, a folder that this links to. */
function findCluster(dataDir: string, log: (line: string) => void): string {
  const inside = join(dataDir, "postgres");
  const link = lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink();
  if (link) return resolve(dataDir, readlinkSync(inside));
  if (!runningAsRoot()) return inside;
  const user = postgresUser(inside);
  if (canEnter(user, dataDir)) return inside;
  if (existsSync(inside)) {
    throw new OperatorError(
      `The database in ${inside} can't be reached by the user it runs as (${userName(user.uid)}), who can't enter ` +
        `${dataDir}. The data are untouched. Move ${dataDir} to where others can pass through, for instance ` +
        `/srv/rollcall, and set DATA_DIR to it.`,
    );
  }
  const home = join(SHARED_HOME, `data-${randomBytes(6).toString("hex")}`);
  try {
    // An earlier DATA_DIR of this path may be gone while its data remain: never reused unasked, never deleted.
    for (const old of earlierHomes(dataDir))
      log(`${old} holds data of an earlier ${dataDir}; delete it if unwanted`);
    if (mkdirSync(SHARED_HOME, { recursive: true })) chmodSync(SHARED_HOME, 0o755);
    mkdirSync(home);
    chmodSync(home, 0o711);
    writeFileSync(join(home, "made-for"), dataDir);
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL can't run as root, the user it would run as (${userName(user.uid)}) can't enter ` +
        `${dataDir}, and ${home} could not be made (${(error as Error).message}). Set DATA_DIR to a folder ` +
        `that others can pass through, for instance /srv/rollcall, or start as an ordinary user.`,
    );
  }
  try {
    symlinkSync(join(home, "postgres"), inside);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return resolve(dataDir, readlinkSync(inside)); // another first start was quicker
  }
  log(`PostgreSQL's user can't enter ${dataDir}: the database's files are in ${home}`);
  return join(home, "postgres");
}

function earlierHomes(dataDir: string): string[] {
  if (!existsSync(SHARED_HOME)) return [];
  return readdirSync(SHARED_HOME)
    .map((name) => join(SHARED_HOME, name))
    .filter((home) => {
      const sign = join(home, "made-for");
      return existsSync(sign) && readFileSync(sign, "utf8") === dataDir;
    });
}

function newMemory(): Memory {
  const secret = () => randomBytes(24).toString("base64url");
  return { port: 0, superPassword: secret(), appPassword: secret(), initialised: false };
}

/** Two first starts at once must agree on one set of passwords: the first to link the file wins. */
function createOnce(file: string, memory: Memory): Memory {
  try {
    write(file, memory, (from, to) => {
      linkSync(from, to);
      rmSync(from);
    });
    return memory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return read(file);
  }
}

function write(file: string, memory: Memory, place: (from: string, to: string) => void): void {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600 });
    giveToFolderOwner(draft);
    place(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

function read(file: string): Memory {
  const text = readFileSync(file, "utf8");
  try {
    return JSON.parse(text) as Memory;
  } catch {
    throw new OperatorError(
      `${file} is damaged (not JSON). The data themselves are untouched. Move the file away and start again: ` +
        `new passwords will be set.`,
    );
  }
}

/** Root starting it once must not lock out the user whose folder it is. */
export function giveToFolderOwner(file: string): void {
  if (!runningAsRoot()) return;
  const owner = statSync(dirname(file));
  chownSync(file, owner.uid, owner.gid);
}

function explainingRejection<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainRejection(folder, error);
  }
}

/** What a file system rejected, as a sentence with a way out; any other error as it is. */
export function explainRejection(folder: string, error: unknown): unknown {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const where = path ?? folder;
  if (code === "EACCES" || code === "EPERM") {
    const me = userName(process.getuid?.() ?? -1);
    return new OperatorError(
      `${where} can't be used by ${me}: permission denied. Nothing was changed. Set DATA_DIR to a folder of ` +
        `your own, or hand this one over: sudo chown -R ${me} ${folder}`,
    );
  }
  // mkdir -p says ENOENT where it means a read-only file system.
  if (code === "EROFS" || (code === "ENOENT" && syscall === "mkdir")) {
    return new OperatorError(
      `${where} can't be made or written: is the file system read-only? Set DATA_DIR to a folder that can be written.`,
    );
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new OperatorError(
      `The disk that holds ${folder} is full. What was saved is safe. Free some space and start again.`,
    );
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new OperatorError(`${where} should be a folder and is a file. Set DATA_DIR to another path.`);
  }
  return error;
}
