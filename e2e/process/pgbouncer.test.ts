import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "../../server/test/database";
import { hasPgBouncer, startPgBouncer } from "../../server/test/pgbouncer";
import { ask } from "../contract/client";
import { openInstallation } from "../contract/installation";
import { breaches, noBreaches, startLoad } from "./load";
import { misdeliveries, noMisdeliveries } from "./mails";
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

    it("two processes create people one by one and in bulks, and mail each pending one once", async (test) => {
      const on = (url: string) => ({ DATABASE_URL: bouncer.through(url), DATABASE_DIRECT_URL: url });
      const site = await siteForTest(test, { database: "shared", on });
      const products = [site.first, await site.start()];
      const load = startLoad(products.map(mountOf), site.key, { prefix: "pooled", clients: 32 });
      const answered = () => load.asked.filter(({ answer }) => answer?.status === 201).length;
      await until("a thousand answers", () => answered() > 1_000, 120);
      await load.stop();
      expect(load.asked.filter(({ answer }) => answer?.status !== 201)).toEqual([]);
      expect(await breaches(site, load.asked)).toEqual(noBreaches);
      expect(await misdeliveries(site)).toEqual(noMisdeliveries);
      // What was learned by NOTIFY: a key that is revoked ends in both processes.
      const at = await openInstallation(url);
      await at.revoke(site.keyId);
      await at.close();
      for (const product of products) {
        const status = async () =>
          (await ask(mountOf(product), { key: site.key, json: {}, racing: true })).status;
        await until("the key to end", async () => (await status()) === 401, 5);
      }
    });
  },
);
