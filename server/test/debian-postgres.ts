import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLEAN_ENV, postgresUser } from "../platform/postgres/os-user";
import { withClient } from "../platform/postgres/sessions";

const HOME = "/usr/lib/postgresql";
const major = existsSync(HOME)
  ? readdirSync(HOME)
      .filter((name) => existsSync(join(HOME, name, "bin/initdb")))
      .sort((a, b) => Number(b) - Number(a))[0]
  : undefined;

/** The newest PostgreSQL version installed on the machine, such as Debian's 15; undefined without any. */
export const ownMajor = major;

/** The folder of its programs. */
export const ownBin = join(HOME, major ?? "", "bin");

/** Starts a cluster of it on a separate socket, with a non-superuser role that owns an empty database. */
export async function startDebianPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "rc-pg-"));
  const user = postgresUser(folder);
  chmodSync(folder, 0o755);
  chownSync(folder, user.uid, user.gid);
  const data = join(folder, "d");
  const as = { ...user.switchTo, cwd: "/", env: CLEAN_ENV };
  execFileSync(
    join(ownBin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    as,
  );
  const settings = ["listen_addresses=", `unix_socket_directories=${data}`, "fsync=off"].flatMap((one) => [
    "-c",
    one,
  ]);
  const child = spawn(join(ownBin, "postgres"), ["-D", data, ...settings], { ...as, stdio: "ignore" });
  const urlOf = (role: string, name: string) =>
    `postgresql://${role}@localhost/${name}?host=${encodeURIComponent(data)}`;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    try {
      await withClient(urlOf("postgres", "postgres"), async (client) => {
        await client.query("CREATE ROLE owner LOGIN");
        await client.query("CREATE DATABASE rollcall OWNER owner");
      });
      return { url: urlOf("owner", "rollcall"), stop };
    } catch (error) {
      if (tries < 300 && child.exitCode === null) await sleep(50);
      else {
        await stop();
        throw error;
      }
    }
  }
}
