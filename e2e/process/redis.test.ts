import { expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { hasRedisServer, RedisFixture } from "../../server/test/redis-fixture";
import { ask } from "../contract/client";
import { openInstallation } from "../contract/installation";
import { each } from "../contract/stage";
import { isAcknowledged, startLoad } from "../ledger/load";
import { mountOf, siteForTest, until } from "./site";

if (!hasRedisServer) console.log("SKIPPED: there is no redis-server on this machine.");

const QUOTA = 300;

it.skipIf(!hasRedisServer)(
  "two processes with one Redis share a key's count exactly, write on with one log line while Redis is killed, and share again",
  async (test) => {
    const redis = await RedisFixture.start();
    test.onTestFinished(() => redis.stop());
    const settings = { REDIS_URL: redis.url, RATE_LIMIT: `${QUOTA}/d`, RATE_LIMIT_BULK: "off" };
    const site = await siteForTest(test, { database: "shared", settings });
    const products: Product[] = [site.first, await site.start()];
    const mounts = products.map(mountOf);
    const at = await openInstallation(site.env.DATABASE_URL as string);
    test.onTestFinished(() => at.close());
    const newKey = async () => (await at.addKey(site.newsletterId)).secret;

    const limitersAre = (degraded: boolean) =>
      until(`both limiters to be ${degraded ? "degraded" : "well"}`, async () => {
        const healths = mounts.map(async ({ url }) => (await fetch(`${url}/api/health`)).json());
        return (await Promise.all(healths)).every(({ limiter }) => limiter.degraded === degraded);
      });
    /** How many of more requests than the quota both processes let through. */
    let people = 0;
    async function admitted(): Promise<number> {
      const key = await newKey();
      const answers = await each(Array(QUOTA + 60).fill(0), 32, (_, client) =>
        ask(mounts[client % 2] ?? site.first, { key, json: { email: `p${people++}@lovelace.org` } }),
      );
      return answers.filter(({ status }) => status === 201).length;
    }
    expect(await admitted()).toBe(QUOTA);

    const linesBefore = products.map((product) => product.output().split("\n").length);
    // Each client has a key of its own, whose quota it does not use up.
    const loads = await Promise.all(
      Array.from({ length: 8 }, async (_, i) =>
        startLoad([mounts[i % 2] ?? site.first], await newKey(), {
          prefix: `c${i}`,
          clients: 1,
          pauseMs: 250,
        }),
      ),
    );
    const writes = () => loads.flatMap((load) => load.writes);
    await until("some answers before", () => writes().filter(isAcknowledged).length > 50);
    await redis.kill();
    await limitersAre(true);
    const noticed = writes().length;
    await until("some answers after", () => writes().length > noticed + 50);
    await Promise.all(loads.map((load) => load.stop()));
    expect(writes().filter((write) => !isAcknowledged(write))).toEqual([]);

    await redis.start();
    await limitersAre(false);
    expect(await admitted()).toBe(QUOTA);
    for (const [i, product] of products.entries()) {
      expect(product.output().split("the store does not answer")).toHaveLength(2);
      expect(product.output().split("\n").length - (linesBefore[i] as number)).toBeLessThan(10);
    }
  },
);
