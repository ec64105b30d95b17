import createClient from "openapi-fetch";
import type { paths } from "./node_modules/.made/openapi-typescript";

/** The answer that openapi-fetch got; throws the reason when there is none. */
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

/** Calls each operation once. @returns the answers by operationId, and values that were read by their types alone */
export async function callEach(baseUrl: string, key: string) {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const createField = got(
    await api.POST("/api/v1/fields", {
      body: { key: "edition", type: "choice", choices: ["Print", "Digital"] },
    }),
  );
  const field = { params: { path: { key: createField.data.key } } };
  const updateField = got(await api.PUT("/api/v1/fields/{key}", { ...field, body: { label: "Edition" } }));
  const listFields = got(await api.GET("/api/v1/fields"));
  const listSegments = got(await api.GET("/api/v1/segments"));

  const dryRun = got(
    await api.POST("/api/v1/subscribers", {
      params: { query: { dry_run: "true" } },
      body: { email: "a1@example.org" },
    }),
  );
  const valid = "valid" in dryRun.data && dryRun.data.valid;
  const createSubscriber = got(
    await api.POST("/api/v1/subscribers", {
      params: { query: { include: "fields,tags" }, header: { "Idempotency-Key": "openapi-typescript" } },
      body: { email: "a1@example.org", fields: { edition: "Print" }, tags: ["vip"] },
    }),
  );
  if ("valid" in createSubscriber.data) throw new Error("A create was answered as a dry run.");
  const { id, tags = [] } = createSubscriber.data;
  const createSubscribers = got(
    await api.POST("/api/v1/subscribers/bulk", {
      params: { query: { on_duplicate: "skip" } },
      body: [{ email: "a1@example.org" }, { email: "a2@example.org", name: null, status: "pending" }],
    }),
  );
  if ("valid" in createSubscribers.data) throw new Error("A bulk was answered as a dry run.");
  const skipped = createSubscribers.data.skipped?.[0]?.index;
  const person = { params: { path: { id } } };
  const getSubscriber = got(await api.GET("/api/v1/subscribers/{id}", person));
  const listSubscribers = got(
    await api.GET("/api/v1/subscribers", { params: { query: { email: "a1@example.org", limit: 1 } } }),
  );
  const listActivity = got(await api.GET("/api/v1/subscribers/{id}/activity", person));
  const listChanges = got(await api.GET("/api/v1/changes", { params: { query: { after: "now" } } }));
  const updateSubscriber = got(
    await api.PUT("/api/v1/subscribers/{id}", { ...person, body: { name: "Ada King" } }),
  );
  const deleteSubscriber = got(await api.DELETE("/api/v1/subscribers/{id}", person));
  const askSubscriber = got(await api.POST("/api/v1/subscribers/{id}/confirmation", person));
  const linkSubscriber = got(await api.POST("/api/v1/subscribers/{id}/links", person));
  const linkSubscribers = got(await api.POST("/api/v1/subscribers/links", { body: [id] }));

  const createSuppressions = got(
    await api.POST("/api/v1/suppressions", { body: [{ email: "a3@example.org", reason: "manual" }] }),
  );
  const listSuppressions = got(
    await api.GET("/api/v1/suppressions", { params: { query: { reason: "manual" } } }),
  );
  const suppression = { params: { path: { id: createSuppressions.data[0]?.id ?? "" } } };
  const deleteSuppression = got(await api.DELETE("/api/v1/suppressions/{id}", suppression));
  const deleteField = got(await api.DELETE("/api/v1/fields/{key}", field));
  const getMe = got(await api.GET("/api/v1/me"));
  const getDocument = got(await api.GET("/api/v1/openapi.json"));

  const total: number = listSubscribers.pagination.total;
  const { name } = updateSubscriber.data;
  const { status } = deleteSubscriber.data;
  return {
    facts: { valid, tags, skipped, total, name, status },
    answers: {
      ...{ createField, updateField, listFields, deleteField, listSegments },
      ...{ createSubscriber, createSubscribers, getSubscriber, listSubscribers, listActivity, listChanges },
      ...{ updateSubscriber, deleteSubscriber, askSubscriber, linkSubscriber, linkSubscribers },
      ...{ createSuppressions, listSuppressions, deleteSuppression, getMe, getDocument },
    },
  };
}
