// Databases and data folders for tests. Only tests import it.
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../platform/postgres/embedded-postgres";
import { shutDown } from "../platform/postgres/postmaster";
import { withClient } from "../platform/postgres/sessions";

const PREFIX = "rollcall-test-";

/**
 * Returns a new path for a DATA_DIR in the temp folder, unique even when two Vitest projects load this file. Removed
 * with this process, or by a later run.
 */
export function throwawayDataDir(): string {
  return join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(4).toString("hex")}`);
}

/** Starts a cluster without fsync in a temp folder. */
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
  /** The connection string of the database's owner. */
  url: string;
  /** Deletes the database and closes its connections. Removing its cluster also deletes it. */
  drop(): Promise<void>;
}

/**
 * Creates a database on a cluster. @param template the name of a database to copy; without it the new database is empty
 */
export async function databaseOn(clusterUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await onCluster(clusterUrl, `CREATE DATABASE ${name} ${template ? `TEMPLATE ${template}` : ""}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropPatiently(clusterUrl, name) };
}

const onCluster = (clusterUrl: string, sql: string) =>
  withClient(clusterUrl, async (client) => void (await client.query(sql)));

/**
 * Retries while PostgreSQL's autovacuum uses the database. Only a superuser may cancel autovacuum, and it ends within
 * moments.
 */
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

/** Stops the PostgreSQL of a test's DATA_DIR, if it is still running, and deletes the folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return rmSync(dataDir, { force: true });
  const pgdata = join(dataDir, "postgres");
  if (existsSync(pgdata)) await shutDown(pgdata);
  rmSync(dataDir, { recursive: true, force: true });
}

/** Whether a process with this pid exists, ours or not. A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Removes the folders of test runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    // Another user's folder is not ours to remove.
    if (pid && !isAlive(pid)) await removeDataDir(join(tmpdir(), name)).catch(() => {});
  }
}
