import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { migrate } from "./migrate";

let database: TestDatabase;
let client: Client;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  folder = mkdtempSync(join(tmpdir(), "rollcall-migrations-"));
});

afterEach(async () => {
  await client.end();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

const run = () => migrate({ url: database.url, folder, log: () => {} });
const rows = async () => (await client.query("SELECT * FROM _prisma_migrations ORDER BY started_at")).rows;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("migrate", () => {
  test("applies each migration once in order of name, and records it like Prisma", async () => {
    write("2_fill", "INSERT INTO t VALUES (1);");
    write("1_make", "CREATE TABLE t (a int);");
    expect(await run()).toEqual(["1_make", "2_fill"]);
    expect(await run()).toEqual([]);
    const [first] = await rows();
    expect(first).toMatchObject({
      migration_name: "1_make",
      checksum: sha256("CREATE TABLE t (a int);"),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    });
    expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.finished_at).toBeInstanceOf(Date);
  });

  test("runs in one of several processes while the others wait", async () => {
    write("1_make", "SELECT pg_sleep(0.2); CREATE TABLE t (a int);");
    const results = await Promise.all([run(), run(), run(), run()]);
    expect(results.flat()).toEqual(["1_make"]);
  });

  test("rolls back a failed migration, reports why, and retries it after a fix", async () => {
    write(
      "1_make",
      "-- a; comment\nCREATE TABLE t (a int UNIQUE);\n\nINSERT INTO t\nVALUES (1), (1);\nSELECT 1;",
    );
    await expect(run()).rejects.toThrow(/1_make failed and was rolled back.*duplicate key.*\(23505\)/s);
    expect((await client.query("SELECT to_regclass('t') AS t")).rows[0].t).toBeNull();
    expect(await rows()).toEqual([]);
    write("1_make", "CREATE TABLE t (a int);");
    expect(await run()).toEqual(["1_make"]);
  });

  test("names the line of a syntax error", async () => {
    write("1_make", "CREATE TABLE t (a int);\nCREATE TABEL u (a int);");
    await expect(run()).rejects.toThrow(/line 2: syntax error/);
  });

  test("keeps earlier migrations when a later one fails", async () => {
    write("1_make", "CREATE TABLE t (a int);");
    write("2_fail", "SELECT 1/0;");
    await expect(run()).rejects.toThrow(/2_fail failed/);
    expect((await rows())[0]).toMatchObject({ migration_name: "1_make", applied_steps_count: 1 });
  });

  test("rejects a migration that changed after it was applied", async () => {
    write("1_make", "CREATE TABLE t (a int);");
    await run();
    write("1_make", "CREATE TABLE t (a bigint);");
    await expect(run()).rejects.toThrow(/1_make was changed after/);
  });

  test("rejects a database that is newer than this checkout", async () => {
    write("1_make", "CREATE TABLE t (a int);");
    write("2_next", "SELECT 1;");
    await run();
    rmSync(join(folder, "2_next"), { recursive: true });
    await expect(run()).rejects.toThrow(
      /newer than this Rollcall, or from before.*2_next.*start with an empty one/,
    );
  });

  test("rejects a database with another program's tables", async () => {
    await client.query("CREATE TABLE theirs (a int)");
    write("1_make", "CREATE TABLE t (a int);");
    await expect(run()).rejects.toThrow(/not Rollcall's \(theirs\)/);
  });

  test("names an unreachable database without its password", async () => {
    const failed = migrate({ url: "postgresql://me:geheim@127.0.0.1:9/none", folder, log: () => {} });
    await expect(failed).rejects.toThrow(/127\.0\.0\.1:9\/none can't be used/);
    await expect(failed).rejects.not.toThrow(/geheim/);
  });
});
