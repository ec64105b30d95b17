import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { Rollcall } from "../../clients/js/index.js";
import { createTestDatabase } from "../../server/test/database";
import { hasPgBouncer, startPgBouncer } from "../../server/test/pgbouncer";
import type { Product } from "../../server/test/product";
import { hasRedisServer, RedisFixture } from "../../server/test/redis-fixture";
import { ask, BULK } from "../contract/client";
import { type Installation, openInstallation } from "../contract/installation";
import { each } from "../contract/stage";
import { breachesOf, isAcknowledged, noBreaches, startLoad } from "../ledger/load";
import { strandedMails } from "../ledger/outbox";
import { openSite, type Site, until } from "./site";

if (!hasPgBouncer) console.log("SKIPPED: PgBouncer is not on this machine (apt-get install pgbouncer).");
if (!hasRedisServer) console.log("SKIPPED: there is no redis-server on this machine.");

/** More bulks than the load sends. */
const QUOTA = 300;
/** Bulks of ten people, each of whom is changed and unsubscribed. */
const ROUNDS = 40;

let site: Site;
let products: Product[];
let at: Installation;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const { url, drop } = await createTestDatabase();
  closing.push(drop);
  const settings: Record<string, string> = { RATE_LIMIT_BULK: `${QUOTA}/d` };
  if (hasPgBouncer) {
    const bouncer = await startPgBouncer(inject("clusterUrl"));
    closing.push(() => bouncer.stop());
    Object.assign(settings, { DATABASE_URL: bouncer.through(url), DATABASE_DIRECT_URL: url });
  }
  if (hasRedisServer) {
    const redis = await RedisFixture.start();
    closing.push(() => redis.stop());
    settings.REDIS_URL = redis.url;
  }
  site = await openSite({ database: { url }, settings });
  closing.push(() => site.close());
  products = [site.first, await site.start()];
  at = await openInstallation(url);
  closing.push(() => at.close());
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

it.skipIf(!hasPgBouncer)(
  "two processes behind PgBouncer create subscribers, email each pending one once, and reject a revoked key",
  async () => {
    const load = startLoad(products, site.key, { prefix: "pooled", clients: 32 });
    const acknowledged = () => load.writes.filter(isAcknowledged).length;
    await until("a thousand answers", () => acknowledged() > 1_000);
    await load.stop();
    expect(load.writes.filter((write) => !isAcknowledged(write))).toEqual([]);
    expect(await breachesOf(site, load)).toEqual(noBreaches);
    expect(await strandedMails(site)).toEqual([]);
    await at.revoke(site.keyId);
    for (const product of products) {
      const status = async () => (await ask(product, { key: site.key, json: {} })).status;
      await until("the key to end", async () => (await status()) === 401);
    }
  },
);

it.skipIf(!hasRedisServer)(
  "two processes with one Redis together accept exactly the limit of a key and answer the rest with 429",
  async () => {
    const { secret: key } = await at.addKey(site.newsletterId);
    const answers = await each(Array(QUOTA + 60).fill(0), 32, (_, i) =>
      ask(products[i % 2] as Product, { key, path: BULK, json: [{ email: `p${i}@lovelace.org` }] }),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(QUOTA).fill(201), ...Array(60).fill(429)]);
  },
);

it("two processes that both write show a poller each change once, in order for each person", async () => {
  const { key } = await at.tenant();
  let turn = 0;
  const clients = products.map(({ url }) => new Rollcall({ url, key, maxRetries: 0 }));
  /** The processes take turns. */
  const next = () => clients[turn++ % 2] as Rollcall;
  const start = await next().changes.position();
  const write = async (_: number, round: number) => {
    const people = Array.from({ length: 10 }, (_, i) => ({ email: `w${round}-${i}@lovelace.org` }));
    const { created } = await next().subscribers.createMany(people);
    for (const { id } of created) {
      await next().subscribers.update(id, { name: `Round ${round}` });
      await next().subscribers.unsubscribe(id);
    }
  };
  const seen = new Map<string, string[]>();
  let isWriting = true;
  const poll = async () => {
    for (let after = start, count = 0; ; ) {
      const wait = isWriting && count < 3 * 10 * ROUNDS ? 5 : 0;
      const { data, pagination } = await next().changes.list({ limit: 100, wait, after }).page();
      for (const { subscriber_id, type } of data)
        seen.set(subscriber_id, [...(seen.get(subscriber_id) ?? []), type]);
      count += data.length;
      after = pagination.next;
      if (wait === 0 && data.length === 0) return;
    }
  };
  const writing = each(Array(ROUNDS).fill(0), 8, write).finally(() => {
    isWriting = false;
  });
  await Promise.all([poll(), writing]);
  expect([...seen.values()]).toEqual(Array(10 * ROUNDS).fill(["created", "updated", "unsubscribed"]));
});
