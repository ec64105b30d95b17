import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitsPerKey, writeChangePosition } from "../../server/events/schema/changes";
import { newId } from "../../server/kernel/ids";
import { deleteExpired } from "../../server/operations/queries/housekeeping";
import { migrate } from "../../server/platform/db/migrate";
import { handleRest } from "../../server/rest/handler";
import { confirmByLink } from "../../server/subscribers/confirmations";
import { deleteSubscribers, updateSubscribers } from "../../server/subscribers/queries/subscribers";
import { createTestDatabase } from "../../server/test/database";
import { addLinkedPerson } from "../../server/test/linked-person";
import { startThrowawayCluster } from "../../server/test/throwaway-cluster";
import { api, ask, openApi, openApiForTests, SUBSCRIBERS, tenant } from "./app";

const SOON = { timeout: 20_000 };
const CHANGES = "/api/v1/changes";
/** Changes are kept for so long. */
const DAYS = 30;

let cluster: Awaited<ReturnType<typeof startThrowawayCluster>>;
/** On its own PostgreSQL: open transactions of other tests would hold changes back. */
async function openAlone() {
  const database = await createTestDatabase({ clusterUrl: cluster.url });
  await migrate({ url: database.url, log: () => {} });
  return openApi({}, database);
}
beforeAll(async () => {
  cluster = await startThrowawayCluster();
});
afterAll(() => cluster.remove());
openApiForTests({}, openAlone);

type Change = { type: string; subscriber_id: string; subscriber: { email: string } | null };

const get = (query: string, key = tenant.key) => api.ask(key, "GET", `${CHANGES}?${query}`);
const position = async (query = "after=now") => (await get(query)).json.pagination.next as string;

/** The changes after a position, once there are so many. */
async function follow(after: string | null, count: number, limit = 100) {
  const seen: Change[] = [];
  let next = after;
  for (const until = Date.now() + 60_000; ; ) {
    const wait = seen.length < count ? 1 : 0;
    const { status, json } = await get(`limit=${limit}&wait=${wait}${next ? `&after=${next}` : ""}`);
    expect(status).toBe(200);
    seen.push(...json.data);
    next = json.pagination.next;
    if (json.data.length === 0 && (seen.length >= count || Date.now() > until)) return { seen, next };
  }
}
const told = ({ seen }: { seen: Change[] }) =>
  seen.map(({ type, subscriber }) => `${type} ${subscriber?.email.split("@")[0] ?? "-"}`);

const create = async (name: string, more: object = {}) =>
  (await ask("POST", SUBSCRIBERS, { email: `${name}@example.org`, ...more })).json.data.id as string;
const put = (id: string, json: unknown) => ask("PUT", `${SUBSCRIBERS}/${id}`, json);

/** A transaction of another session. */
async function open() {
  const client = new Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  return {
    insert: (name: string) =>
      client.query(
        "INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source) VALUES ($1, $2, $3, $3, 'active', 'api')",
        [tenant.newsletterId, newId(), `${name}@example.org`],
      ),
    end: async (how: "COMMIT" | "ROLLBACK") => {
      await client.query(how);
      await client.end();
    },
  };
}

it("holds changes behind a running transaction back, and shows each once when it has ended", async () => {
  const after = await position();
  const slow = await open();
  await slow.insert("slow");
  await create("quick");
  const held = await get(`after=${after}&wait=1`);
  expect(held.json.data).toEqual([]);
  await slow.insert("late");
  await slow.end("COMMIT");
  const all = await follow(held.json.pagination.next, 3, 1);
  expect(told(all)).toEqual(["created slow", "created late", "created quick"]);
  expect(told(await follow(all.next, 0))).toEqual([]);
});

it("skips rolled-back changes and continues after them", async () => {
  const after = await position();
  const lost = await open();
  await lost.insert("lost");
  await lost.end("ROLLBACK");
  await create("stays");
  expect(told(await follow(after, 1))).toEqual(["created stays"]);
});

