import * as sdk from "../node_modules/.made/hey-api";
import { createClient } from "../node_modules/.made/hey-api/client";
import { type Calls, madeOf } from "./calls";

/** What the client got, or the reason why not. */
function got<T>({ data, error }: { data: T | undefined; error: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

export async function callAll(baseUrl: string, key: string): Promise<Calls> {
  const client = createClient({ baseUrl, auth: key });
  const field = { key: "edition_b", type: "choice" as const, choices: ["Print", "Digital"] };
  const createField = got(await sdk.createField({ client, body: field }));
  const at = { client, path: { key: createField.data.key } };
  const updateField = got(await sdk.updateField({ ...at, body: { label: "Edition" } }));
  const listFields = got(await sdk.listFields({ client }));
  const listSegments = got(await sdk.listSegments({ client }));

  const dryRun = got(
    await sdk.createSubscriber({ client, query: { dry_run: "true" }, body: { email: "b1@example.org" } }),
  );
  const dryBulk = got(
    await sdk.createSubscribers({ client, query: { dry_run: "true" }, body: [{ email: "b1@example.org" }] }),
  );
  const valid = [dryRun.data, dryBulk.data].every((data) => "valid" in data && data.valid);
  const createSubscriber = got(
    await sdk.createSubscriber({
      client,
      query: { include: "fields,tags" },
      headers: { "Idempotency-Key": "hey-api" },
      body: { email: "b1@example.org", fields: { edition_b: "Print" }, tags: ["vip"] },
    }),
  );
  const { id, tags = [] }: { id: string; tags?: string[] } = madeOf(createSubscriber.data);
  const createSubscribers = got(
    await sdk.createSubscribers({
      client,
      query: { on_duplicate: "skip" },
      body: [{ email: "b1@example.org" }, { email: "b2@example.org", name: null, status: "pending" }],
    }),
  );
  const made: { skipped?: { index: number }[] | undefined } = madeOf(createSubscribers.data);
  const skipped = made.skipped?.[0]?.index;
  const one = { client, path: { id } };
  const getSubscriber = got(await sdk.getSubscriber(one));
  const listSubscribers = got(
    await sdk.listSubscribers({ client, query: { email: "b1@example.org", limit: 1 } }),
  );
  const total: number = listSubscribers.pagination.total;
  const listActivity = got(await sdk.listActivity(one));
  const listChanges = got(await sdk.listChanges({ client, query: { after: "now" } }));
  const updateSubscriber = got(await sdk.updateSubscriber({ ...one, body: { name: "Ada King" } }));
  const deleteSubscriber = got(await sdk.deleteSubscriber(one));
  const askSubscriber = got(await sdk.askSubscriber(one));
  const linkSubscriber = got(await sdk.linkSubscriber(one));
  const linkSubscribers = got(await sdk.linkSubscribers({ client, body: [id] }));

  const createSuppressions = got(
    await sdk.createSuppressions({ client, body: [{ email: "b3@example.org", reason: "manual" }] }),
  );
  const listSuppressions = got(await sdk.listSuppressions({ client, query: { reason: "manual" } }));
  const suppressed = createSuppressions.data[0]?.id ?? "";
  const deleteSuppression = got(await sdk.deleteSuppression({ client, path: { id: suppressed } }));
  const deleteField = got(await sdk.deleteField(at));
  const getMe = got(await sdk.getMe({ client }));
  const getDocument = got(await sdk.getDocument({ client }));
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
