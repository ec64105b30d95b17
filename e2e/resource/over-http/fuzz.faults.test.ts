import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../server/test/database";
import { type Product, startProduct } from "../../../server/test/product";
import { documentValidator } from "../../contract/document";
import { type Installation, openInstallation } from "../../contract/installation";
import { fuzz, type Keys } from "../fuzz";

/** FUZZ_REQUESTS=100000 is the full run; FUZZ_SEED tries others. */
const total = Number(process.env.FUZZ_REQUESTS || 10_000);
const seed = Number(process.env.FUZZ_SEED || 20261120);

let database: TestDatabase;
let product: Product;
let at: Installation;

beforeAll(async () => {
  database = await createTestDatabase();
  const off = {
    RATE_LIMIT: "off",
    RATE_LIMIT_BULK: "off",
    RATE_LIMIT_ME: "off",
    LOCKOUT_AUTH: "off",
    LOCKOUT_ERRORS: "off",
  };
  product = await startProduct({ env: { ...off, DATABASE_URL: database.url } });
  at = await openInstallation(database.url);
});
afterAll(async () => {
  await at?.close();
  await product?.stop();
  await database?.drop();
});

it(`${total} requests made from the document: no 5xx, no hang, every answer as the document says (seed ${seed})`, async () => {
  const { key: full, newsletterId } = await at.tenant();
  const readOnly = (await at.addKey(newsletterId, { permissions: ["subscribers:read"] })).secret;
  const writeOnly = (await at.addKey(newsletterId, { permissions: ["subscribers:write"] })).secret;
  const gone = await at.addKey(newsletterId);
  await at.revoke(gone.id);
  const keys: Keys = { full, readOnly, writeOnly, revoked: gone.secret };
  const people = Array.from({ length: 40 }, (_, i) => ({ email: `first-${i}@example.org` }));
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${full}`, "Content-Type": "application/json" };
    const answer = await fetch(product.url + path, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as { data: never };
  };
  type Ids = { id: string }[];
  const { data: bulk } = await send("POST", "/api/v1/subscribers/bulk", people);
  const created = (bulk as { created: Ids }).created.map(({ id }) => id);
  for (let i = 0; i < 30; i++) await send("POST", "/api/v1/fields", { key: `field_${i}`, type: "text" });
  // A field that a segment asks for is not deleted.
  const conditions = [0, 1, 2].map((i) => ({ about: "field", key: `field_${i}`, test: "set" }));
  await at.sql(
    `INSERT INTO segments (id, newsletter_id, name, canonical, filter, "order")
     VALUES (gen_random_uuid(), $1, 'Asked', 'asked', $2, 'newest')`,
    [newsletterId, JSON.stringify({ match: "any", conditions, not: [] })],
  );
  // Those that the key suppresses can be lifted; who left and has another address since is suppressed by their own act.
  const optOuts = people.map((_, i) => ({ email: `out-${i}@example.org`, reason: "manual" }));
  await send("POST", "/api/v1/suppressions", optOuts);
  const left = created.pop();
  await send("DELETE", `/api/v1/subscribers/${left}`);
  await send("PUT", `/api/v1/subscribers/${left}`, { email: "elsewhere@example.org" });
  const { data: suppressed } = await send("GET", "/api/v1/suppressions?limit=100");
  const ids = { people: created, suppressions: (suppressed as Ids).map(({ id }) => id) };
  // What is fuzzed is what the product itself says of itself.
  const document = (await (await fetch(`${product.url}/api/v1/openapi.json`)).json()) as object;

  const report = await fuzz({ url: product.url, keys, ids, document, seed, total }, console.log);
  const seen = [...report.seen].sort(([a], [b]) => a.localeCompare(b));
  console.log(
    `fuzz: ${report.asked} requests in ${report.seconds} s, slowest ${Math.round(report.slowestMs)} ms, seed ${seed}\n` +
      seen.map(([what, n]) => `${what}: ${n}`).join("\n"),
  );
  expect(report.problems).toEqual([]);
  expect(report.asked).toBe(total);
  expect(product.output()).not.toMatch(/internal_error|unhandled|at .*\.[cm]?[jt]s:\d+/i);

  // Each answer that can be had without a limit, a race or broken HTTP was had: nothing was proved by rejections alone.
  const validate = documentValidator(document);
  const rare = new Set(["405", "408", "409", "429", "431", "500", "503"]);
  for (const path of Object.values<Record<string, { operationId: string; responses: object }>>(
    validate.document.paths,
  )) {
    for (const { operationId, responses } of Object.values(path)) {
      const missing = Object.keys(responses).filter(
        (status) => !rare.has(status) && !report.seen.has(`${operationId} ${status}`),
      );
      // 403 with API access off has a test of its own; a key test needs no permission.
      expect({
        operationId,
        missing: missing.filter((status) => operationId !== "getMe" || status !== "403"),
      }).toEqual({
        operationId,
        missing: [],
      });
    }
  }
  const [counted] = await at.sql<{ same: boolean }>(
    `SELECT (SELECT sum(people) FROM subscriber_counts WHERE newsletter_id = $1) = count(*) AS same
     FROM subscribers WHERE newsletter_id = $1`,
    [newsletterId],
  );
  expect(counted?.same).toBe(true);
}, 3_600_000);
