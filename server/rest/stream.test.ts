import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { createKey } from "../api-keys/api-keys";
import type { AppContext } from "../app";
import { concurrencyLimit } from "../kernel/concurrency-limit";
import { AppError } from "../kernel/errors";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { streamAnswer } from "./stream";

const PEOPLE = 15_000;
/** A long name: all people are more than the buffers of a connection hold. */
const NAME = "🦊".repeat(250);

let app: HttpApp;
let sql: Client;
let key: string;
const open: IncomingMessage[] = [];

beforeAll(async () => {
  app = await openHttpApp({ RATE_LIMIT: "off", DATABASE_POOL: "4" });
  sql = new Client({ connectionString: app.app.databaseUrl });
  await sql.connect();
  const ctx = { db: app.app.db, actor: { kind: "operator" } as const, requestId: "test" };
  key = (await createKey(ctx, { newsletterId: app.newsletterId, key: { name: "A key" } })).secret;
  await sql.query("INSERT INTO tags (newsletter_id, number, name, canonical) VALUES ($1, 1, 'vip', 'vip')", [
    app.newsletterId,
  ]);
  await sql.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, first_name, status, source, tags)
     SELECT $1, uuid_at(now() + n * interval '1 millisecond'), n || '@example.org', n || '@example.org', $2, 'active', 'api', '{1}'
     FROM generate_series(1, ${PEOPLE}) AS n`,
    [app.newsletterId, NAME],
  );
});
afterEach(() => {
  for (const response of open.splice(0)) response.destroy();
});
afterAll(async () => {
  await sql.end();
  await app.close();
});

/** Begins a stream and reads none of its body. */
async function begin(query = "", id = "streamed"): Promise<IncomingMessage> {
  const headers = { Accept: "application/x-ndjson", Authorization: `Bearer ${key}`, "X-Request-Id": id };
  const request = get(`${app.origin}/api/v1/subscribers${query}`, { headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  open.push(response);
  return response;
}

const transactions = async () =>
  (
    await sql.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    )
  ).rows;
const until = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 50 });
const logged = async (requestId: string) =>
  until(async () => {
    const { rows } = await sql.query("SELECT status, code FROM api_requests WHERE request_id = $1", [
      requestId,
    ]);
    expect(rows).toHaveLength(1);
    return rows[0];
  });

it("ends its transaction when the client leaves", async () => {
  const response = await begin("", "left");
  expect(await transactions()).toHaveLength(1);
  response.destroy();
  await until(async () => expect(await transactions()).toEqual([]));
  expect(await logged("left")).toMatchObject({ status: 200 });
});

it("breaks the connection when the database fails midway, and tells the request log why", async () => {
  const response = await begin("", "failed");
  const [transaction] = await transactions();
  await sql.query("SELECT pg_terminate_backend($1)", [transaction?.pid]);
  await expect(text(response)).rejects.toThrow("aborted");
  expect(response.complete).toBe(false);
  expect(await logged("failed")).toMatchObject({ status: 503, code: "service_unavailable" });
});

it("a process runs a quarter of its connections as streams; other requests go on, and streams wait in turn", async () => {
  const running = await begin();
  const others = Array.from({ length: 5 }, () => begin("?status=pending"));
  const over = await Promise.race(others);
  expect(over.statusCode).toBe(503);
  expect(over.headers).toMatchObject({ "content-type": "application/json", "retry-after": "5" });
  expect(JSON.parse(await text(over))).toMatchObject({ success: false, code: "service_unavailable" });
  const headers = { Authorization: `Bearer ${key}` };
  expect((await fetch(`${app.origin}/api/v1/subscribers?limit=1`, { headers })).status).toBe(200);
  running.destroy();
  const waiting = (await Promise.all(others)).filter((response) => response !== over);
  for (const response of waiting) expect([response.statusCode, await text(response)]).toEqual([200, ""]);
});

/** Answers without HTTP. */
function direct(produce: Parameters<typeof streamAnswer>[2], stalledMs = 100) {
  const streams = concurrencyLimit({ limit: 1 });
  const context = { app: { streams } as AppContext, request: new Request("http://localhost/") };
  return streamAnswer(context, { format: "ndjson", stalledMs }, produce);
}

it("ends a stream that its client stops reading", async () => {
  let sent = 0;
  const { stream } = await direct(async (send) => {
    for (;;) {
      await send("x");
      sent++;
    }
  });
  expect(await stream?.ended).toBeNull();
  expect(sent).toBe(1);
  await expect(new Response(stream?.body).text()).rejects.toThrow();
});

it("throws an error before the first part, and breaks off after a later one", async () => {
  const error = new AppError("service_unavailable", "No database.");
  await expect(direct(() => Promise.reject(error))).rejects.toBe(error);
  const { stream } = await direct(async (send) => {
    await send("x");
    throw error;
  });
  await expect(new Response(stream?.body).text()).rejects.toThrow();
  expect(await stream?.ended).toBe(error);
});

it("is the list of one moment, whatever is written while it is sent", async () => {
  const response = await begin("?sort=created_at&include=tags");
  await sql.query("UPDATE subscribers SET first_name = 'Changed', tags = NULL");
  await sql.query("DELETE FROM subscribers WHERE email LIKE '%9@example.org'");
  await sql.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
     VALUES ($1, uuid_at(now() + interval '1 hour'), 'new@example.org', 'new@example.org', 'active', 'api')`,
    [app.newsletterId],
  );
  const records = (await text(response)).trimEnd().split("\n");
  expect(records).toHaveLength(PEOPLE);
  for (const [i, record] of records.entries())
    expect(JSON.parse(record)).toMatchObject({ email: `${i + 1}@example.org`, name: NAME, tags: ["vip"] });
  await until(async () => expect(await transactions()).toEqual([]));
});
