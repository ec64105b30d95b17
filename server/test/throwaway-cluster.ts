// What tests need beside the product: databases, the built product as a process. Nothing outside tests imports it.
import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../postgres/embedded-postgres";
import { isAlive, shutDown } from "../postgres/postmaster";

const PREFIX = "rollcall-test-";
let count = 0;

/** A fresh path for a DATA_DIR in the temp folder. It is removed with this process's id, or by a later run. */
export function throwawayDataDir(): string {
  return join(tmpdir(), `${PREFIX}${process.pid}-${++count}`);
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

/** Stops the PostgreSQL of a test's DATA_DIR, whoever left it running, and deletes everything of it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return rmSync(dataDir, { force: true });
  const inside = join(dataDir, "postgres");
  const link = lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink();
  const pgdata = link ? resolve(dataDir, readlinkSync(inside)) : inside;
  if (existsSync(pgdata)) await shutDown(pgdata);
  // The link leads to a folder made for this DATA_DIR alone; see findCluster.
  if (link && existsSync(join(dirname(pgdata), "made-for")))
    rmSync(dirname(pgdata), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** A test run that was killed could not tidy up: the next one does. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    // Another user's folder can't be ours to remove.
    if (pid && !isAlive(pid)) await removeDataDir(join(tmpdir(), name)).catch(() => {});
  }
}
