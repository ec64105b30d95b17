import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../kernel/errors";
import { adminCommand } from "../../kernel/version";
import type { Binaries } from "./binaries";
import type { Place } from "./data-dir";
import { CLEAN_ENV, knownName, runningAsRoot } from "./os-user";
import { findPostmaster } from "./postmaster";
import { APP, urlOf, withClient } from "./sessions";

const MB = 1024 * 1024;
const LOG_ROTATE_BYTES = 10 * MB;
const GIVE_UP_MS = 60_000;
/** PostgreSQL's log line when a process asked it to stop. */
const SHUTDOWN = /received (?:smart|fast|immediate) shutdown request/;
/** PostgreSQL's message about a lock file left by a postmaster: intact, empty or truncated. */
const LOCK_FILE = /lock file ".*" (?:already exists|is empty)|bogus data in lock file/;

export type Cluster = Place & {
  binaries: Binaries;
  /** False only for throwaway clusters: fast, but data is lost when the machine crashes. */
  durable: boolean;
  log: (line: string) => void;
};

/** Creates the cluster's files if there are none. Rejects those of another major version. */
export async function ensureFiles(cluster: Cluster): Promise<void> {
  const { pgdata, binaries, log } = cluster;
  if (!existsSync(join(pgdata, "PG_VERSION"))) {
    if (existsSync(pgdata) && readdirSync(pgdata).length > 0) {
      throw new OperatorError(
        `${pgdata} is not empty and contains no database. Nothing was changed. Set DATA_DIR to another folder, or move it away.`,
      );
    }
    await initdb(cluster);
    return log(`Created a database in ${pgdata}`);
  }
  const made = readFileSync(join(pgdata, "PG_VERSION"), "utf8").trim();
  if (made !== String(binaries.major)) {
    throw new OperatorError(
      `The database in ${pgdata} was made by PostgreSQL ${made}; this Rollcall includes PostgreSQL ${binaries.major}, which ` +
        `can't open it. The data was not changed. With the previous Rollcall run ${adminCommand} backup FILE; with this ` +
        `one set DATA_DIR to a new folder, and run ${adminCommand} restore FILE.`,
    );
  }
}

/**
 * initdb is not atomic. It works in a separate folder, and the rename decides between two simultaneous first starts.
 */
