import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../platform/db/client";
import { migrate } from "../../platform/db/migrate";
import { createTestDatabase } from "../../test/database";
import { migrateBefore } from "../../test/old-schema";
import { recipientHash } from "../recipient-hash";
import { nextConfirmations, takeMailAllowance } from "./mail-throttle";

const MIGRATION = "20261122095500_throttle_digests";
const [often, once, never] = ["often", "once", "never"].map((name) =>
  recipientHash(`${name}@lovelace.org`),
) as [string, string, string];

/** A database as it was before the digests were keyed, with what it remembers of two people. */
async function databaseBefore() {
  const database = await createTestDatabase({ empty: true });
  const { db, close } = openDatabase({ url: database.url, poolSize: 2, onError: () => {} });
  onTestFinished(async () => {
    await close();
    await database.drop();
  });
  await migrateBefore(database.url, MIGRATION);
  await db.$executeRaw`
    INSERT INTO mail_throttle (recipient_hash, allowed_at) VALUES
      (${often}, ARRAY[now() - interval '3 hours', now() - interval '2 hours', now() - interval '1 hour']),
      (${once}, ARRAY[now() - interval '10 minutes'])`;
  await migrate({ url: database.url, log: () => {} });
  return db;
}

test("who was mailed before the digests were keyed is throttled after it as they would have been", async () => {
  const db = await databaseBefore();
  const next = await nextConfirmations(db, [often, once, never]);
  expect(next.get(often)).toMatchObject({ dayIsFull: true, isNow: false });
  expect(next.get(once)).toMatchObject({ dayIsFull: false, isNow: true });
  expect(next.has(never)).toBe(false);
  expect(await takeMailAllowance(db, [often, once, never])).toEqual(new Set([once, never]));
  expect(await takeMailAllowance(db, [often, once, never])).toEqual(new Set());
});

test("the table knows nobody by what a guessed address hashes to", async () => {
  const db = await databaseBefore();
  await takeMailAllowance(db, [never]);
  const rows = await db.mailThrottle.findMany();
  expect(rows).toHaveLength(3);
  for (const row of rows) expect([often, once, never]).not.toContain(row.recipientHash);
});
