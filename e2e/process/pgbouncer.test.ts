import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "../../server/test/database";
import { hasPgBouncer, startPgBouncer } from "../../server/test/pgbouncer";
import { ask } from "../contract/client";
import { openInstallation } from "../contract/installation";
import { breachesOf, isAcknowledged, noBreaches, startLoad } from "../ledger/load";
import { strandedMails } from "../ledger/outbox";
import { mountOf, siteForTest, until } from "./site";

if (!hasPgBouncer) console.warn("Skipped: PgBouncer is not on this machine (apt-get install pgbouncer).");

describe.skipIf(!hasPgBouncer)(
  "through PgBouncer in transaction mode, with DATABASE_DIRECT_URL past it",
  () => {
    let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      bouncer = await startPgBouncer(inject("clusterUrl"));
    });
    afterAll(() => bouncer?.stop());

    it("two processes create subscribers singly and in bulk, and email each pending subscriber once", async (test) => {
      const { url, drop } = await createTestDatabase();
      test.onTestFinished(drop);
      const settings = { DATABASE_URL: bouncer.through(url), DATABASE_DIRECT_URL: url };
      const site = await siteForTest(test, { database: { url }, settings });
      const products = [site.first, await site.start()];
      const load = startLoad(products.map(mountOf), site.key, { prefix: "pooled", clients: 32 });
      const acknowledged = () => load.writes.filter(isAcknowledged).length;
      await until("a thousand answers", () => acknowledged() > 1_000, 120);
      await load.stop();
      expect(load.writes.filter((write) => !isAcknowledged(write))).toEqual([]);
      expect(await breachesOf(site, load)).toEqual(noBreaches);
      expect(await strandedMails(site)).toEqual([]);
      // NOTIFY reaches both processes: a revoked key ends in each.
      const at = await openInstallation(url);
      await at.revoke(site.keyId);
      await at.close();
      for (const product of products) {
        const status = async () => (await ask(mountOf(product), { key: site.key, json: {} })).status;
        await until("the key to end", async () => (await status()) === 401);
      }
    });
  },
);
