import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AppContext, createApp } from "../../app";
import { startJobs } from "../../background-jobs";
import { loadConfig } from "../../config";
import { makeLog } from "../../kernel/log";
import { base, database, openDatabaseForTests } from "../../test/open-database";
import { findLastBackup } from "../queries/last-backup";
import { verifyBackup } from "./restore";
import { readBackupState, runScheduledBackup } from "./scheduled";

openDatabaseForTests();
let folder: string;
const apps: AppContext[] = [];
const authSecret = "a secret for tests that is long enough";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollcall-backups-"));
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  rmSync(folder, { recursive: true, force: true });
});

const made = () => readdirSync(folder).filter((name) => name.endsWith(".tar.gz"));
const stale = (name: string, days: number) => {
  const file = join(folder, name);
  writeFileSync(file, "");
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(file, at, at);
};
const backUp = (into = folder, { signal } = new AbortController()) =>
  runScheduledBackup(
    {
      db: database.db,
      databaseUrl: base.url,
      authSecrets: [authSecret],
      config: { BACKUP_DIR: into, BACKUP_KEEP: 2 },
    },
    signal,
  );

test("keeps the newest backups after a new one is complete, and ignores other files and running backups", async () => {
  for (const name of ["rollcall-20260101T023000Z.tar.gz", "rollcall-20260102T023000Z.tar.gz", "mine.tar.gz"])
    stale(name, 9);
  stale("rollcall-20260101T023000Z.tar.gz.partial-1", 2);
  stale("rollcall-20260103T023000Z.tar.gz.partial-2", 0);
  const file = await backUp();
  expect((await verifyBackup(file)).authSecret).toBe(authSecret);
  expect(readdirSync(folder).sort()).toEqual([
    "mine.tar.gz",
    "rollcall-20260102T023000Z.tar.gz",
    "rollcall-20260103T023000Z.tar.gz.partial-2",
    file.slice(folder.length + 1),
  ]);
});

test("a failed backup removes none, and health shows the reason and the last backup's age until one succeeds", async () => {
  const config = { BACKUP_DIR: folder };
  const file = await backUp();
  expect(await readBackupState(database.db, config)).toMatchObject({ ageHours: 0, issue: null });
  stale("in-the-way", 0);
  await expect(backUp(join(folder, "in-the-way"))).rejects.toThrow();
  expect(existsSync(file)).toBe(true);
  expect(await readBackupState(database.db, config)).toMatchObject({
    ageHours: 0,
    issue: expect.stringMatching(/EEXIST|ENOTDIR/),
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // file names are precise to the second
  await backUp();
  expect(await readBackupState(database.db, config)).toMatchObject({ issue: null });
  rmSync(folder, { recursive: true });
  expect(await readBackupState(database.db, config)).toMatchObject({
    issue: expect.stringContaining("no longer exists"),
  });
  expect(await readBackupState(database.db, {})).toBeNull();
});

test("a stopped backup leaves no file and is not a failure", async () => {
  const before = await findLastBackup(database.db);
  const stopped = new AbortController();
  const running = backUp(folder, stopped);
  stopped.abort();
  await expect(running).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
  expect(await findLastBackup(database.db)).toEqual(before);
});

test("two processes make one backup per scheduled time", async () => {
  const config = loadConfig({ DATABASE_URL: base.url, LOG_LEVEL: "silent", BACKUP_DIR: folder });
  for (let process = 0; process < 2; process++) {
    const app = await createApp(config, base.url, [authSecret], makeLog(config));
    apps.push(app);
    await startJobs(app);
  }
  const [schedule] = await database.db.$queryRaw<
    { cron: string }[]
  >`SELECT cron FROM pgboss.schedule WHERE name = 'backup'`;
  expect(schedule?.cron).toBe("30 2 * * *");
  await Promise.all(apps.map((app) => app.jobs.add(app.db, "backup", [{ data: null }])));
  await expect.poll(made, { timeout: 30_000 }).toHaveLength(1);
  const open = () =>
    database.db.$queryRaw<object[]>`SELECT FROM pgboss.job WHERE name = 'backup' AND state < 'completed'`;
  await expect.poll(open, { timeout: 30_000 }).toHaveLength(0);
  expect(made()).toHaveLength(1);
});

test("an invalid cron schedule is rejected at startup with the setting's name", async () => {
  expect(() => loadConfig({ BACKUP_SCHEDULE: "nightly" })).toThrow(/BACKUP_SCHEDULE: must be a cron line/);
  const impossible = { DATABASE_URL: base.url, BACKUP_DIR: folder, BACKUP_SCHEDULE: "99 2 * * *" };
  const config = loadConfig({ ...impossible, LOG_LEVEL: "silent" });
  const app = await createApp(config, base.url, [authSecret], makeLog(config));
  apps.push(app);
  await expect(startJobs(app)).rejects.toThrow(/^BACKUP_SCHEDULE: 99 2 \* \* \* is not a cron line/);
});
