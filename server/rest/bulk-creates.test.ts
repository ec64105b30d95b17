import { Client } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createKey } from "../api-keys/api-keys";
import { newId } from "../kernel/ids";
import { opened, openHttpAppForTests } from "../test/http-app";

openHttpAppForTests({ DATABASE_POOL: "4" });
let sql: Client;
let key: string;

beforeAll(async () => {
  const { app, newsletterId } = opened;
  sql = new Client({ connectionString: app.databaseUrl });
  await sql.connect();
  const ctx = { db: app.db, actor: { kind: "operator" } as const, requestId: "test" };
  key = (await createKey(ctx, { newsletterId, key: { name: "Shop" } })).secret;
});
afterAll(() => sql.end());

const request = (path = "", body?: unknown) =>
  fetch(`${opened.origin}/api/v1/subscribers${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

it("leaves connections for other requests while bulks wait for an address", { timeout: 60_000 }, async () => {
  await sql.query("BEGIN");
  await sql.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
     VALUES ($1, $2, 'ada@example.org', 'ada@example.org', 'active', 'import')`,
    [opened.newsletterId, newId()],
  );
  const bulks = Array.from({ length: 8 }, (_, i) =>
    request("/bulk", [{ email: "ada@example.org" }, { email: `person${i}@example.org` }]),
  );
  const waiting = "SELECT count(*)::int AS bulks FROM pg_locks WHERE NOT granted";
  await vi.waitFor(async () => expect((await sql.query(waiting)).rows).toEqual([{ bulks: 2 }]), 30_000);
  expect((await request()).status).toBe(200);
  await sql.query("ROLLBACK");
  const statuses = (await Promise.all(bulks)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, ...Array(7).fill(422)]);
});
