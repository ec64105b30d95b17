import createClient from "openapi-fetch";
import type { paths } from "./node_modules/.made/openapi-typescript";

/** Returns the answer that openapi-fetch got; throws the reason when there is none. */
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Calls operations of each form, and reads their answers by the generated types alone. It is compiled, not run. */
export async function callAll(baseUrl: string, key: string) {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const created = got(
    await api.POST("/api/v1/subscribers", {
      params: { query: { include: "fields,tags" }, header: { "Idempotency-Key": "openapi-typescript" } },
      body: { email: "a1@example.org", fields: { edition: "Print" }, tags: ["vip"] },
    }),
  );
  if ("valid" in created.data) return created.data.valid satisfies boolean;
  const { id, tags = [] } = created.data;
  const bulk = got(
    await api.POST("/api/v1/subscribers/bulk", {
      params: { query: { on_duplicate: "skip" } },
      body: [{ email: "a1@example.org" }, { email: "a2@example.org", name: null, status: "pending" }],
    }),
  );
  const skipped = "valid" in bulk.data ? undefined : bulk.data.skipped?.[0]?.index;
  const person = { params: { path: { id } } };
  const list = got(await api.GET("/api/v1/subscribers", { params: { query: { limit: 1 } } }));
  const updated = got(await api.PUT("/api/v1/subscribers/{id}", { ...person, body: { name: "Ada King" } }));
  const deleted = got(await api.DELETE("/api/v1/subscribers/{id}", person));
  await api.POST("/api/v1/subscribers/{id}/confirmation", person);
  await api.POST("/api/v1/subscribers/links", { body: [id] });
  await api.GET("/api/v1/changes", { params: { query: { after: "now" } } });
  await api.PUT("/api/v1/fields/{key}", { params: { path: { key: "edition" } }, body: { label: "Edition" } });
  const suppressions = got(
    await api.POST("/api/v1/suppressions", { body: [{ email: "a3@example.org", reason: "manual" }] }),
  );
  const hook = {
    url: "https://shop.example.org/hooks",
    events: ["subscriber.created" as const],
    after: "now",
  };
  const webhook = got(await api.POST("/api/v1/webhooks", { body: hook }));
  const message = { params: { path: { id: webhook.data.id, number: 1 } } };
  const retried = got(await api.POST("/api/v1/webhooks/{id}/messages/{number}/retry", message));
  const { secret }: { secret: string } = webhook.data;
  const total: number = list.pagination.total;
  return {
    tags,
    skipped,
    total,
    name: updated.data.name,
    status: deleted.data.status,
    suppressions,
    secret,
    retried,
  };
}
