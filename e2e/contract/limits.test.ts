import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Product } from "../../server/test/product";
import { openInstallation } from "./installation";
import { limitsSuite } from "./limits";
import { lockoutsSuite } from "./lockouts";
import type { Stage } from "./stage";
import { startContract } from "./start";

/** Small enough to be reached in no time. In a real setting the longer window is the wider one; these tell them apart. */
const direct = {
  RATE_LIMIT: "4/m,3/h,10/d",
  RATE_LIMIT_BULK: "2/m,3/h,4/d",
  LOCKOUT_AUTH: "3/10m for 10m",
  LOCKOUT_ERRORS: "off",
};
const lockouts = {
  RATE_LIMIT: "off",
  RATE_LIMIT_BULK: "off",
  LOCKOUT_ERRORS: "4/10m for 4s",
};

const plays = [
  { suites: [limitsSuite], settings: direct, stage: {} as Stage },
  { suites: [lockoutsSuite], settings: lockouts, stage: {} as Stage },
];

let database: TestDatabase;
let products: Product[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const at = await openInstallation(database.url);
  products = await Promise.all(
    plays.map(async ({ settings, stage }) => {
      const mount = await startContract({ ...settings, DATABASE_URL: database.url });
      Object.assign(stage, { mount, at });
      return mount;
    }),
  );
});

afterAll(async () => {
  await plays[0]?.stage.at?.close();
  await Promise.all(products.map((product) => product.stop()));
  await database?.drop();
});

for (const { suites, stage } of plays) for (const suite of suites) suite(stage);
