import { afterAll, beforeAll, expect, it } from "vitest";
import { openApiDocument } from "../../../server/http/docs/openapi";
import { type Product, runAdmin, startProduct } from "../../../server/test/product";
import { rollcall } from "../../client/rollcall";

let product: Product;
let key: string;
const newsletter = "Weekly";

beforeAll(async () => {
  product = await startProduct();
  const args = ["setup", "--account", "Acme", "--newsletter", newsletter, "--email", "you@example.org"];
  const made = await runAdmin<{ key: { secret: string } }>([...args, "--password", "a long password"], {
    DATA_DIR: product.dataDir,
  });
  key = made.key.secret;
});
afterAll(() => product?.stop());

it("an integrator lives on the typed client alone: create, find, read, correct, unsubscribe, test the key", async () => {
  const api = rollcall(product.url, key);
  const ada = { email: "ada@lovelace.org", name: "Ada Lovelace" };
  const dry = await api.POST("/api/v1/subscribers", { params: { query: { dry_run: "true" } }, body: ada });
  expect([dry.response.status, dry.data]).toEqual([200, { success: true, data: { valid: true } }]);
  const created = await api.POST("/api/v1/subscribers", {
    params: { header: { "Idempotency-Key": "one" } },
    body: ada,
  });
  expect(created.response.status).toBe(201);
  const again = await api.POST("/api/v1/subscribers", {
    params: { header: { "Idempotency-Key": "one" } },
    body: ada,
  });
  expect([again.data, again.response.headers.get("idempotency-replayed")]).toEqual([created.data, "true"]);

  const many = await api.POST("/api/v1/subscribers/bulk", {
    params: { query: { on_duplicate: "skip" } },
    body: [ada, { email: "grace@navy.mil", status: "pending" }],
  });
  expect(many.data?.data).toMatchObject({
    created: [{ email: "grace@navy.mil", status: "pending" }],
    skipped: [{ index: 0, reason: "already_subscribed" }],
  });

  const found = await api.GET("/api/v1/subscribers", { params: { query: { email: "ADA@lovelace.org" } } });
  expect(found.data?.pagination).toEqual({ limit: 50, total: 1, next_cursor: null });
  const id = found.data?.data[0]?.id as string;
  const path = { id };
  const read = await api.GET("/api/v1/subscribers/{id}", { params: { path } });
  expect(read.data?.data).toEqual(found.data?.data[0]);
  const changed = await api.PUT("/api/v1/subscribers/{id}", { params: { path }, body: { name: "Ada King" } });
  expect(changed.data?.data).toEqual({ ...read.data?.data, name: "Ada King" });
  const left = await api.DELETE("/api/v1/subscribers/{id}", { params: { path } });
  expect(left.data?.data.status).toBe("unsubscribed");
  const rejected = await api.PUT("/api/v1/subscribers/{id}", {
    params: { path },
    body: { status: "active" },
  });
  expect([rejected.response.status, rejected.error?.code]).toEqual([422, "validation_error"]);

  const met: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await api.GET("/api/v1/subscribers", {
      params: { query: { limit: 1, ...(cursor && { cursor }) } },
    });
    if (!page.data) throw new Error(page.error.message);
    met.push(...page.data.data.map((one) => one.email));
    cursor = page.data.pagination.next_cursor;
  }
  expect(met).toEqual(["grace@navy.mil", "ada@lovelace.org"]);

  const suppressions = await api.POST("/api/v1/suppressions", {
    params: { header: { "Idempotency-Key": "opt-outs" } },
    body: [
      { email: "out@list.example", reason: "unsubscribed", date: "2024-03-02T09:30:00+00:00" },
      { email: "grace@navy.mil", reason: "complained" },
    ],
  });
  expect(suppressions.data?.data).toMatchObject([
    { email: "out@list.example", source: "api", created_at: "2024-03-02T09:30:00+00:00" },
    { email: "grace@navy.mil", reason: "complained" },
  ]);
  const refused = await api.POST("/api/v1/subscribers", { body: { email: "out@list.example" } });
  expect(refused.error?.code).toBe("email_suppressed");
  const listed = await api.GET("/api/v1/suppressions", { params: { query: { email: "OUT@list.example" } } });
  expect(listed.data?.data).toEqual(suppressions.data?.data.slice(0, 1));
  const lifted = await api.DELETE("/api/v1/suppressions/{id}", {
    params: { path: { id: listed.data?.data[0]?.id as string } },
  });
  expect(lifted.data?.data).toEqual(listed.data?.data[0]);
  const added = await api.POST("/api/v1/subscribers", { body: { email: "out@list.example" } });
  expect(added.response.status).toBe(201);

  const me = await api.GET("/api/v1/me");
  expect(me.data?.data.newsletter.name).toBe(newsletter);
  expect(me.data?.data.rate_limits.bulk.map(({ name, remaining }) => [name, remaining])).toEqual([
    ["minute", 8],
    ["hour", 98],
    ["day", 498],
  ]);
  const stranger = await rollcall(product.url, `${key}x`).GET("/api/v1/me");
  expect([stranger.response.status, stranger.error?.code]).toEqual([401, "unauthorized"]);
});

it("serves the document that the tests hold it to, with its own address; and the manual for programs that read", async () => {
  const url = product.url.replace("127.0.0.1", "localhost");
  const document = await fetch(`${product.url}/api/v1/openapi.json`);
  expect(document.headers.get("content-type")).toBe("application/json");
  expect(await document.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(url))));
  const manual = await fetch(`${product.url}/llms.txt`);
  expect([manual.status, manual.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  const text = await manual.text();
  for (const chapter of ["Get a key", "First call", "Bulk", "Errors", "Limits", "Idempotency", "Retries"])
    expect(text).toContain(`## ${chapter}`);
  expect(text).toContain(`curl ${url}/api/v1/subscribers`);
  for (const language of ["js", "python", "php"]) expect(text).toContain(`\`\`\`${language}`);
});
