import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { projectRoot } from "../../kernel/project-root";
import { isAlive, removeDataDir, throwawayDataDir } from "../../test/throwaway-cluster";
import { openForCommand, startEmbeddedPostgres } from "./embedded-postgres";
import { findPostmaster, readPostmasterPid } from "./postmaster";
import { urlOf, withClient } from "./sessions";

// The tests that leave the cluster stopped and undamaged share it, because creating one takes most of a test's time.
const shared = throwawayDataDir();
const dataDirs: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const dataDir of dataDirs.splice(0)) await removeDataDir(dataDir);
});

afterAll(() => removeDataDir(shared));

function fresh(): string {
  const dataDir = throwawayDataDir();
  dataDirs.push(dataDir);
  return dataDir;
}

const command = (dataDir: string) => openForCommand({ dataDir, durable: false, log: () => {} });
const start = (dataDir: string) => startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
const postmaster = (dataDir: string) => readPostmasterPid(join(dataDir, "postgres"));

const query = (url: string, sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);

/** Starts PostgreSQL on this data in another process, and holds it until that process is killed. */
async function startElsewhere(dataDir: string): Promise<ChildProcess> {
  const source = `
    const { startEmbeddedPostgres } = await import("./server/platform/postgres/embedded-postgres.ts");
    const address = "http://localhost:4321";
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, address, log() {} });
    console.log("up");
    setInterval(() => {}, 1000);`;
  const args = ["--import", "tsx", "--input-type=module", "-e", source];
  const child = spawn(process.execPath, args, { cwd: projectRoot(), stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.stdout?.once("data", resolve);
    child.once("exit", () => reject(new Error("the other process ended")));
  });
  return child;
}

function killed(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  return ended;
}

test("starts, keeps its data across a restart, and leaves no process running", async () => {
  const dataDir = shared;
  const first = await start(dataDir);
  await query(first.url, "CREATE TABLE t AS SELECT 'ä' AS a");
  expect(
    await query(first.url, "SELECT pg_encoding_to_char(encoding) AS e FROM pg_database LIMIT 1"),
  ).toEqual([{ e: "UTF8" }]);
  expect(await query(first.url, "SELECT usesuper AS s FROM pg_user WHERE usename = current_user")).toEqual([
    { s: false },
  ]);
  const pid = postmaster(dataDir) as number;
  expect(await first.stop()).toBe(true);
  expect(isAlive(pid)).toBe(false);
  // Only the owner can reach the socket inside.
  expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
  const second = await start(dataDir);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "SELECT a FROM t")).toEqual([{ a: "ä" }]);
  await second.stop();
});

test("a second server is rejected with the first one's address; a command joins the first", async () => {
  const dataDir = shared;
  const other = await startElsewhere(dataDir);
  const pid = postmaster(dataDir) as number;
  await expect(start(dataDir)).rejects.toThrow(
    new RegExp(`already running.*process ${other.pid} at http://localhost:4321`),
  );
  expect(await (await command(dataDir)).stop()).toBe(false);
  expect(postmaster(dataDir)).toBe(pid);
  expect(isAlive(pid)).toBe(true);
});

test("a PostgreSQL left by a killed server is restarted with all committed data", async () => {
  const dataDir = shared;
  const other = await startElsewhere(dataDir);
  const url = urlOf(join(dataDir, "postgres"), "rollcall");
  await query(url, "SET synchronous_commit TO on; CREATE TABLE left_behind AS SELECT 7 AS one");
  const pid = postmaster(dataDir) as number;
  await killed(other);
  const heir = await start(dataDir);
  expect(isAlive(pid)).toBe(false);
  expect(await query(heir.url, "SELECT one FROM left_behind")).toEqual([{ one: 7 }]);
  await query(heir.url, "DROP TABLE left_behind");
  expect(await heir.stop()).toBe(true);
});

test("a command stops a PostgreSQL that a killed server left running", async () => {
  const dataDir = shared;
  const other = await startElsewhere(dataDir);
  const pid = postmaster(dataDir) as number;
  await killed(other);
  expect(await (await command(dataDir)).stop()).toBe(true);
  expect(isAlive(pid)).toBe(false);
});

