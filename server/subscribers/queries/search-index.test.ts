import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { idAt } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import { openDatabase } from "../../platform/db/client";
import { migrate } from "../../platform/db/migrate";
import { openJobs } from "../../platform/jobs/jobs";
import { createTestDatabase } from "../../test/database";
import { addNewsletter } from "../../test/linked-person";
import { base, database, openDatabaseForTests } from "../../test/open-database";
import { countMatching as count, listPeople as page } from "../people";
import { type PeopleOrder, peopleOrders } from "../schema/people-list";
import type { Status } from "../status-moves";
import type { ResolvedCondition } from "./filter-conditions";
import { countActiveSince } from "./people-counts";
import { type PeopleFilter, peopleWith } from "./people-filter";
import { countOlder, findBacklogs, flushTrigrams, indexNewest, indexOlder } from "./search-index";
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

const statuses = ["active", "pending", "unsubscribed"] as const;
const sources = ["api", "import", "dashboard"] as const;

type NewPerson = {
  at: number;
  /** The given sign-up date, in hours from now. */
  subscribed?: number | null;
  email: string;
  name: string;
  status: number;
  source: number;
};
let serial = 0;

/** @param at the clock of the machine that created the id, in hours from now */
async function add(client: Client, one: NewPerson): Promise<void> {
  const { at, subscribed = null, email, name, status, source } = one;
  const address = `${email}${++serial}@${name[0] ? "Gmail.com" : "example.org"}`;
  await client.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, created_at, confirmed_at, unsubscribed_at, subscribed_at)
     VALUES ($1, $2, $3, lower($3), $4, $5, $6, $7, now() + $8 * interval '1 hour', CASE WHEN $9 THEN now() - $10 * interval '1 minute' END,
       CASE WHEN $6 = 'unsubscribed' THEN now() END, now() + $11 * interval '1 hour')`,
    [
      newsletterId,
      idAt(new Date(Date.now() + at * HOUR_MS)),
      address,
      name.split(" ")[0] ?? "",
      name.split(" ").slice(1).join(" "),
      statuses[status],
      sources[source],
      Math.trunc(at),
      status === 0 && source > 0,
      serial % 7,
      subscribed,
    ],
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

type Question = {
  search?: string;
  nameContains?: string;
  status?: Status[];
  source?: string[];
  addedFrom?: Date;
  addedBefore?: Date;
  subscribedFrom?: Date;
  subscribedBefore?: Date;
  confirmedFrom?: Date;
  confirmedBefore?: Date;
};
const time = (
  about: "added" | "subscribed_at" | "confirmed",
  test: "after" | "before",
  at?: Date,
): ResolvedCondition[] => (at ? [{ about, test, at: at.toISOString() }] : []);
const filterOf = ({ search, nameContains: value, status, source, ...times }: Question) =>
  peopleWith(
    newsletterId,
    ...(search ? [{ about: "search" as const, value: search }] : []),
    ...(value ? [{ about: "name" as const, test: "contains" as const, value }] : []),
    ...(status ? [{ about: "status" as const, is: status }] : []),
    ...(source ? [{ about: "source" as const, is: source }] : []),
    ...time("added", "after", times.addedFrom),
    ...time("added", "before", times.addedBefore),
    ...time("subscribed_at", "after", times.subscribedFrom),
    ...time("subscribed_at", "before", times.subscribedBefore),
    ...time("confirmed", "after", times.confirmedFrom),
    ...time("confirmed", "before", times.confirmedBefore),
  );

/** Answers the question from the list alone, without the index. */
async function queryList(filter: Question, order: PeopleOrder): Promise<string[]> {
  const conditions = ["newsletter_id = $1"];
  const values: unknown[] = [];
  const where = (sql: string, value: unknown) => {
    values.push(value);
    conditions.push(sql.replaceAll("?", `$${values.length + 1}`));
  };
  const name = "lower(trim(first_name || ' ' || last_name))";
  const { search, nameContains } = filter;
  const literalOf = (text: string) => text.replace(/[\\%_]/g, "\\$&").toLowerCase();
  if (nameContains) where(`${name} LIKE '%' || ? || '%'`, literalOf(nameContains));
  if (search) {
    const literal = literalOf(search);
    if (Array.from(search).length < 3)
      where(
        `(lower(email) LIKE ? || '%' OR ${name} LIKE ? || '%' OR ${name} LIKE '% ' || ? || '%')`,
        literal,
      );
    else where(`(lower(email) LIKE '%' || ? || '%' OR ${name} LIKE '%' || ? || '%')`, literal);
  }
  if (filter.status) where("status = ANY (?)", filter.status);
  if (filter.source) where("source = ANY (?)", filter.source);
  if (filter.addedFrom) where("created_at >= ?", filter.addedFrom);
  if (filter.addedBefore) where("created_at < ?", filter.addedBefore);
  if (filter.subscribedFrom) where("coalesce(subscribed_at, created_at) >= ?", filter.subscribedFrom);
  if (filter.subscribedBefore) where("coalesce(subscribed_at, created_at) < ?", filter.subscribedBefore);
  if (filter.confirmedFrom) where("confirmed_at >= ?", filter.confirmedFrom);
  if (filter.confirmedBefore) where("confirmed_at < ?", filter.confirmedBefore);
  const down = order.startsWith("-") ? "DESC" : "ASC";
  const ordering = {
    newest: "id DESC",
    oldest: "id",
    email: `lower(email) COLLATE "C" ${down}, id ${down}`,
    name: `nullif(${name}, '') COLLATE "C" ${down} NULLS LAST, CASE WHEN ${name} = '' THEN id END DESC, id ${down}`,
    subscribed_at: `coalesce(subscribed_at, time_of_id(id)) ${down}, id ${down}`,
    confirmed: `confirmed_at ${down} NULLS LAST, CASE WHEN confirmed_at IS NULL THEN id END DESC, id ${down}`,
  }[order.replace("-", "") as "newest"];
  const rows = await all(
    `SELECT id FROM subscribers WHERE ${conditions.join(" AND ")} ORDER BY ${ordering}`,
    values,
  );
  return rows.map((row) => row.id);
}

/** Reads all pages to the end and back again. */
async function readAllPages(filter: PeopleFilter, order: PeopleOrder, limit: number) {
  const forth: string[] = [];
  let from: { after: string } | { before: string } | null = null;
  let last: Awaited<ReturnType<typeof page>>;
  do {
    last = await page(database, { filter, order, limit, from });
    forth.push(...last.items.map((person) => person.id));
    from = last.next ? { after: last.next } : null;
  } while (from);
  const back = last.items.map((person) => person.id);
  while (last.previous) {
    last = await page(database, { filter, order, limit, from: { before: last.previous } });
    back.unshift(...last.items.map((person) => person.id));
  }
  return { forth, back };
}

const person = fc.record({
  // Up to a day before and after the others, because of clock differences and long transactions.
  at: fc.double({ min: -30, max: 2, noNaN: true }),
  // Often the same one, so that ids decide.
  subscribed: fc.option(fc.constantFrom(-40, -20, -20, -20, -3, 0), { freq: 1 }),
  email: fc.constantFrom("ada", "Grace", "100%_", "o.k", "zo\\e", "élodie"),
  name: fc.constantFrom("", "Ada Lovelace", "Grace Brewster Hopper", "Zoë Émile", "Li", "a%b"),
  status: fc.nat(2),
  source: fc.nat(2),
});
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant("add" as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("add late" as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("commit" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("rename" as const), nth: fc.nat(30), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), nth: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("copy" as const), batch: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("look" as const), batch: fc.integer({ min: 1, max: 3 }) }),
  },
);
const around = fc
  .integer({ min: -32, max: 3 })
  .map((hours) => new Date(Math.round(Date.now() / HOUR_MS + hours) * HOUR_MS));
const words = [
  "a",
  "gr",
  "ZO",
  "gmail",
  "ADA",
  "lovel",
  "%_",
  "100%",
  "e h",
  "éMI",
  "o\\e1",
  "nobody",
  "org",
];
/** At most two conditions; with more, most questions would match nobody. */
const question = fc
  .record({
    search: fc.constantFrom(...words),
    nameContains: fc.constantFrom(...words),
    status: fc.subarray([...statuses], { minLength: 1 }),
    source: fc.subarray([...sources], { minLength: 1 }),
    addedFrom: around,
    addedBefore: around,
    subscribedFrom: around,
    subscribedBefore: around,
    confirmedFrom: around,
    confirmedBefore: around,
  })
  .chain((all) =>
    fc.subarray(Object.entries(all), { maxLength: 2 }).map((some): Question => Object.fromEntries(some)),
  );

describe("searching, filtering, sorting and counting", () => {
  it("gives the same answers as the list, however many people are indexed", async () => {
    const stage = fc.record({
      steps: fc.array(step, { minLength: 20, maxLength: 40, size: "max" }),
      questions: fc.array(fc.record({ filter: question, order: fc.constantFrom(...peopleOrders) }), {
        minLength: 4,
        maxLength: 4,
      }),
      limit: fc.integer({ min: 2, max: 7 }),
    });
    const answered = { some: 0, severalPages: 0 };
    await fc.assert(
      fc.asyncProperty(stage, async ({ steps, questions, limit }) => {
        newsletterId = (await addNewsletter(database.db)).id;
        let open = false;
        for (const one of steps) {
          if (one.do === "add") await add(filling, one.person);
          if (one.do === "add late") {
            if (!open) await late.query("BEGIN");
            open = true;
            await add(late, one.person);
          }
          if (one.do === "commit" && open) {
            await late.query("COMMIT");
            open = false;
          }
          if (one.do === "rename") {
            await filling.query(
              "UPDATE subscribers SET first_name = $3, last_name = '', subscribed_at = now() + $6 * interval '1 hour', email = $4 || email, status = CASE status WHEN 'unsubscribed' THEN status ELSE $5 END, unsubscribed_at = CASE WHEN 'unsubscribed' IN (status, $5) THEN now() END WHERE newsletter_id = $1 AND id = $2",
              [
                newsletterId,
                await some(one.nth),
                one.person.name,
                one.person.email,
                statuses[one.person.status],
                one.person.subscribed,
              ],
            );
          }
          if (one.do === "delete") {
            const id = await some(one.nth);
            await filling.query("DELETE FROM subscribers WHERE newsletter_id = $1 AND id = $2", [
              newsletterId,
              id,
            ]);
          }
          if (one.do === "copy") await indexNewest(filling, newsletterId, 0, one.batch);
          if (one.do === "look") await indexOlder(filling, newsletterId, null, { batch: one.batch });
        }
        for (const { filter, order } of questions) {
          const asked = filterOf(filter);
          const right = await queryList(filter, order);
          const { forth, back } = await readAllPages(asked, order, limit);
          expect(forth).toEqual(right);
          expect(back).toEqual(right);
          expect(await count(database, asked)).toEqual({ people: right.length });
          if (right.length > 0) answered.some++;
          if (right.length > limit) answered.severalPages++;
        }
        const [plain] = await all(
          "SELECT count(*)::int AS active FROM subscribers WHERE newsletter_id = $1 AND status = 'active'",
        );
        const moved = await countActiveSince(database.db, newsletterId, new Date(0));
        expect(moved.joined - moved.left).toBe(plain?.active);
        if (open) await late.query("ROLLBACK");
      }),
      { numRuns: 16 },
    );
    expect(answered.some).toBeGreaterThan(25);
    expect(answered.severalPages).toBeGreaterThan(10);
  });
});

describe("the search index", () => {
  const backlog = async () =>
    (await findBacklogs(filling)).find((one) => one.newsletterId === newsletterId)?.pending;
  const one = { at: 0, email: "ada", name: "Ada", status: 0, source: 0 };
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
    await add(filling, one);
    await add(filling, one);
    await late.query("BEGIN");
    const [changed, deleted] = [await some(0), await some(1)];
    await late.query("SET LOCAL lock_timeout = 0");
    await filling.query("BEGIN");
    expect(await indexNewest(filling, newsletterId, 0)).toBe(2);
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
    await add(filling, one);
    await add(filling, one);
    await late.query("BEGIN");
    await late.query("UPDATE subscribers SET first_name = 'Grace' WHERE newsletter_id = $1 AND id = $2", [
      newsletterId,
      await some(0),
    ]);
    expect(await indexNewest(filling, newsletterId, 0)).toBe(1);
    await late.query("COMMIT");
    expect(await backlog()).toBe(1);
    expect((await indexOlder(filling, newsletterId, null)).indexed).toBe(1);
    expect(await matchesList()).toBe(true);
  });

  it("distinguishes people who are too new from people who were skipped", async () => {
    await add(filling, { ...one, at: -3 });
    expect(await indexNewest(filling, newsletterId, 10)).toBe(1);
    await add(filling, one);
    expect(await indexNewest(filling, newsletterId, 10)).toBe(0);
    expect(await countOlder(filling, { newsletterId, pending: 1 })).toBe(0);
    await add(filling, { ...one, at: -5 });
    expect(await backlog()).toBe(2);
    expect(await countOlder(filling, { newsletterId, pending: 2 })).toBe(1);
  });

  it("is filled with people who commit late, one after another, by one job", async () => {
    for (const at of [-9, -8, -1]) await add(filling, { ...one, at });
    await indexNewest(filling, newsletterId, 0);
    // The id of this person is too new all the time, so the job goes on.
    await add(filling, { ...one, at: 1 });
    const closing = new AbortController();
    const running = runSearchIndexer({ url: base.url, closing: closing.signal, idleMs: 20 });
    for (const at of [-3, -2]) {
      await add(filling, { ...one, at });
      await expect.poll(backlog, { timeout: 60_000 }).toBe(1);
    }
    closing.abort();
    await running;
  });

  it("is emptied together with the list", async () => {
    await add(filling, one);
    await indexNewest(filling, newsletterId, 0);
    await filling.query("BEGIN");
    await filling.query("TRUNCATE subscribers CASCADE");
    expect(await findBacklogs(filling)).toEqual([]);
    expect(await all("SELECT FROM people_search WHERE newsletter_id = $1")).toEqual([]);
    await filling.query("ROLLBACK");
  });

  it("relies on an unchangeable creation time and source", async () => {
    await add(filling, one);
    const change = filling.query(
      "UPDATE subscribers SET created_at = now() - interval '1 day' WHERE newsletter_id = $1",
      [newsletterId],
    );
    await expect(change).rejects.toThrow("does not change");
  });

  it("is filled by one of two processes, and by the other after the first is killed", async () => {
    await many(12_000);
    const errors: unknown[] = [];
    const note = (details: object) => void errors.push(details);
    const log = { warn: note, error: note };
    const processes = [1, 2].map(() => openJobs({ databaseUrl: base.url, log }));
    for (const jobs of processes)
      await jobs.start({
        "search-index": (_, closing) => runSearchIndexer({ url: base.url, closing, idleMs: 20 }),
      });
    const copied = async () => 12_000 - ((await backlog()) ?? 0);
    const sessions = async () =>
      (
        await filling.query(
          "SELECT pid FROM pg_stat_activity WHERE application_name = 'rollcall search' AND datname = current_database()",
        )
      ).rows;
    try {
      await expect.poll(copied, { timeout: 60_000 }).toBeGreaterThan(2_000);
      const holders = await sessions();
      expect(holders).toHaveLength(1);
      await filling.query("SELECT pg_terminate_backend($1)", [holders[0]?.pid]);
      expect(await copied()).toBeLessThan(12_000);
      await expect.poll(copied, { timeout: 60_000 }).toBe(12_000);
      expect(await matchesList()).toBe(true);
      const [counted] = await all(
        "SELECT sum(people)::int AS people FROM people_added WHERE newsletter_id = $1",
      );
      expect(counted?.people).toBe(12_000);
      expect(errors).toHaveLength(1);
    } finally {
      await Promise.all(processes.map((jobs) => jobs.stop()));
    }
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
      const ada = { at: 0, email: "ada", name: "Ada Lovelace", status: 0, source: 0 };
      await add(client, ada);
      await indexNewest(client, newsletterId, 0);
      await flushTrigrams(client);
      await add(client, { ...ada, name: "Grace" });
      const filter = filterOf({ search: "velac" });
      expect((await page(one, { filter, order: "newest", limit: 9, from: null })).items).toHaveLength(1);
      expect(await count(one, filterOf({ search: "ada" }))).toEqual({ people: 2 });
    } finally {
      await one.close();
      await client.end();
      await plain.drop();
    }
  });
});
