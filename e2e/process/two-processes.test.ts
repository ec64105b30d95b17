import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { ask, BULK, type Mount } from "../contract/client";
import { each } from "../contract/stage";
import { misdeliveries, noMisdeliveries, outboxIsEmpty } from "./mails";
import { mountOf, openSite, type Site } from "./site";

/** In `npm test` a tenth of what RACE_ROUNDS=200 plays. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 20);
const CLIENTS = 50;

let site: Site;
let products: Product[];
let mounts: [Mount, Mount];

beforeAll(async () => {
  const opened = await openSite({ database: "shared" });
  site = opened;
  products = [opened.first, await opened.start()];
  mounts = products.map(mountOf) as [Mount, Mount];
});
afterAll(() => site?.close());

/** Which process a client asks. */
const through = (client: number): Mount => mounts[client % 2] as Mount;
const bulk = (mount: Mount, people: unknown[]) => ask(mount, { key: site.key, path: BULK, json: people });

describe("two processes on one database", () => {
  it("give 200 creates of one pending address at once one 201, 199 rejections, one row and one mail", async () => {
    const email = "ada@lovelace.org";
    const answers = await each(Array(200).fill({ email, status: "pending" }), 200, (json, client) =>
      ask(through(client), { key: site.key, json }),
    );
    const rejected = answers.filter((answer) => answer.status !== 201);
    expect(rejected).toHaveLength(199);
    const told = new Set(rejected.map(({ status, json }) => `${status} ${json?.code}`));
    expect([...told]).toEqual(["422 email_already_subscribed"]);
    expect(await site.sql("SELECT FROM subscribers WHERE email_canonical = $1", [email])).toHaveLength(1);
    await outboxIsEmpty(site);
    expect(site.fake.mails.map((mail) => mail.to)).toEqual([[email]]);
  });

  it(`give ${CLIENTS} clients with overlapping bulks in opposite order, ${ROUNDS} times, no 5xx and nothing by halves`, {
    timeout: 60_000 + ROUNDS * 3_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      // Client i wants every place from i to i + 24 of 74, every second client backwards: all overlap with some.
      const wanted = (client: number) => {
        const places = Array.from({ length: 25 }, (_, i) => client + i);
        if (client % 4 > 1) places.reverse();
        return places.map((place) => ({
          email: `r${round}-p${place}@lovelace.org`,
          name: `r${round}c${client}`,
          status: place % 8 ? "active" : "pending",
        }));
      };
      const clients = Array.from({ length: CLIENTS }, (_, client) => client);
      const answers = await each(clients, CLIENTS, (client) => bulk(through(client), wanted(client)));
      const rows = await site.sql<{ name: string; count: number }>(
        "SELECT first_name AS name, count(*)::int FROM subscribers WHERE first_name LIKE $1 GROUP BY 1 ORDER BY 1",
        [`r${round}c%`],
      );
      const winners = clients.filter((client) => answers[client]?.status === 201);
      expect(rows).toEqual(
        winners.map((client) => ({ name: `r${round}c${client}`, count: 25 })).sort(byName),
      );
      expect(winners.length).toBeGreaterThan(0);
      for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
        expect({ status, code: json?.code }).toEqual({ status: 422, code: "validation_error" });
        expect(json.items.length).toBeGreaterThan(0);
        for (const item of json.items) expect(item.code).toBe("already_subscribed");
      }
    }
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
  });

  it("share the delivery of what is waiting, and no mail leaves twice", async () => {
    // Slow enough that one process alone could not have done it before the other looked.
    site.fake.fault({ kind: "slow", ms: 400 });
    const people = (n: number) =>
      Array.from({ length: 100 }, (_, i) => ({ email: `shared${n}-${i}@lovelace.org`, status: "pending" }));
    const answers = await each(Array(12).fill(0), 12, (_, n) => bulk(through(n), people(n)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(201));
    await outboxIsEmpty(site);
    site.fake.heal();
    expect(await misdeliveries(site)).toEqual(noMisdeliveries);
    const handedOver = products.map(
      (product) => product.output().split("mail: accepted by the provider").length - 1,
    );
    expect(Math.min(...handedOver)).toBeGreaterThan(0);
  });
});

describe("a change by the command line is known at once in both processes", () => {
  const answers = async (json: (n: number) => unknown) =>
    Promise.all(mounts.map((mount, n) => ask(mount, { key: site.key, json: json(n) })));
  const person = (name: string) => (n: number) => ({ email: `${name}${n}@lovelace.org` });

  it("when an account's API access is switched off, and on again", async () => {
    expect(await answers(person("before"))).toMatchObject([{ status: 201 }, { status: 201 }]);
    await site.admin("api-access", "--account", site.accountId, "--off");
    const rejected = { status: 403, json: { code: "api_access_disabled" } };
    expect(await answers(person("while"))).toMatchObject([rejected, rejected]);
    await site.admin("api-access", "--account", site.accountId, "--on");
    expect(await answers(person("while"))).toMatchObject([{ status: 201 }, { status: 201 }]);
  });

  it("when a key is revoked", async () => {
    await site.admin("keys", "revoke", "--key", site.keyId);
    const rejected = { status: 401, json: { code: "unauthorized" } };
    expect(await answers(person("revoked"))).toMatchObject([rejected, rejected]);
  });
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
