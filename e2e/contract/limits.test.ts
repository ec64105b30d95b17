import { afterAll, beforeAll, describe, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Product } from "../../server/test/product";
import { openInstallation } from "./installation";
import { limitsSuite } from "./limits";
import { lockoutsSuite, proxySuite } from "./lockouts";
import type { Stage } from "./stage";
import { startMount } from "./start";
import { compare, expectSame } from "./transcript";

/** Small enough to be reached in no time. In a real setting the longer window is the wider one; these tell them apart. */
const direct = {
  RATE_LIMIT: "4/m,3/h,10/d",
  RATE_LIMIT_BULK: "2/m,3/h,4/d",
  LOCKOUT_AUTH: "3/10m for 10m",
  LOCKOUT_ERRORS: "off",
};
const behindProxy = {
  TRUST_PROXY: "1",
  RATE_LIMIT: "off",
  RATE_LIMIT_BULK: "9/m,8/h,2/d",
  LOCKOUT_AUTH: "3/10m for 10m",
  LOCKOUT_ERRORS: "4/10m for 4s",
};

const stage = (name: Stage["mount"]["name"]) => ({ mount: { name, url: "" } }) as Stage;
const plays = [
  { suite: limitsSuite, settings: direct },
  { suite: lockoutsSuite, settings: behindProxy },
  { suite: proxySuite, settings: behindProxy },
];
const pairs = [direct, behindProxy].map((settings) => ({
  settings,
  stages: [stage("REST in front"), stage("Next")],
}));

let database: TestDatabase;
let products: Product[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const at = await openInstallation(database.url);
  products = await Promise.all(
    pairs.flatMap(({ settings, stages }) =>
      stages.map(async (one) => {
        one.at = at;
        return startMount(one.mount, { ...settings, DATABASE_URL: database.url });
      }),
    ),
  );
});

afterAll(async () => {
  await pairs[0]?.stages[0]?.at?.close();
  await Promise.all(products.map((product) => product.stop()));
  await database?.drop();
});

for (const { settings, stages } of pairs) {
  for (const one of stages) {
    describe(`through ${one.mount.name}`, () => {
      for (const play of plays) if (play.settings === settings) play.suite(one);
    });
  }
}

describe("the two mounts", () => {
  it("gave the same answers to all of this, byte for byte, but for ids, times and counts", () => {
    const [one, other] = pairs[0]?.stages ?? [];
    if (one && other) expectSame(compare(one.mount, other.mount));
  });
});
