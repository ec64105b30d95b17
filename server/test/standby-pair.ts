import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLEAN_ENV, postgresUser } from "../platform/postgres/os-user";
import { withClient } from "../platform/postgres/sessions";
import { ownBin } from "./debian-postgres";

type StandbyPair = {
  primary: string;
  standby: string;
  /** Sends SIGKILL to the whole primary. */
  kill(): Promise<void>;
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a primary of the machine's PostgreSQL and its synchronous standby, each on a socket, with the role `owner` and
 * its database.
 */
export async function startStandbyPair(): Promise<StandbyPair> {
  const folder = mkdtempSync(join(tmpdir(), "rc-pair-"));
  const user = postgresUser(folder);
  chmodSync(folder, 0o755);
  chownSync(folder, user.uid, user.gid);
  const as = { ...user.switchTo, cwd: "/", env: CLEAN_ENV };
  const data = { primary: join(folder, "p"), standby: join(folder, "s") };
  const urlOf = (place: string, role: string, name: string) =>
    `postgresql://${role}@localhost/${name}?host=${encodeURIComponent(socketOf(place))}`;
  // Not in the data folder, which the standby copies.
  const socketOf = (place: string) => `${place}.sock`;
  for (const place of Object.values(data)) {
    mkdirSync(socketOf(place));
    chownSync(socketOf(place), user.uid, user.gid);
  }
  const children: ChildProcess[] = [];
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(ownBin, program), args, { ...as, stdio: "pipe" });
  const sql = (place: string, text: string) =>
    withClient(urlOf(place, "postgres", "postgres"), async (client) => (await client.query(text)).rows);

  async function until(place: string, text: string): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const rows = await sql(place, text).catch(() => []);
      if (rows.length > 0) return;
      await sleep(100);
    }
    throw new Error(`waited in vain for: ${text}`);
  }
  async function start(place: string): Promise<ChildProcess> {
    const settings = ["listen_addresses=", `unix_socket_directories=${socketOf(place)}`, "fsync=off"].flatMap(
      (one) => ["-c", one],
    );
    const child = spawn(join(ownBin, "postgres"), ["-D", place, ...settings], { ...as, stdio: "ignore" });
    children.push(child);
    await until(place, "SELECT 1");
    return child;
  }

  run(
    "initdb",
    "-D",
    data.primary,
    "-U",
    "postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  );
  const first = await start(data.primary);
  await sql(data.primary, "CREATE ROLE owner LOGIN");
  await sql(data.primary, "CREATE DATABASE rollcall OWNER owner");
  run(
    "pg_basebackup",
    "-h",
    socketOf(data.primary),
    "-U",
    "postgres",
    "-D",
    data.standby,
    "-R",
    "--checkpoint=fast",
    "--no-sync",
  );
  await start(data.standby);
  await sql(data.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await sql(data.primary, "SELECT pg_reload_conf()");
  await until(data.primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");

  return {
    primary: urlOf(data.primary, "owner", "rollcall"),
    standby: urlOf(data.standby, "owner", "rollcall"),
    async kill() {
      const ended = new Promise((resolve) => first.once("exit", resolve));
      const backends = execFileSync("pgrep", ["-P", String(first.pid)], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map(Number);
      for (const pid of [first.pid as number, ...backends]) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // The process has just ended.
        }
      }
      await ended;
    },
    async promote() {
      await sql(data.standby, "SELECT pg_promote()");
      await until(data.standby, "SELECT 1 WHERE NOT pg_is_in_recovery()");
    },
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGQUIT");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
