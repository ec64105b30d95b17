import * as sdk from "../node_modules/.made/kubb";
import { type Calls, madeOf } from "./calls";

export async function callAll(_baseUrl: string, key: string): Promise<Calls> {
  // Its fetch client sends JSON without saying so.
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const config = { headers };
  const field = { key: "edition_c", type: "choice" as const, choices: ["Print", "Digital"] };
  const createField = await sdk.createField(field, config);
  const updateField = await sdk.updateField(createField.data.key, { label: "Edition" }, config);
  const listFields = await sdk.listFields(config);
  const listSegments = await sdk.listSegments(config);

  const dryRun = await sdk.createSubscriber(
    { email: "c1@example.org" },
    { dry_run: "true" },
    undefined,
    config,
  );
  const dryBulk = await sdk.createSubscribers(
    [{ email: "c1@example.org" }],
    { dry_run: "true" },
    undefined,
    config,
  );
  const valid = [dryRun.data, dryBulk.data].every((data) => "valid" in data && data.valid);
  const createSubscriber = await sdk.createSubscriber(
    { email: "c1@example.org", fields: { edition_c: "Print" }, tags: ["vip"] },
    { include: "fields,tags" },
    { "Idempotency-Key": "kubb" },
    config,
  );
  const { id, tags = [] }: { id: string; tags?: string[] } = madeOf(createSubscriber.data);
  const createSubscribers = await sdk.createSubscribers(
    [{ email: "c1@example.org" }, { email: "c2@example.org", name: null, status: "pending" }],
    { on_duplicate: "skip" },
    undefined,
    config,
  );
  const made: { skipped?: { index: number }[] | undefined } = madeOf(createSubscribers.data);
  const skipped = made.skipped?.[0]?.index;
  const getSubscriber = await sdk.getSubscriber(id, undefined, config);
  const listSubscribers = await sdk.listSubscribers({ email: "c1@example.org", limit: 1 }, config);
  const total: number = listSubscribers.pagination.total;
  const listActivity = await sdk.listActivity(id, undefined, config);
  const listChanges = await sdk.listChanges({ after: "now" }, config);
  const updateSubscriber = await sdk.updateSubscriber(id, { name: "Ada King" }, undefined, config);
  const deleteSubscriber = await sdk.deleteSubscriber(id, undefined, config);
  const askSubscriber = await sdk.askSubscriber(id, config);
  const linkSubscriber = await sdk.linkSubscriber(id, config);
  const linkSubscribers = await sdk.linkSubscribers([id], config);

  const createSuppressions = await sdk.createSuppressions(
    [{ email: "c3@example.org", reason: "manual" }],
    undefined,
    config,
  );
  const listSuppressions = await sdk.listSuppressions({ reason: "manual" }, config);
  const suppressed = createSuppressions.data[0]?.id ?? "";
  const deleteSuppression = await sdk.deleteSuppression(suppressed, config);
  const deleteField = await sdk.deleteField(createField.data.key, config);
  const getMe = await sdk.getMe(config);
  const getDocument = await sdk.getDocument(config);
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
