import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import type { Client } from "pg";
import { pack } from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillWithDemo } from "../../../prisma/seed";
import { newId } from "../../kernel/ids";
import { openDatabase } from "../../platform/db/client";
import { migrate } from "../../platform/db/migrate";
import { withClient as on } from "../../platform/postgres/sessions";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { ownMajor, startDebianPostgres } from "../../test/debian-postgres";
import { sha256, writeArchive } from "./archive";
import { writeBackup } from "./backup";
import { restoreBackup, verifyBackup } from "./restore";

const folder = mkdtempSync(join(tmpdir(), "rollcall-backup-"));
const databases: TestDatabase[] = [];
const log = () => {};
let source: TestDatabase;
/** The source's content at the time of the backup. A test changes the source later. */
let inBackup: Awaited<ReturnType<typeof contents>>;
const file = join(folder, "whole.tar.gz");

async function empty(options: { empty?: boolean } = { empty: true }): Promise<string> {
  const made = await createTestDatabase(options);
  databases.push(made);
  return made.url;
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map(({ tablename }) => tablename);
}

/** Returns each table's number of rows and a digest of all rows. */
function contents(url: string): Promise<Record<string, { rows: string; digest: string }>> {
  return on(url, async (client) => {
    await client.query("SET timezone = 'UTC'");
    const all: Record<string, { rows: string; digest: string }> = {};
    for (const name of await tablesOf(client)) {
      if (["_prisma_migrations", "send_pace", "changes", "change_epoch"].includes(name)) continue;
      const { rows } = await client.query(
        `SELECT count(*) AS rows, md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS digest FROM ${name} t`,
      );
      all[name] = rows[0];
    }
    return all;
  });
}

/** Returns the structure of the tables, without their rows. */
const shape = (url: string) =>
  on(url, async (client) => {
    const queries = [
      "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' ORDER BY 1, 2",
      "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
      "SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2",
      "SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1",
    ];
    const found: object[][] = [];
    for (const sql of queries) found.push((await client.query(sql)).rows);
    return found;
  });

const ODD = "tab\t, line\nfeed, return\r, back\\slash, \\N, \\., \u0001, emoji 🐦, ﷽";

beforeAll(async () => {
  source = await createTestDatabase();
  databases.push(source);
  const { db, close } = openDatabase({ url: source.url, poolSize: 2, onError: () => {} });
  await fillWithDemo({ db });
  const newsletter = await db.newsletter.findFirstOrThrow();
  await db.auditEntry.create({
    data: { id: newId(), actorKind: "operator", action: "odd", address: ODD, detail: { ODD, none: null } },
  });
  await db.$executeRaw`
    INSERT INTO suppressions (newsletter_id, digest, mailbox_digest, id, email, reason, source)
    VALUES (${newsletter.id}::uuid, address_digest(${newsletter.id}::uuid, 'x@y.org'),
      address_digest(${newsletter.id}::uuid, 'x@y.org'), ${newId()}::uuid, 'x@y.org', 'manual', 'operator')`;
  await db.$executeRaw`
    INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at)
    SELECT gen_random_uuid(), newsletter_id, id, 'confirmation', email, 'h', now() + interval '7 days'
    FROM subscribers WHERE status = 'pending' LIMIT 3`;
  await close();
  await writeBackup(source.url, { file, authSecret: "s".repeat(40), log });
  inBackup = await contents(source.url);
  expect(Number(inBackup.subscribers?.rows)).toBe(5000);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all(databases.map((one) => one.drop()));
});

describe("a restored database", () => {
  let url: string;
  beforeAll(async () => {
    url = await empty();
    await restoreBackup(url, { file, log });
  });

  test("has all rows of all tables, with the same counts and search index", async () => {
    expect(await contents(url)).toEqual(inBackup);
  });

  test("has the constraints, indexes, triggers and migrations of a migrated database", async () => {
    expect(await shape(url)).toEqual(await shape(source.url));
  });

  test("sends no email until an operator resumes sending", async () => {
    const [pace] = await on(url, async (client) => (await client.query("SELECT * FROM send_pace")).rows);
    expect(pace).toMatchObject({ paused_by: "restore", paused_at: expect.any(Date) });
  });

  test("has a new change feed, without the source's changes", async () => {
    const text = "SELECT epoch, identity, (SELECT count(*)::int FROM changes) AS changes FROM change_epoch";
    const read = async (at: string) => (await on(at, (client) => client.query(text))).rows[0];
    const [before, after] = [await read(source.url), await read(url)];
    expect(before.changes).toBe(5000);
    expect(after).toMatchObject({ identity: null, changes: 0 });
    expect(after.epoch).not.toBe(before.epoch);
  });

  test("rejects a second restore and stays unchanged", async () => {
    await expect(restoreBackup(url, { file, log })).rejects.toThrow(/in use: it has accounts/);
    expect(await contents(url)).toEqual(inBackup);
  });
});

