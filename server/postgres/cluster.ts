import { type ChildProcess, execFileSync, spawn } from "node:child_process";
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
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../operator-error";
import type { Binaries } from "./binaries";
import { CLEAN_ENV, runningAsRoot } from "./os-user";
import { giveToFolderOwner, type Place } from "./place";
import { isAlive, isPostmaster, readPidFile } from "./postmaster";
import { probe } from "./probe";
import { pickPort, settings } from "./settings";

const LOG_ROTATE_BYTES = 10 * 1024 * 1024;

/** Makes the cluster's files when there are none; rejects those of another major version. */
export async function ensureFiles(
  place: Place,
  binaries: Binaries,
  durable: boolean,
): Promise<"made" | "found"> {
  const { pgdata, user } = place;
  if (!existsSync(join(pgdata, "PG_VERSION"))) {
    if (existsSync(pgdata) && readdirSync(pgdata).length > 0) {
      throw new OperatorError(
        `${pgdata} is not empty and holds no database. Nothing was changed. Set DATA_DIR to another folder, or move it away.`,
      );
    }
    await initdb(place, binaries, durable);
    return "made";
  }
  const made = readFileSync(join(pgdata, "PG_VERSION"), "utf8").trim();
  if (made !== String(binaries.major)) {
    throw new OperatorError(
      `The database in ${pgdata} was made by PostgreSQL ${made}; this Rollcall brings PostgreSQL ${binaries.major}, which ` +
        `can't open it. The data are untouched. Start the Rollcall that made them, save them with pg_dump, and ` +
        `load them into an empty DATA_DIR of this one.`,
    );
  }
  // Root copied a backup into place: PostgreSQL opens only what its own user owns.
  if (runningAsRoot() && statSync(pgdata).uid === 0) {
    execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, pgdata]);
  }
  return "found";
}

