import { afterAll, beforeAll, expect, inject, it } from "vitest";
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
  "create subscribers through PgBouncer, email each pending one once, and both end a revoked key",
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

it.skipIf(!hasRedisServer)("share the count of a key exactly through one Redis", async () => {
  const { secret: key } = await at.addKey(site.newsletterId);
  const answers = await each(Array(QUOTA + 60).fill(0), 32, (_, i) =>
    ask(products[i % 2] as Product, { key, path: BULK, json: [{ email: `p${i}@lovelace.org` }] }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(QUOTA);
});
