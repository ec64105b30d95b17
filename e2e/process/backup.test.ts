import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, run, startProduct } from "../../server/test/product";
import { removeDataDir, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { ask } from "../contract/client";
import { openSite, type Site, until } from "./site";

let site: Site;
const folder = mkdtempSync(join(tmpdir(), "rollcall-backup-cli-"));
const file = join(folder, "all.tar.gz");
const into = throwawayDataDir();
let restored: Product | undefined;

beforeAll(async () => {
  site = await openSite({ database: "own" });
});
afterAll(async () => {
  await restored?.stop();
  await site.close();
  await removeDataDir(into);
  rmSync(folder, { recursive: true });
});

async function admin(env: Record<string, string>, ...args: string[]) {
  const { ended, stdout, stderr } = run(["admin", ...args], env);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}
const elsewhere = () => ({ ...site.env, DATA_DIR: into });

const add = (product: Product, email: string, status = "active") =>
  ask(product, { key: site.key, json: { email, status } });

// Each test continues with the results of the one before.
describe("npm run admin -- backup and restore", () => {
  it("writes one file while the server runs", async () => {
    // Mails that wait when the backup is made.
    await site.sql("UPDATE send_pace SET paused_at = now(), paused_by = 'operator'");
    for (let n = 0; n < 3; n++) await add(site.first, `waits${n}@list.example`, "pending");
    const made = await admin(site.env, "backup", file, "--json");
    expect(made.code).toBe(0);
    expect(made.stderr).toContain("subscribers: ");
    const { backup } = JSON.parse(made.stdout);
    expect(backup).toMatchObject({ file, has_secret: true });
    expect(backup.tables.subscribers.rows).toBe(3);
    const verified = await admin(site.env, "verify", file);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain("3 of them subscribers");
  });

  it("rejects a damaged file and a database in use with exit code 1, and changes nothing", async () => {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 0xff;
    writeFileSync(join(folder, "damaged.tar.gz"), bytes);
    const damaged = await admin(elsewhere(), "restore", join(folder, "damaged.tar.gz"));
    expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining("is damaged") });
    const [before] = await site.sql("SELECT count(*) FROM subscribers");
    const used = await admin(site.env, "restore", file);
    expect(used).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Rollcall is running on this database"),
    });
    expect(await site.sql("SELECT count(*) FROM subscribers")).toEqual([before]);
  });

  it("restores into an empty folder: keys and secrets work there, and no email is sent until sending is resumed", async () => {
    const done = await admin(elsewhere(), "restore", file);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("Sending is paused") });
    expect(readFileSync(join(into, "auth-secret"), "utf8").trim()).toBe(
      readFileSync(join(site.env.DATA_DIR as string, "auth-secret"), "utf8").trim(),
    );
    restored = await startProduct({ env: elsewhere() });
    expect(await add(restored, "after@list.example", "pending")).toMatchObject({ status: 201 });
    expect(await add(restored, "waits0@list.example")).toMatchObject({ status: 422 });
    await sleep(3_000);
    expect(site.fake.requests).toHaveLength(0);
    const health = await (await fetch(`${restored.url}/api/health`)).json();
    expect(health).toMatchObject({ delivery: { paused: { by: "restore" } } });
    const asked = await admin(elsewhere(), "mails", "resume");
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("3 emails were queued") });
    const resumed = await admin(elsewhere(), "mails", "resume", "--older", "cancel");
    expect(resumed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 emails of the backup are cancelled"),
    });
    await until("the mail that was asked for after the restore", () => site.fake.mails.length === 1);
    expect(site.fake.mails[0]?.to).toEqual(["after@list.example"]);
  });
});
