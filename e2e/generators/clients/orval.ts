import * as sdk from "../node_modules/.made/orval";
import { type Facts, madeOf } from "./calls";

/** The success of an answer, or the reason why there is none. */
function got<T extends { data: unknown }>({ data }: T) {
  if ((data as { success?: boolean }).success !== true) throw new Error(JSON.stringify(data));
  return data as Extract<T["data"], { success: true }>;
}

export async function callSome(_baseUrl: string, key: string): Promise<Facts> {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const field = { key: "edition_d", type: "choice" as const, choices: ["Print", "Digital"] };
  got(await sdk.createField(field, options));

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
  const listSubscribers = got(await sdk.listSubscribers({ email: "d1@example.org", limit: 1 }, options));
  const total: number = listSubscribers.pagination.total;
  const updateSubscriber = got(await sdk.updateSubscriber(id, { name: "Ada King" }, undefined, options));
  const deleteSubscriber = got(await sdk.deleteSubscriber(id, undefined, options));

  const { name } = updateSubscriber.data;
  const { status } = deleteSubscriber.data;
  return { valid, id, tags, skipped, total, name, status };
}
