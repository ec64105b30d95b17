import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Product } from "../../server/test/product";
import { ask, BULK, type Mount } from "../contract/client";
import { each } from "../contract/stage";
import { misdeliveries, noMisdeliveries, outboxIsEmpty } from "./mails";
import { mountOf, openSite, type Site } from "./site";

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
});