async function initdb({ pgdata, user, binaries, durable }: Cluster): Promise<void> {
  const work = `${pgdata}.new-${randomBytes(6).toString("hex")}`;
  mkdirSync(work, { mode: 0o700 });
  try {
    if (runningAsRoot()) chownSync(work, user.uid, user.gid);
    // The builtin C.UTF-8 sorts and folds the same on every machine and libc. Each start writes the access rules.
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const args = ["-D", join(work, "data"), "-U", "postgres", "--auth=reject", ...locale];
    const child = spawn(join(binaries.bin, "initdb"), durable ? args : [...args, "--no-sync"], {
      ...user.switchTo,
      cwd: "/",
      env: CLEAN_ENV,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
    if (code !== 0) throw explain(pgdata, output, "PostgreSQL could not make its database");
    renameSync(join(work, "data"), pgdata);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error; // those: another first start was quicker
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Whether a connection failed because no PostgreSQL is running. */
export const isDown = (error: unknown) =>
  /^(ENOENT|ECONNREFUSED)$/.test((error as { code?: string }).code ?? "");

/**
 * Whether a connection failed because PostgreSQL is starting or stopping. 57P is "operator intervention"; the others
 * are codes of a closed socket.
 */
export function isGoingAway(error: unknown): boolean {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  // The second is pg’s error for a query on a connection that was already closed.
  const isCut = /^Connection terminated|^Client has encountered a connection error/.test(message);
  return isCut || isDown(error) || /^(57P0.|ECONNRESET|EPIPE)$/.test(code);
}

/**
 * Whether the product's role or database does not exist yet: invalid_catalog_name, invalid_authorization_specification.
 */
export const isNotCreated = (error: unknown) => /^(3D|28)000$/.test((error as { code?: string }).code ?? "");

/**
 * Starts PostgreSQL and waits until it answers, or until a faster process has started it. It runs in its own session,
 * so neither Ctrl-C nor a SIGKILL of this process ends it.
 * @returns its process; undefined when another process was faster
 */
export async function startCluster(cluster: Cluster): Promise<ChildProcess | undefined> {
  const { pgdata } = cluster;
  const giveUpAt = Date.now() + GIVE_UP_MS;
  writeAccess(cluster);
  for (;;) {
    const server = launch(cluster);
    if (await answers(cluster, server.child)) return server.child;
    const output = server.output();
    const again = Date.now() < giveUpAt;
    if (again && SHUTDOWN.test(output)) {
      return undefined; // another server took it for a leftover of a killed server, and stopped it
    } else if (again && output.includes("pre-existing shared memory block")) {
      await sleep(300); // the backends of a killed postmaster end by themselves
    } else if (again && LOCK_FILE.test(output)) {
      if (await isStarting(pgdata)) return undefined;
      // Left by a SIGKILL, with a pid that another process now has.
      for (const file of ["postmaster.pid", ".s.PGSQL.5432.lock"])
        rmSync(join(pgdata, file), { force: true });
    } else {
      throw explain(pgdata, output, `PostgreSQL did not start (more in ${cluster.logFile})`);
    }
  }
}

/** Whether another process is starting PostgreSQL. For a moment its lock file exists without a process id. */
async function isStarting(pgdata: string): Promise<boolean> {
  for (let look = 0; look < 10; look++) {
    if (findPostmaster(pgdata)) return true;
    await sleep(50);
  }
  return false;
}

/**
 * Allows connections only through the socket, and only from PostgreSQL's user, this process's user and root, identified
 * by the kernel.
 */
function writeAccess({ pgdata, user }: Place): void {
  const me = process.getuid?.() ?? user.uid;
  const names = [...new Set([me, user.uid, 0].map(knownName))].filter((name) => name !== undefined);
  const roles = names.flatMap((name) => ["postgres", APP].map((role) => `rollcall "${name}" ${role}\n`));
  const files = { "pg_ident.conf": roles.join(""), "pg_hba.conf": "local all all peer map=rollcall\n" };
  for (const [name, text] of Object.entries(files)) {
    // Replaced atomically, because another process may start PostgreSQL now and must not read half a file.
    const unfinished = join(pgdata, `${name}.${randomBytes(6).toString("hex")}`);
    try {
      writeFileSync(unfinished, text, { mode: 0o600 });
      if (runningAsRoot()) chownSync(unfinished, user.uid, user.gid);
      renameSync(unfinished, join(pgdata, name));
    } finally {
      rmSync(unfinished, { force: true }); // left on a full disk
    }
  }
}

/** @returns the process, and a function that reads its log since the launch */
function launch({ pgdata, logFile, user, binaries, durable }: Cluster) {
  const logSize = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (logSize > LOG_ROTATE_BYTES) renameSync(logFile, `${logFile}.1`);
  const logFd = openSync(logFile, "a", 0o600);
  const from = fstatSync(logFd).size;
  try {
    const child = spawn(join(binaries.bin, "postgres"), ["-D", pgdata, ...settings(durable)], {
      ...user.switchTo,
      cwd: "/",
      env: CLEAN_ENV,
      detached: true,
      stdio: ["ignore", logFd, logFd],
    });
    let problem = "";
    child.on("error", (error) => (problem = error.message)); // then it has no pid, which `answers` sees
    child.unref();
    return { child, output: () => problem + readFileSync(logFile).subarray(from).toString("utf8") };
  } finally {
    closeSync(logFd);
  }
}

/** Waits for the first successful connection; false when the process ended before. */
async function answers({ pgdata, log }: Cluster, child: ChildProcess): Promise<boolean> {
  const began = Date.now();
  let nextLine = began + 10_000;
  while (child.pid && child.exitCode === null && child.signalCode === null) {
    try {
      // Connects as the product's role. The superuser may not be allowed to sign in.
      await withClient(urlOf(pgdata, APP), async () => {});
      return true;
    } catch (error) {
      if (isNotCreated(error)) return true;
      if (!isGoingAway(error)) throw error;
    }
    if (Date.now() > nextLine) {
      const seconds = Math.round((Date.now() - began) / 1000);
      log(`PostgreSQL is still starting (${seconds} s): it recovers after an unclean stop; no data is lost`);
      nextLine += 10_000;
    }
    await sleep(15);
  }
  return false;
}

function settings(durable: boolean): string[] {
  const chosen: Record<string, string> = {
    listen_addresses: "",
    unix_socket_directories: ".", // PostgreSQL works in its data folder
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    logging_collector: "off",
    max_connections: durable ? "100" : "300", // tests run many servers on one cluster
    shared_buffers: durable ? sharedBuffers() : "64MB",
    random_page_cost: "1.1", // hardly a disk that turns is in use
    jit: "off", // it pays off only for long reports, and costs each of our short statements
    ...(durable && { autovacuum_naptime: "10s" }), // a list can make the planner's statistics wrong at once
    ...(!durable && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** An eighth of the available memory, between 128 MB and 1 GB. Node and the page cache need the rest. */
function sharedBuffers(): string {
  const allowed = process.constrainedMemory?.() || totalmem();
  return `${Math.min(1024, Math.max(128, Math.floor(Math.min(allowed, totalmem()) / 8 / MB)))}MB`;
}

function explain(pgdata: string, output: string, what: string): OperatorError {
  if (/No space left on device|Disk quota exceeded|Check free disk space/.test(output)) {
    return new OperatorError(
      `${what}: the disk that holds ${pgdata} is full. Stored data is safe. Free some space.`,
    );
  }
  const last = output.trim().split("\n").slice(-6).join("\n  ");
  return new OperatorError(
    `${what}. The files in ${pgdata} are as they were. It reported:\n  ${last || "nothing"}`,
  );
}
