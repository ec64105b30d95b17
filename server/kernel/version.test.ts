import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBackup } from "../operations/backup/backup";
import { verifyBackup } from "../operations/backup/restore";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { projectRoot } from "./project-root";

let opened: HttpApp;
const folder = mkdtempSync(join(tmpdir(), "rollcall-version-"));
beforeAll(async () => {
  opened = await openHttpApp();
});
afterAll(async () => {
  await opened.close();
  rmSync(folder, { recursive: true });
});

test("health, metrics and backups include the version with its last migration", async () => {
  const migrations = readdirSync(join(projectRoot(), "prisma/migrations")).filter((name) => /^\d/.test(name));
  const expected = new RegExp(`^\\d+\\.\\d+\\.\\d+\\S*\\+${migrations.sort().at(-1)?.split("_")[0]}$`);
  const health = await fetch(`${opened.origin}/api/health`);
  expect(await health.json()).toMatchObject({ version: expect.stringMatching(expected) });
  const metrics = await (await fetch(`${opened.origin}/metrics`)).text();
  expect(/^rollcall_info\{version="([^"]*)"/m.exec(metrics)?.[1]).toMatch(expected);
  const file = join(folder, "backup.tar.gz");
  await writeBackup(opened.app.databaseUrl, { file, authSecret: null, log: () => {} });
  expect((await verifyBackup(file)).manifest.version).toMatch(expected);
});
