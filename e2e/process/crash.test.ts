import { describe, expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { ask, BULK } from "../contract/client";
import type { Fault } from "../fixtures/fake-resend";
import { breaches, noBreaches, startLoad } from "./load";
import { misdeliveries, noMisdeliveries } from "./mails";
import { kill9 } from "./pids";
import { mountOf, type Site, siteForTest, until } from "./site";

/** In `npm test` a few; CRASH_ROUNDS=30 plays more. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
/** Answers after which the blow falls; another number in each round, so that it falls on other work. */
const blowAfter = (round: number) => 60 + 17 * (round % 11);

/**
 * Creates people until `blow` is struck in the very moment of an answer, starts again on the same data, and holds what is
 * there against what was answered.
 */
async function crashUnderLoad(
  site: Site,
  product: Product,
  round: number,
  blow: () => void,
): Promise<Product> {
  const load = startLoad([mountOf(product)], site.key, {
    prefix: `crash${round}`,
    onAnswer: (_, count) => count === blowAfter(round) && blow(),
  });
  await until("the crash", () => load.asked.filter((one) => one.answer).length >= blowAfter(round));
  await product.kill9();
  await load.stop();
  const restarted = await site.start();
  expect(load.asked.filter((one) => one.answer?.status === 201).length).toBeGreaterThanOrEqual(
    blowAfter(round),
  );
  expect(await breaches(site, load.asked)).toEqual(noBreaches);
  return restarted;
}

/** Kills the server while the provider has a request of this round and has not answered it, and starts again. */
async function crashWhileSending(
  site: Site,
  product: Product,
  round: number,
  fault: Fault,
): Promise<Product> {
  const { fake, key } = site;
  const before = new Set(fake.requests.map((request) => request.key));
  fake.fault(fault);
  const people = Array.from({ length: 5 }, (_, i) => ({
    email: `held${round}-${i}@lovelace.org`,
    status: "pending",
  }));
  const [single, ...bulk] = people;
  const asked = [
    { path: undefined, json: single },
    { path: BULK, json: bulk },
  ];
  for (const { path, json } of asked) {
    const answer = await ask(mountOf(product), { key, json, racing: true, ...(path && { path }) });
    expect(answer.status).toBe(201);
  }
  const request = await until("a request at the provider", () =>
    fake.requests.find(({ key }) => !before.has(key)),
  );
  await product.kill9();
  // The database knows of a send that began and of no answer.
  expect(
    await site.sql("SELECT FROM mail_batches WHERE id = $1 AND finished_at IS NULL", [request.key]),
  ).toHaveLength(1);
  const taken = () => fake.mails.filter((mail) => mail.key === request.key).length;
  if (fault.kind === "slow") await until("the provider to take them", () => taken() === request.size);
  else expect(taken()).toBe(fault.after ? request.size : 0);
  fake.heal();
  return site.start();
}

// Side by side, since most of their time is spent waiting for leases to end.
describe.concurrent("after kill -9", { timeout: 120_000 + ROUNDS * 60_000 }, () => {
  it(`under load, ${ROUNDS} times, everyone acknowledged is there, no bulk is half there, and each pending person is mailed once`, async (test) => {
    const site = await siteForTest(test, { database: "own" });
    let product = site.first;
    for (let round = 0; round < ROUNDS; round++) {
      const { pid } = product;
      product = await crashUnderLoad(site, product, round, () => process.kill(pid, "SIGKILL"));
    }
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
  });

  it(`of server and PostgreSQL under load, ${ROUNDS} times, the same holds`, async (test) => {
    const site = await siteForTest(test, { database: "own" });
    let product = site.first;
    for (let round = 0; round < ROUNDS; round++) {
      const node = product.pid;
      const postgres = site.postgresPids();
      expect(postgres.length).toBeGreaterThan(1);
      // The database first in every second round, so that the server lives to see it go.
      const victims = round % 2 ? [...postgres, node] : [node, ...postgres];
      product = await crashUnderLoad(site, product, round, () => kill9(victims));
      expect(site.postgresPids()[0]).not.toBe(postgres[0]);
    }
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
  });

  it(`between taking mails and the provider getting them, ${ROUNDS} times, each person is mailed once`, async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    let product = site.first;
    for (let round = 0; round < ROUNDS; round++) {
      product = await crashWhileSending(site, product, round, { kind: "silence" });
    }
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
  });

  it(`between sending mails and marking them sent, ${ROUNDS} times, each person is mailed once`, async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    let product = site.first;
    for (let round = 0; round < ROUNDS; round++) {
      // Taken at once and never answered for; or, in every second round, taken only when nobody waits any more.
      const fault: Fault = round % 2 ? { kind: "slow", ms: 3_000 } : { kind: "silence", after: true };
      product = await crashWhileSending(site, product, round, fault);
    }
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
  });
});