test("a migrated database without an account can be restored into", async () => {
  const url = await empty({});
  await restoreBackup(url, { file, log });
  expect(await contents(url)).toEqual(inBackup);
});

test("a backup of an earlier version is migrated to this version", async () => {
  const url = await empty();
  const older = await empty({});
  await on(older, async (client) => {
    await client.query("ALTER TABLE send_pace DROP COLUMN paused_at, DROP COLUMN paused_by");
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name = '20261122124000_send_pause'");
  });
  const early = join(folder, "early.tar.gz");
  await writeBackup(older, { file: early, authSecret: null, log });
  await restoreBackup(url, { file: early, log });
  expect((await shape(url)).at(-1)).toEqual((await shape(source.url)).at(-1));
  expect(await migrate({ url, log })).toEqual([]);
});

test("a backup of a later version, and a database newer than the backup, are rejected with a solution", async () => {
  const later = await empty({});
  await on(later, (client) =>
    client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '99990101000000_later', now())",
    ),
  );
  const late = join(folder, "late.tar.gz");
  await writeBackup(later, { file: late, authSecret: null, log });
  const url = await empty();
  await expect(restoreBackup(url, { file: late, log })).rejects.toThrow(
    /99990101000000_later, .* newer than this version/,
  );
  await expect(restoreBackup(later, { file, log })).rejects.toThrow(
    /A newer Rollcall than the one that made the backup/,
  );
});

test("a backup shows one moment while others write, and blocks no writer", async () => {
  const { db, close } = openDatabase({ url: source.url, poolSize: 3, onError: () => {} });
  const newsletter = await db.newsletter.findFirstOrThrow();
  const writes: string[] = [];
  let writing = true;
  const writer = (async () => {
    for (let n = 0; writing; n++) {
      const email = `busy${n}@example.org`;
      const own = { newsletterId: newsletter.id, status: "active", source: "api" };
      const person = { ...own, id: newId(), email, emailCanonical: email };
      // Adds the person and the note in one transaction. A backup has both or neither.
      await db.$transaction([
        db.subscriber.create({ data: person }),
        db.auditEntry.create({
          data: { id: newId(), actorKind: "key", action: "busy", subjectId: person.id },
        }),
      ]);
      writes.push(email);
    }
  })();
  const busy = join(folder, "busy.tar.gz");
  try {
    await expect.poll(() => writes.length).toBeGreaterThan(0);
    await writeBackup(source.url, { file: busy, authSecret: null, log });
  } finally {
    writing = false;
    await writer;
    await close();
  }
  expect(writes.length).toBeGreaterThan(10);
  const url = await empty();
  await restoreBackup(url, { file: busy, log });
  const { rows } = await on(url, (client) =>
    client.query(`SELECT
      (SELECT count(*)::int FROM subscribers WHERE email LIKE 'busy%') AS people,
      (SELECT count(*)::int FROM audit_entries WHERE action = 'busy') AS notes,
      (SELECT count(*)::int FROM subscribers) AS every, (SELECT sum(people)::int FROM subscriber_counts) AS counted`),
  );
  const [seen] = rows;
  expect(seen.people).toBeGreaterThan(0);
  expect(seen.notes).toBe(seen.people);
  expect(seen.counted).toBe(seen.every);
});

test("an interrupted restore leaves nothing, and can be repeated", async () => {
  const url = await empty();
  const cut = (line: string) => {
    if (!line.startsWith("subscriber_events")) return;
    void on(url, (client) =>
      client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rollcall migrate'",
      ),
    );
  };
  await expect(restoreBackup(url, { file, log: cut })).rejects.toThrow();
  expect(await on(url, tablesOf)).toEqual([]);
  await restoreBackup(url, { file, log });
  expect(await contents(url)).toEqual(inBackup);
});

