import createClient from "openapi-fetch";
import type { paths } from "../node_modules/.made/openapi-typescript";
import { type Facts, madeOf } from "./calls";

/** What openapi-fetch got, or the reason why not. */
function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

export async function callEach(
  baseUrl: string,
  key: string,
): Promise<{ facts: Facts; answers: Record<string, unknown> }> {
  const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const field = { key: "edition_a", type: "choice", choices: ["Print", "Digital"] } as const;
  const createField = got(
    await api.POST("/api/v1/fields", { body: { ...field, choices: [...field.choices] } }),
  );
  const at = { params: { path: { key: createField.data.key } } };
  const updateField = got(await api.PUT("/api/v1/fields/{key}", { ...at, body: { label: "Edition" } }));
  const listFields = got(await api.GET("/api/v1/fields"));
  const listSegments = got(await api.GET("/api/v1/segments"));

  const dryRun = got(
    await api.POST("/api/v1/subscribers", {
      params: { query: { dry_run: "true" } },
      body: { email: "a1@example.org" },
    }),
  );
  const dryBulk = got(
    await api.POST("/api/v1/subscribers/bulk", {
      params: { query: { dry_run: "true" } },
      body: [{ email: "a1@example.org" }],
    }),
  );
  const valid = [dryRun.data, dryBulk.data].every((data) => "valid" in data && data.valid);
  const createSubscriber = got(
    await api.POST("/api/v1/subscribers", {
      params: { query: { include: "fields,tags" }, header: { "Idempotency-Key": "openapi-typescript" } },
      body: { email: "a1@example.org", fields: { edition_a: "Print" }, tags: ["vip"] },
    }),
  );
  const { id, tags = [] }: { id: string; tags?: string[] } = madeOf(createSubscriber.data);
  const createSubscribers = got(
    await api.POST("/api/v1/subscribers/bulk", {
      params: { query: { on_duplicate: "skip" } },
      body: [{ email: "a1@example.org" }, { email: "a2@example.org", name: null, status: "pending" }],
    }),
  );
  const made: { skipped?: { index: number }[] | undefined } = madeOf(createSubscribers.data);
  const skipped = made.skipped?.[0]?.index;
  const path = { id };
  const getSubscriber = got(await api.GET("/api/v1/subscribers/{id}", { params: { path } }));
  const listSubscribers = got(
    await api.GET("/api/v1/subscribers", { params: { query: { email: "a1@example.org", limit: 1 } } }),
  );
  const total: number = listSubscribers.pagination.total;
  const listActivity = got(await api.GET("/api/v1/subscribers/{id}/activity", { params: { path } }));
  const listChanges = got(await api.GET("/api/v1/changes", { params: { query: { after: "now" } } }));
  const updateSubscriber = got(
    await api.PUT("/api/v1/subscribers/{id}", { params: { path }, body: { name: "Ada King" } }),
  );
  const deleteSubscriber = got(await api.DELETE("/api/v1/subscribers/{id}", { params: { path } }));
  const askSubscriber = got(await api.POST("/api/v1/subscribers/{id}/confirmation", { params: { path } }));
  const linkSubscriber = got(await api.POST("/api/v1/subscribers/{id}/links", { params: { path } }));
  const linkSubscribers = got(await api.POST("/api/v1/subscribers/links", { body: [id] }));

  const createSuppressions = got(
    await api.POST("/api/v1/suppressions", { body: [{ email: "a3@example.org", reason: "manual" }] }),
  );
  const listSuppressions = got(
    await api.GET("/api/v1/suppressions", { params: { query: { reason: "manual" } } }),
  );
  const suppressed = createSuppressions.data[0]?.id ?? "";
  const deleteSuppression = got(
    await api.DELETE("/api/v1/suppressions/{id}", { params: { path: { id: suppressed } } }),
  );
  const deleteField = got(await api.DELETE("/api/v1/fields/{key}", at));
  const getMe = got(await api.GET("/api/v1/me"));
  const getDocument = got(await api.GET("/api/v1/openapi.json"));
  return {
    facts: {
      valid,
      id,
      tags,
      skipped,
      total,
      name: updateSubscriber.data.name,
      status: deleteSubscriber.data.status,
    },
    answers: {
      createField,
      updateField,
      listFields,
      listSegments,
      createSubscriber,
      createSubscribers,
      getSubscriber,
      listSubscribers,
      listActivity,
      listChanges,
      updateSubscriber,
      deleteSubscriber,
      askSubscriber,
      linkSubscriber,
      linkSubscribers,
      createSuppressions,
      listSuppressions,
      deleteSuppression,
      deleteField,
      getMe,
      getDocument,
    },
  };
}