test("a server waits until a command has finished with the data", async () => {
  const dataDir = shared;
  const first = await command(dataDir);
  let isUp = false;
  const starting = start(dataDir).then((own) => {
    isUp = true;
    return own;
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(isUp).toBe(false);
  expect(await query(first.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await first.stop();
  const own = await starting;
  expect(await query(own.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(await own.stop()).toBe(true);
});

test("recovers when node and PostgreSQL were both killed", async () => {
  const dataDir = shared;
  const other = await startElsewhere(dataDir);
  process.kill(postmaster(dataDir) as number, "SIGKILL");
  await killed(other);
  const heir = await start(dataDir);
  expect(await query(heir.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await heir.stop();
});

test("a killed PostgreSQL is restarted with all committed data", async () => {
  const dataDir = shared;
  const own = await start(dataDir);
  // Commits like the product. A throwaway cluster does not flush commits at once.
  await query(own.url, "SET synchronous_commit TO on; CREATE TABLE kept AS SELECT 7 AS one");
  const killed = postmaster(dataDir) as number;
  process.kill(killed, "SIGKILL");
  await expect
    .poll(() => query(own.url, "SELECT one FROM kept").catch(() => null), { timeout: 20_000 })
    .toEqual([{ one: 7 }]);
  expect(postmaster(dataDir)).not.toBe(killed);
  // The lock is held again.
  await new Promise((resolve) => setTimeout(resolve, 700));
  await expect(start(dataDir)).rejects.toThrow(/already running/);
  await query(own.url, "DROP TABLE kept");
  expect(await own.stop()).toBe(true);
  // A requested stop causes no restart.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(findPostmaster(join(dataDir, "postgres"))).toBeUndefined();
});

test("a PostgreSQL that can't be restarted is tried again until it starts, or until a stop", async () => {
  const dataDir = shared;
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const own = await startEmbeddedPostgres({ dataDir, durable: false, log });
  const failures = () => lines.filter((line) => line.startsWith("PostgreSQL could not be restarted.")).length;
  const control = join(dataDir, "postgres", "global", "pg_control");
  const kill = () => process.kill(postmaster(dataDir) as number, "SIGKILL");
  renameSync(control, `${control}.away`);
  kill();
  await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(1);
  renameSync(`${control}.away`, control);
  const isBack = () => query(own.url, "SELECT 1 AS one").catch(() => null);
  await expect.poll(isBack, { timeout: 20_000 }).toEqual([{ one: 1 }]);
  renameSync(control, `${control}.away`);
  const before = failures();
  kill();
  await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(before);
  await own.stop();
  renameSync(`${control}.away`, control);
  const again = await start(dataDir);
  expect(await query(again.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await again.stop();
});

test("a PostgreSQL that a command started meanwhile is watched, too", async () => {
  const dataDir = shared;
  const lines: string[] = [];
  const own = await startEmbeddedPostgres({ dataDir, durable: false, log: (line) => void lines.push(line) });
  const failures = () => lines.filter((line) => line.startsWith("PostgreSQL could not be restarted.")).length;
  const restarts = () => lines.filter((line) => line.startsWith("PostgreSQL stopped.")).length;
  const control = join(dataDir, "postgres", "global", "pg_control");
  renameSync(control, `${control}.away`);
  process.kill(postmaster(dataDir) as number, "SIGKILL");
  // The pause is now longer than a command needs.
  await expect.poll(failures, { timeout: 20_000 }).toBe(4);
  renameSync(`${control}.away`, control);
  const other = await command(dataDir);
  const theirs = postmaster(dataDir) as number;
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  expect([failures(), postmaster(dataDir), restarts()]).toEqual([4, theirs, 1]);
  process.kill(theirs, "SIGKILL");
  await expect.poll(restarts, { timeout: 20_000 }).toBe(2);
  const isBack = () => query(own.url, "SELECT 1 AS one").catch(() => null);
  await expect.poll(isBack, { timeout: 20_000 }).toEqual([{ one: 1 }]);
  await own.stop();
  await other.stop();
  expect(findPostmaster(join(dataDir, "postgres"))).toBeUndefined();
});

test.each([
  ["names another process", `${[process.pid, join(shared, "postgres"), 1700000000, 5432].join("\n")}\n`],
  ["is empty, as a power cut leaves it", ""],
  ["is garbage", "\0\0\0 not a number\n"],
])("starts beside a pid file that %s", async (_, content) => {
  const dataDir = shared;
  await (await start(dataDir)).stop();
  for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"])
    writeFileSync(join(dataDir, "postgres", name), content);
  const again = await start(dataDir);
  expect(await query(again.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await again.stop();
});

/** Signs in from a process of another user. Returns PostgreSQL's answer: R accepts, E rejects. */
function signInAs(uid: number, dataDir: string, role: string): string {
  const source = `
    const body = Buffer.from("\\0\\x03\\0\\0user\\0${role}\\0database\\0rollcall\\0\\0", "latin1");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + 4);
    const socket = require("net").connect(process.argv[1]);
    socket.write(Buffer.concat([length, body]));
    socket.once("data", (answer) => { console.log(answer.toString("latin1")); socket.destroy(); });
    socket.on("error", (error) => console.log(error.code));`;
  const args = ["-e", source, join(dataDir, "postgres", ".s.PGSQL.5432")];
  return spawnSync(process.execPath, args, { uid, cwd: "/", encoding: "utf8" }).stdout;
}

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)("another OS user can't sign in, even when the folder is accessible", async () => {
  const dataDir = shared;
  const own = await start(dataDir);
  const games = 5;
  for (const role of ["rollcall", "postgres"]) expect(signInAs(games, dataDir, role)).toBe("EACCES\n");
  chmodSync(join(dataDir, "postgres"), 0o711);
  for (const role of ["rollcall", "postgres"]) {
    expect(signInAs(games, dataDir, role)).toMatch(/^E.*Peer authentication failed/s);
    expect(signInAs(0, dataDir, role)).toMatch(/^R/);
  }
  chmodSync(join(dataDir, "postgres"), 0o700);
  await own.stop();
});

test.runIf(isRoot)("root gets an error about a folder that PostgreSQL's user can't enter", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rollcall-closed-"));
  dataDirs.push(folder);
  await expect(start(join(folder, "data"))).rejects.toThrow(/can't enter .*\/data.* Nothing was changed\./);
});

test("an existing database starts without its superuser, who may not be allowed to sign in", async () => {
  const dataDir = shared;
  const own = await start(dataDir);
  await query(urlOf(join(dataDir, "postgres"), "postgres"), "ALTER ROLE postgres NOLOGIN");
  await own.stop();
  const again = await start(dataDir);
  expect(await query(again.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await again.stop();
  await removeDataDir(dataDir);
});

test("of several simultaneous first starts one serves, and the others get an error", async () => {
  const dataDir = fresh();
  const all = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)]);
  const served = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(served).toHaveLength(1);
  for (const one of all)
    if (one.status === "rejected") expect(one.reason.message).toMatch(/already running on this data/);
  expect(await query(served[0]?.url as string, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(await served[0]?.stop()).toBe(true);
  expect(postmaster(dataDir)).toBeUndefined();
});

test("a start that overlaps a stop ends with a running PostgreSQL", async () => {
  const dataDir = shared;
  const old = await start(dataDir);
  const [, next] = await Promise.all([old.stop(), start(dataDir)]);
  expect(await query(next.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await next.stop();
});

test("of two commands the last one stops the PostgreSQL that the first one started", async () => {
  const dataDir = shared;
  const [first, second] = await Promise.all([command(dataDir), command(dataDir)]);
  expect(await first?.stop()).toBe(false);
  expect(await query(second?.url as string, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(await second?.stop()).toBe(true);
  expect(postmaster(dataDir)).toBeUndefined();
});

test("rejects data of another major version and a missing data folder, and changes nothing", async () => {
  const dataDir = fresh();
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, "postgres", "PG_VERSION"), "16\n");
  await expect(start(dataDir)).rejects.toThrow(
    /made by PostgreSQL 16.*was not changed.* backup FILE; .*new folder, and run .* restore FILE/,
  );
  rmSync(join(dataDir, "postgres"), { recursive: true });
  await expect(start(dataDir)).rejects.toThrow(/files are missing/);
});

test("reports a DATA_DIR that is a file", async () => {
  const dataDir = fresh();
  writeFileSync(dataDir, "");
  await expect(start(dataDir)).rejects.toThrow(/should be a folder and is a file/);
});
