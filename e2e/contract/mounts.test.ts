import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Product } from "../../server/test/product";
import { bodySuite } from "./body";
import { bulkSuite } from "./bulk";
import { headersSuite } from "./headers";
import { idempotencySuite } from "./idempotency";
import { openInstallation } from "./installation";
import { keysSuite } from "./keys";
import { orderSuite } from "./order";
import { pathsSuite } from "./paths";
import { permissionsSuite } from "./permissions";
import { querySuite } from "./query";
import { racesSuite } from "./races";
import { recordSuite } from "./record";
import { people, type Stage } from "./stage";
import { NO_LIMITS, startContract, startPlainNext } from "./start";
import { unparsedSuite } from "./unparsed";
import { vectorsSuite } from "./vectors";

const stage = {} as Stage;

let database: TestDatabase;
let products: Product[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { ...NO_LIMITS, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1", DATABASE_URL: database.url };
  products = await Promise.all([startContract(env), startContract(env), startPlainNext(env)]);
  const [mount, other] = products;
  Object.assign(stage, { mount, other, at: await openInstallation(database.url) });
});

afterAll(async () => {
  await stage.at?.close();
  const codes = await Promise.all(products.map((product) => product.stop()));
  await database?.drop();
  expect(codes).toEqual([0, 0, 143]); // Next ends by the signal itself
});

const suites = [
  recordSuite,
  keysSuite,
  permissionsSuite,
  orderSuite,
  headersSuite,
  bodySuite,
  bulkSuite,
  querySuite,
  idempotencySuite,
  vectorsSuite,
  racesSuite,
  pathsSuite,
  unparsedSuite,
];
for (const suite of suites) suite(stage);

it("on a plain Next server the same handlers answer, also at an unknown path", async () => {
  const { key, newsletterId } = await stage.at.tenant();
  async function post(path: string, body: unknown) {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const url = `${products[2]?.url}/api/v1${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  }
  const ada = { email: "ada@lovelace.org" };
  expect(await post("/subscribers", ada)).toMatchObject([201, { success: true, data: ada }]);
  expect(await post("/subscribers/bulk", people(3))).toMatchObject([201, { data: { created: people(3) } }]);
  expect(await post("/nope", {})).toMatchObject([404, { success: false, code: "not_found" }]);
  expect(await stage.at.list(newsletterId)).toHaveLength(4);
});

it("no process logged a crash", () => {
  for (const product of products) expect(product.output()).not.toMatch(/internal_error|unhandled|uncaught/i);
});
