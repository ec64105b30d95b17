import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLEAN_ENV, postgresUser } from "../platform/postgres/os-user";
import { withClient } from "../platform/postgres/sessions";
import { freePort } from "./product";

const PROGRAM = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(existsSync);

/** Whether PgBouncer is installed on this machine. */
export const hasPgBouncer = PROGRAM !== undefined;

/**
 * Starts PgBouncer in transaction mode in front of a database, with default settings. @returns its connection string
 */
export async function startPgBouncer(
  databaseUrl: string,
): Promise<{ through(databaseUrl: string): string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "rc-bouncer-"));
  chmodSync(folder, 0o755);
  const { searchParams, username } = new URL(databaseUrl);
  const socket = searchParams.get("host") as string;
  const port = await freePort();
  writeFileSync(join(folder, "users"), `"${username}" ""\n`);
  writeFileSync(
    join(folder, "ini"),
    `[databases]\n* = host=${socket}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = trust\nauth_file = ${folder}/users\npool_mode = transaction\ndefault_pool_size = 12\nmax_client_conn = 200\n`,
  );
  const user = postgresUser(socket);
  const child: ChildProcess = spawn(PROGRAM as string, [join(folder, "ini")], {
    ...user.switchTo,
    cwd: "/",
    env: CLEAN_ENV,
    stdio: "ignore",
  });
  const through = (url: string) => `postgresql://${username}@127.0.0.1:${port}${new URL(url).pathname}`;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    try {
      await withClient(through(databaseUrl), (client) => client.query("SELECT 1"));
      return { through, stop };
    } catch (error) {
      if (tries === 100 || child.exitCode !== null) {
        await stop();
        throw error;
      }
      await sleep(50);
    }
  }
}
