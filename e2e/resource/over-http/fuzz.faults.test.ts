import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../server/test/database";
import { type Product, startProduct } from "../../../server/test/product";
import { ask } from "../../contract/client";
import { documentValidator } from "../../contract/document";
import { type Installation, openInstallation } from "../../contract/installation";
import { each } from "../../contract/stage";
import { NO_LIMITS } from "../../contract/start";
import { type FuzzQuestion, KNOWN_DIGEST, questionsOf } from "../fuzz";

/** FUZZ_REQUESTS=100000 is the full run; FUZZ_SEED tries others. */
const total = Number(process.env.FUZZ_REQUESTS || 13_000);
const seed = Number(process.env.FUZZ_SEED || 20261120);
/** The server may close the connection while it reads a larger body. */
const maxBodyBytes = 524_288;

let database: TestDatabase;
let product: Product;
let at: Installation;

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1", DATABASE_URL: database.url };
  // Streams may use a quarter of the connections. With fewer, a busy machine rejects some of the 16 concurrent requests.
  const env = { ...NO_LIMITS, ...settings, DATABASE_POOL: "48" };
  product = await startProduct({ env });
  at = await openInstallation(database.url);
});
afterAll(async () => {
  await at?.close();
  await product?.stop();
  await database?.drop();
});

/** Creates what questions are about. @returns the ids of people, suppressions, webhooks and imports */
async function furnish(key: string, newsletterId: string) {
  const send = async (method: string, path: string, json?: unknown) =>
    (await ask(product, { key, method, path: `/api/v1${path}`, json })).json.data;
  const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
  const people = Array.from({ length: 40 }, (_, i) => ({
    email: `first-${i}@example.org`,
    tags: [`tag_${i % 30}`],
  }));
  const created = idsOf((await send("POST", "/subscribers/bulk", people)).created);
  for (let i = 0; i < 30; i++) await send("POST", "/fields", { key: `field_${i}`, type: "text" });
  // A field or tag that a segment asks for is not deleted.
  const fields = [0, 1, 2].map((i) => ({ about: "field", key: `field_${i}`, test: "set" }));
  const conditions = [...fields, { about: "tag", is: ["tag_0", "tag_1", "tag_2"] }];
  await at.sql(
    `INSERT INTO segments (id, newsletter_id, name, canonical, filter, "order")
     VALUES (gen_random_uuid(), $1, 'Asked', 'asked', $2, 'newest')`,
    [newsletterId, JSON.stringify({ match: "any", conditions, not: [] })],
  );
  // The key can lift its own suppressions, but not that of a person who left and changed their address.
  const optOuts = people.map((_, i) => ({ email: `out-${i}@example.org`, reason: "manual" }));
  await send("POST", "/suppressions", optOuts);
  const left = created.pop();
  await send("DELETE", `/subscribers/${left}`);
  await send("PUT", `/subscribers/${left}`, { email: "elsewhere@example.org" });
  const hook = { url: "http://127.0.0.1:9/", events: ["subscriber.created"] };
  const webhooks: string[] = [];
  for (let i = 0; i < 8; i++) webhooks.push((await send("POST", "/webhooks", hook)).id);
  await at.sql(
    `INSERT INTO webhook_messages (endpoint_id, number, id, type, body, state)
     SELECT w.id, n, gen_random_uuid(), 'import.finished', '{}', 'delivered'
     FROM webhook_endpoints w, generate_series(1, 3) n WHERE newsletter_id = $1`,
    [newsletterId],
  );
  await at.sql("UPDATE webhook_endpoints SET next_number = 4 WHERE newsletter_id = $1", [newsletterId]);
  const suppressions = idsOf(await send("GET", "/suppressions?limit=100"));
  const imports: string[] = [];
  for (let i = 0; i < 40; i++) {
    const list = [{ email: `gone-${i}@example.org`, status: "unsubscribed" }];
    imports.push((await send("POST", "/imports", list)).id);
  }
  await at.sql("UPDATE imports SET digest = $2 WHERE newsletter_id = $1", [newsletterId, KNOWN_DIGEST]);
  await at.sql("UPDATE imports SET state = 'done', ended_at = now() WHERE id = ANY ($1::uuid[])", [
    imports.filter((_, i) => i % 2 === 0),
  ]);
  return { people: created, suppressions, webhooks, imports };
}

