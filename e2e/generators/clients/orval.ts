import * as sdk from "../node_modules/.made/orval";
import { type Calls, madeOf } from "./calls";

/** The success of an answer, or the reason why there is none. */
function got<T extends { data: unknown }>({ data }: T) {
  if ((data as { success?: boolean }).success !== true) throw new Error(JSON.stringify(data));
  return data as Extract<T["data"], { success: true }>;
}

export async function callAll(_baseUrl: string, key: string): Promise<Calls> {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const field = { key: "edition_d", type: "choice" as const, choices: ["Print", "Digital"] };
  const createField = got(await sdk.createField(field, options));
  const updateField = got(await sdk.updateField(createField.data.key, { label: "Edition" }, options));
  const listFields = got(await sdk.listFields(options));
  const listSegments = got(await sdk.listSegments(options));

  const dryRun = got(await sdk.createSubscriber({ email: "d1@example.org" }, { dry_run: "true" }, options));
  const dryBulk = got(
    await sdk.createSubscribers([{ email: "d1@example.org" }], { dry_run: "true" }, options),
  );
  const valid = [dryRun.data, dryBulk.data].every((data) => "valid" in data && data.valid);
  const person = { email: "d1@example.org", fields: { edition_d: "Print" }, tags: ["vip"] };
  const createSubscriber = got(await sdk.createSubscriber(person, { include: "fields,tags" }, options));
  const { id, tags = [] }: { id: string; tags?: string[] } = madeOf(createSubscriber.data);
  const createSubscribers = got(
    await sdk.createSubscribers(
      [{ email: "d1@example.org" }, { email: "d2@example.org", name: null, status: "pending" }],
      { on_duplicate: "skip" },
      options,
    ),
  );
  const made: { skipped?: { index: number }[] | undefined } = madeOf(createSubscribers.data);
  const skipped = made.skipped?.[0]?.index;
  const getSubscriber = got(await sdk.getSubscriber(id, undefined, options));
  const listSubscribers = got(await sdk.listSubscribers({ email: "d1@example.org", limit: 1 }, options));
  const total: number = listSubscribers.pagination.total;
  const listActivity = got(await sdk.listActivity(id, undefined, options));
  const listChanges = got(await sdk.listChanges({ after: "now" }, options));
  const updateSubscriber = got(await sdk.updateSubscriber(id, { name: "Ada King" }, undefined, options));
  const deleteSubscriber = got(await sdk.deleteSubscriber(id, undefined, options));
  const askSubscriber = got(await sdk.askSubscriber(id, options));
  const linkSubscriber = got(await sdk.linkSubscriber(id, options));
  const linkSubscribers = got(await sdk.linkSubscribers([id], options));

  const createSuppressions = got(
    await sdk.createSuppressions([{ email: "d3@example.org", reason: "manual" }], options),
  );
  const listSuppressions = got(await sdk.listSuppressions({ reason: "manual" }, options));
  const suppressed = createSuppressions.data[0]?.id ?? "";
  const deleteSuppression = got(await sdk.deleteSuppression(suppressed, options));
  const deleteField = got(await sdk.deleteField(createField.data.key, options));
  const getMe = got(await sdk.getMe(options));
  const { data: getDocument } = await sdk.getDocument(options);
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
