import * as sdk from "../node_modules/.made/hey-api";
import { createClient } from "../node_modules/.made/hey-api/client";
import { type Facts, madeOf } from "./calls";

/** What the client got, or the reason why not. */
function got<T>({ data, error }: { data: T | undefined; error: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

export async function callSome(baseUrl: string, key: string): Promise<Facts> {
  const client = createClient({ baseUrl, auth: key });
  const field = { key: "edition_b", type: "choice" as const, choices: ["Print", "Digital"] };
  got(await sdk.createField({ client, body: field }));

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
  const listSubscribers = got(
    await sdk.listSubscribers({ client, query: { email: "b1@example.org", limit: 1 } }),
  );
  const total: number = listSubscribers.pagination.total;
  const updateSubscriber = got(await sdk.updateSubscriber({ ...one, body: { name: "Ada King" } }));
  const deleteSubscriber = got(await sdk.deleteSubscriber(one));

  const { name } = updateSubscriber.data;
  const { status } = deleteSubscriber.data;
  return { valid, id, tags, skipped, total, name, status };
}