/** Texts as they are stored: the document's lengths are about these. */
const stored = (json: unknown) =>
  JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === "string" ? value.trim().normalize("NFC") : value,
  );

it(`${total} requests made from the document: no 5xx, no hang, every answer as the document says (seed ${seed})`, async () => {
  const { key: full, newsletterId } = await at.tenant();
  const readOnly = (await at.addKey(newsletterId, { permissions: ["subscribers:read"] })).secret;
  const writeOnly = (await at.addKey(newsletterId, { permissions: ["subscribers:write"] })).secret;
  const gone = await at.addKey(newsletterId);
  await at.revoke(gone.id);
  const keys = { full, readOnly, writeOnly, revoked: gone.secret };
  const ids = await furnish(full, newsletterId);
  const validate = documentValidator();
  const questions = fc.sample(questionsOf(validate.document, keys, ids), { seed, numRuns: total });
  const seen = new Set<string>();
  const problems: string[] = [];

  async function askOne(question: FuzzQuestion, isRepeat = false): Promise<string | undefined> {
    try {
      // Checks the answer against the document, too.
      const { status, text } = await ask(product, question);
      seen.add(`${validate.find(question)?.operation.operationId} ${status}`);
      if (status >= 500) return text;
      // A plan rejects people of its list one by one.
      const isPlan = question.method === "POST" && /^\/api\/v1\/imports\/?(\?|$)/.test(question.path);
      const isAllowed = status >= 300 || isPlan || question.method === "HEAD" || question.sent === undefined;
      if (!isAllowed && !validate.allowsBody(question, stored(question.sent)))
        return `${status} for a body that the document rejects`;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const isCut = code === "ECONNRESET" || code === "EPIPE";
      if (isCut && Buffer.byteLength(question.raw ?? "") > maxBodyBytes) return;
      // The server may close a kept connection after a rejection for which it did not read the whole body.
      return isCut && !isRepeat ? askOne(question, true) : message;
    }
  }
  await each(questions, 16, async (question) => {
    const problem = problems.length < 20 && (await askOne(question));
    if (problem) problems.push(`${problem}: ${JSON.stringify(question).slice(0, 1_000)}`);
  });
  expect(problems).toEqual([]);
  expect(product.output()).not.toMatch(/internal_error|unhandled|at .*\.[cm]?[jt]s:\d+/i);

  // Every answer that needs no limit, race or broken HTTP was received: rejections alone prove nothing.
  const rare = ["405", "408", "409", "429", "431", "500", "503"];
  const missing = Object.values<Record<string, { operationId: string; responses: object }>>(
    validate.document.paths,
  ).flatMap((path) =>
    Object.values(path).flatMap(({ operationId, responses }) =>
      Object.keys(responses)
        .filter((status) => !rare.includes(status) && !seen.has(`${operationId} ${status}`))
        .map((status) => `${operationId} ${status}`),
    ),
  );
  // Operations about the key need no permission, so they are rejected only while API access is off. A list may have 32 MiB.
  const elsewhere = ["getMe 403", "listNewsletters 403", "createImport 413"];
  expect(missing.filter((one) => !elsewhere.includes(one))).toEqual([]);
  const [counted] = await at.sql<{ same: boolean }>(
    `SELECT (SELECT sum(people) FROM subscriber_counts WHERE newsletter_id = $1) = count(*) AS same
     FROM subscribers WHERE newsletter_id = $1`,
    [newsletterId],
  );
  expect(counted?.same).toBe(true);
}, 3_600_000);