describe("a damaged file", () => {
  let untouched: string;
  beforeAll(async () => {
    untouched = await empty();
  });
  const whole = () => readFileSync(file);
  const flipped = () => {
    const bytes = whole();
    const index = bytes.length >> 1;
    bytes[index] = (bytes[index] as number) ^ 0x55;
    return bytes;
  };
  /** Repacks a changed archive, so that only the checksums reveal the change. */
  const repacked = (text: string, other: string) => () => {
    const tar = gunzipSync(whole());
    const at = tar.indexOf(text);
    expect(at).toBeGreaterThan(0);
    tar.write(other, at);
    return gzipSync(tar);
  };
  test.each<[string, () => Buffer]>([
    ["a changed row", repacked("back\\\\slash", "back\\\\smash")],
    ["a changed manifest", repacked('"madeAt": "2', '"madeAt": "3')],
    ["a changed secret", repacked("ssssssss", "tttttttt")],
    ["a changed byte", flipped],
    ["a missing last byte", () => whole().subarray(0, -1)],
    ["no content", () => Buffer.alloc(0)],
    ["another format", () => Buffer.from("id,email\n1,ada@lovelace.org\n")],
  ])("is rejected for %s, and nothing changes", async (_, content) => {
    const damaged = join(folder, "damaged.tar.gz");
    writeFileSync(damaged, content());
    await expect(verifyBackup(damaged)).rejects.toThrow(
      /is damaged or not a Rollcall backup .* Nothing was changed/,
    );
    await expect(restoreBackup(untouched, { file: damaged, log })).rejects.toThrow(/is damaged/);
    expect(await on(untouched, tablesOf)).toEqual([]);
  });

  const SECRET = "s".repeat(40);

  /** Makes an archive with valid checksums. */
  async function forged(manifest: object, authSecret: string): Promise<string> {
    const forgery = join(folder, "forged.tar.gz");
    const tar = pack();
    const head = JSON.stringify({
      ...{ format: 1, version: "x", madeAt: "2026-01-01T00:00:00.000Z" },
      migrations: [{ name: "x", checksum: "x" }],
      tables: [{ name: "x", columns: ["x"] }],
      ...manifest,
    });
    const sums = {
      manifest: sha256(head),
      authSecret: sha256(authSecret),
      tables: { x: { rows: 0, bytes: 0, sha256: sha256("") } },
    };
    const entries = { "manifest.json": head, "auth-secret": authSecret, "sums.json": JSON.stringify(sums) };
    for (const [name, content] of Object.entries(entries)) tar.entry({ name }, content);
    tar.finalize();
    await pipeline(tar, createGzip(), createWriteStream(forgery));
    return forgery;
  }

  test.each<[string, object, string, RegExp]>([
    ["a manifest of 2 MB", { padding: "x".repeat(2 ** 21) }, SECRET, /manifest\.json is too long/],
    ["a secret of 2 MB", {}, "s".repeat(2 ** 21), /auth-secret is too long/],
    ["a secret of 5 letters", {}, "short", /auth-secret is incomplete/],
    ["a rotated secret of which one is short", {}, `${SECRET}\nshort`, /auth-secret is incomplete/],
  ])("is rejected for %s, despite valid checksums", async (_, manifest, authSecret, message) => {
    await verifyBackup(await forged({}, SECRET));
    const forgery = await forged(manifest, authSecret);
    await expect(verifyBackup(forgery)).rejects.toThrow(message);
    await expect(restoreBackup("postgresql://nowhere", { file: forgery, log })).rejects.toThrow(message);
  });

  test("gets a different error than a missing file", async () => {
    await expect(verifyBackup(join(folder, "absent"))).rejects.toThrow(/can't be read .*ENOENT/);
  });
});

test("a backup is readable only by its user, replaces no file, and leaves no file when it fails", async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(writeBackup(source.url, { file, authSecret: null, log })).rejects.toThrow(/already exists/);
  await expect(
    writeBackup(source.url, { file: join(folder, "no-such-folder", "x"), authSecret: null, log }),
  ).rejects.toThrow(/could not be written \(ENOENT/);
  expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  await expect(
    writeBackup(await empty(), { file: join(folder, "none.tar.gz"), authSecret: null, log }),
  ).rejects.toThrow(/No data to back up/);
});

test("a backup that the disk rejects fails, and leaves no unhandled error", async () => {
  const tables = ["a", "b", "c", "d", "e"].map((name) => ({ name, columns: ["id"] }));
  const manifest = {
    format: 1 as const,
    version: "1.0.0",
    madeAt: "2026-01-01T00:00:00.000Z",
    migrations: [],
    tables,
  };
  async function* copy() {
    yield Buffer.alloc(100_000, "a\n");
  }
  await expect(
    writeArchive(join(folder, "no-such-folder", "x"), { manifest, authSecret: null, copy }, log),
  ).rejects.toThrow(/could not be written \(ENOENT/);
});

test("verifying reports the content of a backup", async () => {
  const { manifest, authSecret, tables } = await verifyBackup(file);
  expect(authSecret).toBe("s".repeat(40));
  expect(tables.subscribers).toMatchObject({ rows: 5000 });
  expect(manifest.migrations.length).toBeGreaterThan(10);
  // A backup contains only rows, so a sequence would restart from 1 after a restore.
  const sequences = await on(source.url, (client) =>
    client.query("SELECT FROM pg_sequences WHERE schemaname = 'public'"),
  );
  expect(sequences.rowCount).toBe(0);
});

test.skipIf(!ownMajor)(
  "moves from PostgreSQL 18 to an older version and back, with a role that is not a superuser",
  async () => {
    const debian = await startDebianPostgres();
    try {
      await restoreBackup(debian.url, { file, log });
      expect(await contents(debian.url)).toEqual(inBackup);
      const back = join(folder, "back.tar.gz");
      await writeBackup(debian.url, { file: back, authSecret: null, log });
      const url = await empty();
      await restoreBackup(url, { file: back, log });
      expect(await contents(url)).toEqual(await contents(debian.url));
    } finally {
      await debian.stop();
    }
  },
);
if (!ownMajor)
  console.log("No PostgreSQL of the machine's own: the restore into an older one was not tried.");