describe("the kinds", () => {
  it("are distinct, with the person's current record", async () => {
    const after = await position();
    const ada = await create("ada");
    await put(ada, { name: "Ada King" });
    const claims = await addLinkedPerson(api.app.db, tenant.newsletterId, { email: "grace@example.org" });
    const ctx = { ...api.app, actor: { kind: "link", address: null } as const, requestId: "x" };
    expect(await confirmByLink(ctx, claims)).toMatchObject({ done: true });
    await ask("DELETE", `${SUBSCRIBERS}/${ada}`);
    await ask("DELETE", `${SUBSCRIBERS}/${ada}`);
    await put(ada, { status: "pending" });
    const all = await follow(after, 6);
    expect(told(all)).toEqual([
      "created ada",
      "updated ada",
      "created grace",
      "confirmed grace",
      "unsubscribed ada",
      "updated ada",
    ]);
    expect(all.seen[0]?.subscriber).toMatchObject({ name: "Ada King", status: "pending" });
  });

  it("include the current fields and tags on request", async () => {
    const after = await position();
    const id = await create("tagged", { tags: ["Early"] });
    await put(id, { tags: ["Late"] });
    await follow(after, 2);
    const { json } = await get(`after=${after}&include=tags`);
    expect(json.data.map(({ type, subscriber }: Change) => [type, subscriber])).toEqual([
      ["created", expect.objectContaining({ id, tags: ["Late"] })],
      ["updated", expect.objectContaining({ id, tags: ["Late"] })],
    ]);
    expect(Object.keys((await get(`after=${after}`)).json.data[0].subscriber)).toHaveLength(5);
  });

  it("keep only the id of an erased person, in earlier changes too", async () => {
    const after = await position();
    const id = await create("gone");
    const { db } = api.app;
    await db.$transaction((tx) => deleteSubscribers(tx, tenant.newsletterId, [id], {}));
    const { seen } = await follow(after, 2);
    expect(seen).toMatchObject([
      { type: "created", subscriber_id: id, subscriber: null },
      { type: "erased", subscriber_id: id, subscriber: null },
    ]);
  });

  it("several changes in one transaction appear as one, of the most informative kind", async () => {
    const [a, b] = [await create("a"), await create("b")];
    const after = await position();
    const { newsletterId } = tenant;
    await api.app.db.$transaction(async (tx) => {
      await updateSubscribers(tx, newsletterId, [a, b], { firstName: "X" });
      await updateSubscribers(tx, newsletterId, [a], { status: "unsubscribed" });
      await updateSubscribers(tx, newsletterId, [a], { firstName: "Y" });
      await deleteSubscribers(tx, newsletterId, [b], {});
    });
    expect(told(await follow(after, 2))).toEqual(["unsubscribed a", "erased -"]);
  });
});

describe("a position", () => {
  it("if absent starts with all stored changes; `now` starts with the next", async () => {
    await create("old");
    expect(told(await follow(null, 1))).toEqual(["created old"]);
    const now = await get("after=now");
    expect(now.json.data).toEqual([]);
    await create("new");
    expect(told(await follow(now.json.pagination.next, 1))).toEqual(["created new"]);
  });

  it("that the server never returned, of another history, or ahead of this one, is 400", async () => {
    const [{ epoch } = { epoch: "" }] = await api.at.sql<{ epoch: string }>("SELECT epoch FROM change_epoch");
    const id = newId();
    const moved = /restored or moved.*after=now/;
    for (const [after, advice] of [
      ...["x", "AaH6uCIdc8y_b4i7-BHOPA", "a".repeat(200)].map((text) => [text, /./] as const),
      [writeChangePosition({ epoch: newId(), xid: "7", id }), moved],
      [writeChangePosition({ epoch, xid: "9000000000000000000", id }), moved],
    ] as const) {
      const { status, json } = await get(`after=${after}`);
      expect([status, json]).toMatchObject([
        400,
        { code: "validation_error", errors: { after: [expect.any(String)] } },
      ]);
      expect(json.errors.after[0]).toMatch(advice);
    }
  });

  it("is invalid after a restore into another database, whose old changes are gone", async () => {
    await create("before");
    const old = await position("limit=1");
    await api.at.sql("UPDATE change_epoch SET identity = 'another cluster'");
    const { status, json } = await get(`after=${old}`);
    expect([status, json.errors.after[0]]).toEqual([400, expect.stringContaining("restored or moved")]);
    const after = await position();
    expect((await get("limit=100")).json.data).toEqual([]);
    await create("behind");
    expect(told(await follow(after, 1))).toEqual(["created behind"]);
  });

  it("older than the stored changes is 400; regular readers are not affected", async () => {
    const quiet = await position();
    await create("long-ago");
    await follow(null, 1);
    const old = await position("limit=1");
    await create("lately");
    const lately = await follow(old, 1);
    await api.at.sql(
      `UPDATE changes SET at = at - interval '${DAYS + 1} days' WHERE newsletter_id = $1 AND xid IN
         (SELECT min(xid) FROM changes WHERE newsletter_id = $1)`,
      [tenant.newsletterId],
    );
    expect(await deleteExpired(api.app.db)).toMatchObject({ "changes of the change feed": 1 });
    const { status, json } = await get(`after=${quiet}`);
    expect([status, json.errors.after[0]]).toEqual([400, expect.stringContaining(`${DAYS} days`)]);
    expect((await get(`after=${lately.next}`)).status).toBe(200);
    expect(told(await follow(null, 1))).toEqual(["created lately"]);
  });
});

