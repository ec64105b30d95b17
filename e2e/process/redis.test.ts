import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { hasRedisServer, RedisFixture } from "../../server/test/redis-fixture";
import { ask, type Mount } from "../contract/client";
import { type Installation, openInstallation } from "../contract/installation";
import { each } from "../contract/stage";
import { mountOf, openSite, type Site, until } from "./site";

if (!hasRedisServer) {
  console.log(
    "There is no redis-server on this machine: the tests of a shared and of a dying Redis are SKIPPED.",
  );
}

const QUOTA = 300;
/** What a request may take while Redis dies: 300 ms of patience with it, and the rest for a machine that runs browser tests, too. */
const QUICK_MS = 2_000;

let redis: RedisFixture;
let site: Site;
let at: Installation;
let products: Product[];
let mounts: Mount[];

/** A key that has not been counted yet. */
const newKey = async () => (await at.addKey(site.newsletterId)).secret;
let people = 0;
const nextPerson = () => ({ email: `p${people++}@lovelace.org` });
const create = (client: number, key: string) =>
  ask(mounts[client % mounts.length] as Mount, { key, json: nextPerson() });

/** How many of more requests than the quota, over both processes, are let through. */
async function admitted(): Promise<number> {
  const key = await newKey();
  const answers = await each(Array(QUOTA + 60).fill(key), 32, (_, client) => create(client, key));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201, 429]));
  return answers.filter((answer) => answer.status === 201).length;
}

const limiters = () =>
  Promise.all(
    mounts.map(async ({ url }) => {
      const health = await (await fetch(`${url}/api/health`)).json();
      return health.limiter as { store: string; degraded: boolean };
    }),
  );
const allAre = (degraded: boolean) =>
  until(`both processes ${degraded ? "to notice" : "to count in Redis again"}`, async () =>
    (await limiters()).every((limiter) => limiter.degraded === degraded),
  );

const complaints = (product: Product) => product.output().split("the store does not answer").length - 1;

/**
 * Keeps both processes busy while `strike` takes Redis away, until both have noticed and gone on for a while.
 * @returns every answer's status and how long each took
 */
async function underLoad(strike: () => void) {
  const seen: { status: number; ms: number }[] = [];
  let over = false;
  const client = async (_: unknown, client: number) => {
    let key = await newKey();
    for (let n = 1; !over; n++) {
      if (n % (QUOTA - 50) === 0) key = await newKey();
      const askedAt = performance.now();
      const { status } = await create(client, key);
      seen.push({ status, ms: performance.now() - askedAt });
    }
  };
  const load = each(Array(8).fill(0), 8, client);
  try {
    await until("some answers before", () => seen.length > 200);
    strike();
    await allAre(true);
    const noticed = seen.length;
    await until("some answers after", () => seen.length > noticed + 400);
  } finally {
    over = true;
    await load;
  }
  return {
    statuses: [...new Set(seen.map((one) => one.status))],
    slowestMs: Math.max(...seen.map((one) => one.ms)),
  };
}

describe.skipIf(!hasRedisServer)("two processes with one Redis", () => {
  beforeAll(async () => {
    redis = await RedisFixture.start();
    const limits = { REDIS_URL: redis.url, RATE_LIMIT: `${QUOTA}/d` };
    const opened = await openSite({ database: "shared", settings: limits });
    site = opened;
    products = [opened.first, await opened.start()];
    mounts = products.map(mountOf);
    at = await openInstallation(site.env.DATABASE_URL as string);
  });
  afterAll(async () => {
    await at?.close();
    await site?.close();
    await redis?.stop();
  });

  it("share a key's count exactly", async () => {
    expect(await limiters()).toEqual(Array(2).fill({ store: "redis", degraded: false }));
    expect(await admitted()).toBe(QUOTA);
  });

  it("continue without delay and with one log line when Redis is killed, and share counts again after its return", async () => {
    const linesBefore = products.map((product) => product.output().split("\n").length);
    const { statuses, slowestMs } = await underLoad(() => redis.signal("SIGKILL"));
    expect(statuses).toEqual([201]);
    expect(slowestMs).toBeLessThan(QUICK_MS);
    await redis.start();
    await allAre(false);
    expect(await admitted()).toBe(QUOTA);
    for (const [i, product] of products.entries()) {
      expect(complaints(product)).toBe(1);
      expect(product.output().split("\n").length - (linesBefore[i] as number)).toBeLessThan(10);
    }
  });
});
