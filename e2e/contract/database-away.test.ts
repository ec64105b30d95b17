import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import { type DatabaseLine, openDatabaseLine } from "../../server/test/database-line";
import type { Product } from "../../server/test/product";
import { type Answer, ask, BULK, expectRejection, SUBSCRIBERS } from "./client";
import { type Installation, openInstallation } from "./installation";
import { each, people } from "./stage";
import { NO_LIMITS, startContract } from "./start";

const HEALTH_TOKEN = "a token that shows how each part does";

let database: TestDatabase;
let at: Installation;
let product: Product;
let line: DatabaseLine;

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openInstallation(database.url);
  line = await openDatabaseLine(database.url);
  product = await startContract({ ...NO_LIMITS, HEALTH_TOKEN, DATABASE_URL: line.url });
});

afterAll(async () => {
  await at?.close();
  line?.fix();
  const code = await product?.stop();
  line?.close();
  await database?.drop();
  expect(code).toBe(0);
});

/** contract.md §3, service_unavailable; issue 2: /api/health. */
describe("when the database is away", () => {
  const health = () => ask(product, { method: "GET", path: "/api/health", key: HEALTH_TOKEN });
  const post = (key: string, json: unknown, path = SUBSCRIBERS, headers = {}) =>
    ask(product, { key, json, path, headers });

  /** Once the line is whole again the product finds its way back by itself, and never says worse than 503. */
  async function recovered(key: string, email: string): Promise<void> {
    const seen: number[] = [];
    const status = async () => {
      const answer = await post(key, { email });
      seen.push(answer.status);
      return answer.status;
    };
    await expect.poll(status, { interval: 100, timeout: 15_000 }).toBe(201);
    expect(seen.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  }

  it("every write answers 503 with Retry-After, writes nothing, and works again when it is back", async () => {
    const { key, newsletterId } = await at.tenant();
    expect((await post(key, { email: "before@example.org" })).status).toBe(201);
    expect((await health()).json).toMatchObject({ status: "ok", database: { state: "up" } });
    line.cut();
    const answers: Answer[] = [
      await post(key, { email: "a@example.org" }),
      await post(key, { email: "b@example.org", status: "pending" }),
      await post(key, people(100), BULK),
      await post(key, { email: "c@example.org" }, `${SUBSCRIBERS}?dry_run=true`),
      await post(key, { email: "d@example.org" }, SUBSCRIBERS, { "Idempotency-Key": "away" }),
      ...(await each(people(30), 30, (item) => post(key, item))),
    ];
    for (const answer of answers) {
      expectRejection(answer, 503, "service_unavailable");
      expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(answer.json.errors).toBeUndefined();
    }
    const away = await health();
    expect([away.status, away.json]).toMatchObject([
      503,
      { status: "unavailable", database: { state: "away" } },
    ]);
    // Answers that need no database stay the same.
    expectRejection(await post("sk_wrong", {}), 401, "unauthorized");
    expectRejection(await ask(product, { path: "/api/v1/nope" }), 404, "not_found");
    line.fix();
    await recovered(key, "after@example.org");
    expect((await health()).status).toBe(200);
    const list = await at.list(newsletterId);
    expect(list.map((row) => row.email)).toEqual(["before@example.org", "after@example.org"]);
  });
});