describe("a request that waits", () => {
  const waits = () => api.app.changeWaits.size();

  it("is answered soon after a commit, of another session too", async () => {
    const after = await position();
    const asked = get(`after=${after}&wait=30`);
    await expect.poll(waits, SOON).toBe(1);
    const other = await open();
    await other.insert("late");
    await other.end("COMMIT");
    const committedAt = performance.now();
    expect(told({ seen: (await asked).json.data })).toEqual(["created late"]);
    expect(performance.now() - committedAt).toBeLessThan(20_000);
    expect(waits()).toBe(0);
  });

  it("is answered empty after its time, and holds no connection meanwhile", async () => {
    const after = await position();
    const begunAt = performance.now();
    const asked = get(`after=${after}&wait=2`);
    await expect.poll(waits, SOON).toBe(1);
    await expect.poll(() => api.app.pool.totalCount - api.app.pool.idleCount, SOON).toBe(0);
    expect((await asked).json.data).toEqual([]);
    expect(performance.now() - begunAt).toBeGreaterThan(1_900);
  });

  it(`is refused beside ${waitsPerKey} others of its key, and no longer once they have gone away`, async () => {
    const after = await position();
    const gone = new AbortController();
    const ask = (signal: AbortSignal) => {
      const headers = { Authorization: `Bearer ${tenant.key}` };
      const url = `http://localhost:3000${CHANGES}?after=${after}&wait=30`;
      return handleRest(api.app, new Request(url, { headers, signal }), "127.0.0.1");
    };
    const asked = Array.from({ length: waitsPerKey }, () => ask(gone.signal));
    await expect.poll(waits, SOON).toBe(waitsPerKey);
    const { status, headers, json } = await get(`after=${after}&wait=30`);
    expect([status, json.code, headers["retry-after"]]).toEqual([429, "rate_limit_exceeded", "1"]);
    const other = await api.at.addKey(tenant.newsletterId);
    expect((await get(`after=${after}&wait=1`, other.secret)).status).toBe(200);
    gone.abort();
    await Promise.all(asked);
    expect(waits()).toBe(0);
    expect((await get(`after=${after}&wait=1`)).status).toBe(200);
  });

  it("does not count its wait as response time", async () => {
    const after = await position();
    await get(`after=${after}&wait=2`);
    const logged = () =>
      api.at.sql<{ ms: number }>(
        "SELECT duration_ms AS ms FROM api_requests WHERE newsletter_id = $1 AND operation = 'listChanges' ORDER BY id",
        [tenant.newsletterId],
      );
    await expect.poll(async () => (await logged()).length, { timeout: 20_000 }).toBe(2);
    expect((await logged())[1]?.ms).toBeLessThan(1_900);
  });

  it.each(["wait=31", "wait=-1", "wait=x", "limit=0", "limit=101"])("is 400 with %s", async (query) => {
    expect((await get(query)).status).toBe(400);
  });

  it("ends at once when the process stops", async () => {
    const other = await openAlone();
    const { key } = await other.at.tenant();
    const asked = other.ask(key, "GET", `${CHANGES}?wait=30`);
    await expect.poll(() => other.app.changeWaits.size(), SOON).toBe(1);
    const stoppedAt = performance.now();
    const stopping = other.app.jobs.stop();
    expect((await asked).status).toBe(200);
    expect(performance.now() - stoppedAt).toBeLessThan(20_000);
    await stopping;
    await other.close();
  });
});
