import * as sdk from "../node_modules/.made/kubb";
import { type Facts, madeOf } from "./calls";

export async function callSome(_baseUrl: string, key: string): Promise<Facts> {
  // Its fetch client sends JSON without saying so.
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const config = { headers };
  const field = { key: "edition_c", type: "choice" as const, choices: ["Print", "Digital"] };
  await sdk.createField(field, config);

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
  const listSubscribers = await sdk.listSubscribers({ email: "c1@example.org", limit: 1 }, config);
  const total: number = listSubscribers.pagination.total;
  const updateSubscriber = await sdk.updateSubscriber(id, { name: "Ada King" }, undefined, config);
  const deleteSubscriber = await sdk.deleteSubscriber(id, undefined, config);

  const { name } = updateSubscriber.data;
  const { status } = deleteSubscriber.data;
  return { valid, id, tags, skipped, total, name, status };
}
