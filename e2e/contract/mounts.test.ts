import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Product } from "../../server/test/product";
import { bodySuite } from "./body";
import { bulkSuite } from "./bulk";
import type { Mount } from "./client";
import { headersSuite } from "./headers";
import { idempotencySuite } from "./idempotency";
import { openInstallation } from "./installation";
import { keysSuite } from "./keys";
import { orderSuite } from "./order";
import { pathsSuite } from "./paths";
import { permissionsSuite } from "./permissions";
import { querySuite } from "./query";
import { racesSuite } from "./races";
import { recordSuite } from "./record";
import type { Stage } from "./stage";
import { NO_LIMITS, startMount } from "./start";
import { compare, expectSame } from "./transcript";
import { unparsedSuite } from "./unparsed";
import { vectorsSuite } from "./vectors";

const fast: Mount = { name: "REST in front", url: "" };
const next: Mount = { name: "Next", url: "" };
const stages = [
  { mount: fast, other: next },
  { mount: next, other: fast },
] as Stage[];
/** What Next's own server answers before any route of ours: paths that are no URL, verbs that no route exports, broken HTTP. */
const inFrontOnly = [pathsSuite, unparsedSuite];
const core = [
  recordSuite,
  keysSuite,
  permissionsSuite,
  orderSuite,
  headersSuite,
  bodySuite,
  bulkSuite,
  querySuite,
  idempotencySuite,
  vectorsSuite,
  racesSuite,
];

let database: TestDatabase;
let products: Product[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { ...NO_LIMITS, DATABASE_URL: database.url };
  products = await Promise.all([startMount(fast, env), startMount(next, env)]);
  const at = await openInstallation(database.url);
  for (const stage of stages) stage.at = at;
});

afterAll(async () => {
  await stages[0]?.at.close();
  const codes = await Promise.all(products.map((product) => product.stop()));
  await database.drop();
  expect(codes).toEqual([0, 143]); // Next ends by the signal itself
});

for (const stage of stages)
  describe(`through ${stage.mount.name}`, () => {
    for (const suite of core) suite(stage);
    if (stage.mount === fast) for (const suite of inFrontOnly) suite(stage);

    it("said nothing of a crash in its log", () => {
      const product = products[stages.indexOf(stage)];
      expect(product?.output()).not.toMatch(/internal_error|unhandled|uncaught/i);
    });
  });

describe("the two mounts", () => {
  it("gave the same answers to all of this, byte for byte, but for ids and times", () => {
    expectSame(compare(fast, next));
  });
});