/** initdb is not atomic: it works in a folder beside, and the rename decides between two first starts. */
async function initdb(place: Place, binaries: Binaries, durable: boolean): Promise<void> {
  const { pgdata, user, memory } = place;
  const beside = dirname(pgdata);
  removeUnfinished(beside);
  const work = join(beside, `postgres.new-${process.pid}-${randomBytes(4).toString("hex")}`);
  const passwordFile = join(work, "password");
  mkdirSync(work, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, memory.superPassword, { mode: 0o600 });
    if (runningAsRoot()) for (const path of [work, passwordFile]) chownSync(path, user.uid, user.gid);
    const args = [
      "-D",
      join(work, "data"),
      "-U",
      "postgres",
      "--pwfile",
      passwordFile,
      "--auth",
      "scram-sha-256",
    ];
    // The builtin C.UTF-8 sorts and folds the same on every machine and in every libc.
    args.push(
      "--encoding",
      "UTF8",
      "--locale",
      "C",
      "--locale-provider",
      "builtin",
      "--builtin-locale",
      "C.UTF-8",
    );
    if (!durable) args.push("--no-sync");
    const done = await run(place, join(binaries.bin, "initdb"), args);
    if (done.code !== 0) throw explain(place, done.output, "PostgreSQL could not make its database");
    renameSync(join(work, "data"), pgdata);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error; // those: another first start was quicker
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** A running postmaster that this process started. */
export interface Started {
  port: number;
  child: ChildProcess;
}

/**
 * Starts PostgreSQL and waits until it answers. Undefined when another process was quicker: look again.
 * It runs in a session of its own, so that neither Ctrl-C nor a SIGKILL of this process takes it along.
 */
export async function startCluster(
  place: Place,
  binaries: Binaries,
  durable: boolean,
  log: (line: string) => void,
): Promise<Started | undefined> {
  const giveUpAt = Date.now() + 60_000;
  let passwordsSet = false;
  for (;;) {
    const port = await pickPort(place.memory.port);
    if (port !== place.memory.port) place.remember({ port });
    const server = launch(place, binaries, port, durable);
    const outcome = await untilAnswering(place, port, server, log);
    if (outcome === "running") return { port, child: server.child };
    if (outcome === "rejected-password") {
      await end(server.child);
      if (passwordsSet)
        throw new OperatorError(`The passwords in ${place.dataDir}/postgres.json don't open the database.`);
      await setSuperPassword(place, binaries);
      passwordsSet = true;
      continue;
    }
    const output = server.output();
    const again = Date.now() < giveUpAt;
    if (again && /could not (bind|create any TCP)|Address already in use/.test(output)) {
      place.remember({ port: 0 });
    } else if (again && output.includes("pre-existing shared memory block")) {
      await sleep(300); // the backends of a killed postmaster end by themselves
    } else if (output.includes('lock file "postmaster.pid" already exists')) {
      const file = readPidFile(place.pgdata);
      if (file && isPostmaster(file.pid, place.pgdata)) return undefined;
      rmSync(join(place.pgdata, "postmaster.pid"), { force: true });
    } else {
      throw explain(place, output, "PostgreSQL did not start");
    }
  }
}

interface Launched {
  child: ChildProcess;
  /** What it wrote to its log since it was launched. */
  output(): string;
}

function launch(place: Place, binaries: Binaries, port: number, durable: boolean): Launched {
  if ((statSync(place.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_ROTATE_BYTES) {
    renameSync(place.logFile, `${place.logFile}.1`);
  }
  const logFd = openSync(place.logFile, "a", 0o600);
  giveToFolderOwner(place.logFile);
  const from = fstatSync(logFd).size;
  try {
    const args = ["-D", place.pgdata, ...settings(port, durable)];
    const options = { ...place.user.switchTo, cwd: "/", env: CLEAN_ENV, detached: true };
    const child = spawn(join(binaries.bin, "postgres"), args, {
      ...options,
      stdio: ["ignore", logFd, logFd],
    });
    let rejection = "";
    child.on("error", (error) => (rejection = error.message)); // then it has no pid, which untilAnswering sees
    child.unref();
    return { child, output: () => rejection + readFileSync(place.logFile).subarray(from).toString("utf8") };
  } finally {
    closeSync(logFd);
  }
}

async function untilAnswering(place: Place, port: number, server: Launched, log: (line: string) => void) {
  const began = Date.now();
  let nextLine = began + 10_000;
  for (;;) {
    const { pid, exitCode, signalCode } = server.child;
    if (!pid || exitCode !== null || signalCode !== null) return "ended";
    const seen = await probe(place, port);
    // A rejected password counts only from our own postmaster, not from whoever else has that port.
    if (seen === "running" || (seen === "rejected-password" && readPidFile(place.pgdata)?.pid === pid))
      return seen;
    if (Date.now() > nextLine) {
      log(
        `PostgreSQL is still starting (${Math.round((Date.now() - began) / 1000)} s): after an unclean stop it reads its journal again; nothing is lost`,
      );
      nextLine += 10_000;
    }
    await sleep(15);
  }
}

/** Single-user mode asks for no password: the way back in when postgres.json was lost. */
async function setSuperPassword(place: Place, binaries: Binaries): Promise<void> {
  const sql = `ALTER ROLE postgres PASSWORD '${place.memory.superPassword}'\n`;
  const done = await run(
    place,
    join(binaries.bin, "postgres"),
    ["--single", "-D", place.pgdata, "postgres"],
    sql,
  );
  if (done.code !== 0) throw explain(place, done.output, "PostgreSQL's password could not be set anew");
}

function run(
  place: Place,
  program: string,
  args: string[],
  input = "",
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...place.user.switchTo, cwd: "/", env: CLEAN_ENV });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
    child.stdin.end(input);
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref(); // or node could end before it
  child.kill("SIGINT");
  await ended;
}

function explain(place: Place, output: string, what: string): OperatorError {
  if (/No space left on device|Disk quota exceeded|Check free disk space/.test(output)) {
    return new OperatorError(
      `${what}: the disk that holds ${place.pgdata} is full. What was saved is safe. Free some space and start again.`,
    );
  }
  const last = output.trim().split("\n").slice(-6).join("\n  ");
  return new OperatorError(
    `${what}. The files in ${place.pgdata} are as they were. It said (more in ${place.logFile}):\n  ${last || "nothing"}`,
  );
}
