import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idAt } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import { openDatabase } from "../../platform/db/client";
import { migrate } from "../../platform/db/migrate";
import { createTestDatabase } from "../../test/database";
import { addNewsletter } from "../../test/linked-person";
import { base, database, openDatabaseForTests } from "../../test/open-database";
import { countMatching as count, listPeople as page } from "../people";
import { peopleWith } from "./people-filter";
import { findBacklogs, flushTrigrams, indexNext } from "./search-index";
import { runSearchIndexer } from "./search-indexer";

openDatabaseForTests();
let newsletterId: string;
let late: Client;
let filling: Client;

beforeAll(async () => {
  late = new Client({ connectionString: base.url });
  filling = new Client({ connectionString: base.url });
  await Promise.all([late.connect(), filling.connect()]);
});
afterAll(() => Promise.all([late.end(), filling.end()]));
beforeEach(async () => {
  newsletterId = (await addNewsletter(database.db)).id;
});

let serial = 0;
/** Adds an active person. @param hours the age of the id, by the clock of the machine that created it */
async function add(client: Client, { name = "Ada", hours = 0 } = {}): Promise<void> {
  const email = `ada${++serial}@example.org`;
  await client.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, status, source)
     VALUES ($1, $2, $3, $3, $4, 'active', 'api')`,
    [newsletterId, idAt(new Date(Date.now() - hours * HOUR_MS)), email, name],
  );
}

const some = async (nth: number) => {
  const { rows } = await filling.query<{ id: string }>(
    "SELECT id FROM subscribers WHERE newsletter_id = $1 ORDER BY id OFFSET $2 LIMIT 1",
    [newsletterId, nth],
  );
  return rows[0]?.id;
};
const all = async (sql: string, values: unknown[] = []) =>
  (await filling.query(sql, [newsletterId, ...values])).rows;

describe("the search index", () => {
  const backlog = async () =>
    (await findBacklogs(filling)).find((one) => one.newsletterId === newsletterId)?.pending;
  const index = async (settledSeconds = 0) =>
    (await indexNext(filling, newsletterId, { settledSeconds })).indexed;
  const many = (n: number) =>
    all(
      `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, status, source)
       SELECT $1, (to_char(g, 'FM00000000') || '-0000-7000-8000-000000000000')::uuid, 'p' || g || '@example.org', 'p' || g || '@example.org', 'Ada', 'active', 'api'
       FROM generate_series(1, $2::int) g`,
      [n],
    );
  const matchesList = async () => {
    const [row] = await all(
      `SELECT count(*)::int AS differing FROM (SELECT id, lower(email) COLLATE "C", searched_name(first_name, last_name) COLLATE "C", status FROM subscribers WHERE newsletter_id = $1) s
       FULL JOIN (SELECT id, email, name, status FROM people_search WHERE newsletter_id = $1) p ON s = p WHERE s IS NULL OR p IS NULL`,
    );
    return row?.differing === 0;
  };

  it("misses no changes and deletes of people during their indexing", async () => {
    await add(filling);
    await add(filling);
    await late.query("BEGIN");
    const [changed, deleted] = [await some(0), await some(1)];
    await late.query("SET LOCAL lock_timeout = 0");
    await filling.query("BEGIN");
    expect(await index()).toBe(2);
    const waits = [
      late.query("UPDATE subscribers SET first_name = 'Grace' WHERE newsletter_id = $1 AND id = $2", [
        newsletterId,
        changed,
      ]),
      late.query("DELETE FROM subscribers WHERE newsletter_id = $1 AND id = $2", [newsletterId, deleted]),
    ];
    await sleep(50);
    await filling.query("COMMIT");
    await Promise.all(waits);
    await late.query("COMMIT");
    expect(await matchesList()).toBe(true);
    expect(await backlog()).toBe(0);
  });

  it("skips people locked by a transaction, and indexes them later", async () => {
    await add(filling);
    await add(filling);
    await late.query("BEGIN");
    await late.query("UPDATE subscribers SET first_name = 'Grace' WHERE newsletter_id = $1 AND id = $2", [
      newsletterId,
      await some(0),
    ]);
    expect(await index()).toBe(1);
    await late.query("COMMIT");
    expect(await backlog()).toBe(1);
    expect(await index()).toBe(1);
    expect(await matchesList()).toBe(true);
  });

  it("waits for new ids to settle, and then finds people whose ids are older than indexed ones", async () => {
    await add(filling, { hours: 3 });
    expect(await index(10)).toBe(1);
    await add(filling);
    expect(await index(10)).toBe(0);
    await add(filling, { hours: 5 });
    expect(await index(10)).toBe(1);
    expect(await backlog()).toBe(1);
  });

  it("continues below a full batch", async () => {
    for (let hours = 1; hours <= 3; hours++) await add(filling, { hours });
    const { last } = await indexNext(filling, newsletterId, { batch: 2 });
    await add(filling);
    expect(last).toBe(await some(1));
    expect(await indexNext(filling, newsletterId, { below: last })).toEqual({
      indexed: 1,
      last: await some(0),
    });
    expect(await index()).toBe(1);
  });

  it("is emptied together with the list", async () => {
    await add(filling);
    await index();
    await filling.query("BEGIN");
    await filling.query("TRUNCATE subscribers CASCADE");
    expect(await findBacklogs(filling)).toEqual([]);
    expect(await all("SELECT FROM people_search WHERE newsletter_id = $1")).toEqual([]);
    await filling.query("ROLLBACK");
  });

  it("relies on an unchangeable creation time and source", async () => {
    await add(filling);
    const change = filling.query(
      "UPDATE subscribers SET created_at = now() - interval '1 day' WHERE newsletter_id = $1",
      [newsletterId],
    );
    await expect(change).rejects.toThrow("does not change");
  });

  it("is filled to the end, also after its connection was killed", async () => {
    const people = 6_000;
    await many(people);
    const options = { url: base.url, closing: new AbortController().signal };
    const killed = runSearchIndexer(options).then(
      () => false,
      () => true,
    );
    await expect.poll(backlog, { timeout: 60_000, interval: 5 }).toBeLessThan(people);
    await filling.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rollcall search' AND datname = current_database()",
    );
    expect(await killed).toBe(true);
    expect(await backlog()).not.toBe(0);
    await runSearchIndexer(options);
    expect(await backlog()).toBe(0);
    expect(await matchesList()).toBe(true);
    const [counted] = await all(
      "SELECT sum(people)::int AS people FROM people_added WHERE newsletter_id = $1",
    );
    expect(counted).toEqual({ people });
  }, 150_000);
});

describe("a PostgreSQL that does not allow the extension", () => {
  it("is migrated anyway, and searches give the same answers", async () => {
    const plain = await createTestDatabase({ empty: true });
    const client = new Client({ connectionString: plain.url });
    await client.connect();
    const name = new URL(plain.url).pathname.slice(1);
    await client.query(`REVOKE CREATE ON DATABASE ${name} FROM CURRENT_USER, PUBLIC`);
    await migrate({ url: plain.url, log: () => {} });
    const { rows } = await client.query(
      "SELECT (SELECT count(*)::int FROM pg_extension WHERE extname = 'pg_trgm') AS made, to_regclass('people_search_trigrams') AS index",
    );
    expect(rows).toEqual([{ made: 0, index: null }]);
    const one = openDatabase({ url: plain.url, poolSize: 1, onError: () => {} });
    try {
      newsletterId = (await addNewsletter(one.db)).id;
      await add(client, { name: "Lovelace" });
      await indexNext(client, newsletterId);
      await flushTrigrams(client);
      await add(client, { name: "Grace" });
      const search = (value: string) => peopleWith(newsletterId, { about: "search", value });
      const found = await page(one, search("velac"), { order: "newest", limit: 9, from: null });
      expect(found.items).toHaveLength(1);
      expect(await count(one, search("ada"))).toEqual({ people: 2 });
    } finally {
      await one.close();
      await client.end();
      await plain.drop();
    }
  });
});
