// What tests need beside the product: databases, the built product as a process. Nothing outside tests imports it.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/postgres/embedded-postgres";
import { shutDown } from "../platform/postgres/postmaster";
import { withClient } from "../platform/postgres/sessions";

const PREFIX = "rollcall-test-";

/** A fresh path for a DATA_DIR in the temp folder, also where two Vitest projects load this file. It is removed with this process's id, or by a later run. */
export function throwawayDataDir(): string {
  return join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`);
}

/** A cluster that doesn't care about power cuts, in a temp folder of its own. */
export async function startThrowawayCluster(): Promise<EmbeddedPostgres & { remove(): Promise<void> }> {
  await removeLeftovers();
  const dataDir = throwawayDataDir();
  const cluster = await startEmbeddedPostgres({ dataDir, durable: false, log: () => {} });
  return {
    ...cluster,
    async remove() {
      await cluster.stop();
      await removeDataDir(dataDir);
    },
  };
}

export interface TestDatabase {
  /** Connection string, as the database's owner. */
  url: string;
  /** Deletes it, cutting whoever is still connected. The end of its cluster does it too. */
  drop(): Promise<void>;
}

/** A new database on a cluster. @param template the name of the database that it is a copy of; without: nothing in it */
export async function databaseOn(clusterUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onCluster(clusterUrl, `CREATE DATABASE ${name} ${template ? `TEMPLATE ${template}` : ""}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropPatiently(clusterUrl, name) };
}

const onCluster = (clusterUrl: string, sql: string) =>
  withClient(clusterUrl, async (client) => void (await client.query(sql)));

/** PostgreSQL's own autovacuum may be at work in it, which only a superuser may send away; it is done in a moment. */
async function dropPatiently(clusterUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onCluster(clusterUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      const denied = (error as { code?: string }).code === "42501";
      if (!denied || attempt === 50) throw error;
      await sleep(200);
    }
  }
}

/** Stops the PostgreSQL of a test's DATA_DIR, whoever left it running, and deletes everything of it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return rmSync(dataDir, { force: true });
  const pgdata = join(dataDir, "postgres");
  if (existsSync(pgdata)) await shutDown(pgdata);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Whether a process has this pid, ours or not. A zombie, which only waits to be reaped, has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** A test run that was killed could not tidy up: the next one does. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    // Another user's folder can't be ours to remove.
    if (pid && !isAlive(pid)) await removeDataDir(join(tmpdir(), name)).catch(() => {});
  }
}
