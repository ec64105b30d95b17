import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseEmail, throttleKey } from "../domain/email";
import { projectRoot } from "../project-root";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { type Database, openDatabase, Prisma } from "./client";
import { foldedAddress } from "./duplicates";
import { textArray } from "./text-array";

let base: TestDatabase;
let database: Database;
beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 1, onError: () => {} });
});
afterAll(async () => {
  await database.close();
  await base.drop();
});

const foldedInSql = async (canonicals: string[]) =>
  (
    await database.db.$queryRaw<{ key: string }[]>`
      SELECT ${foldedAddress(Prisma.sql`a.canonical`)} AS key
      FROM unnest(${textArray(canonicals)}::text[]) WITH ORDINALITY AS a (canonical, place) ORDER BY place`
  ).map(({ key }) => key);
const canonicalOf = (email: string) => {
  const parsed = parseEmail(email);
  return parsed.ok ? [parsed.canonical] : [];
};

it("an address folds in the database as it does in `throttleKey`: those of the vectors", async () => {
  const verdicts = JSON.parse(
    readFileSync(join(projectRoot(), "e2e/vectors/email-verdicts.json"), "utf8"),
  ) as { address: string }[];
  const canonicals = [
    ...verdicts.flatMap(({ address }) => canonicalOf(address)),
    ...["+a@gmail.com", "+a+b@x.org", "a+@x.org", "a.b+c.d+e@googlemail.com", "gmail.com@x.org"],
    ...["a.b@gmail.com.au", "a.b@mail.gmail.com", "a%b_c+d@gmail.com", "a.b@notgmail.com", "'\\+x@x.org"],
  ];
  expect(canonicals.length).toBeGreaterThan(50);
  expect(await foldedInSql(canonicals)).toEqual(canonicals.map(throttleKey));
});

it("an address folds in the database as it does in `throttleKey`: any", async () => {
  const local = fc.string({
    unit: fc.constantFrom("a", "b", ".", "+", "-", "%", "_", "'", "{"),
    minLength: 1,
  });
  const domain = fc.constantFrom("gmail.com", "googlemail.com", "x.org", "gmail.com.x.org", "mygmail.com");
  const address = fc.tuple(local, domain).map(([name, at]) => canonicalOf(`${name}@${at}`));
  const check = async (addresses: string[][]) => {
    const canonicals = addresses.flat();
    if (canonicals.length > 0) expect(await foldedInSql(canonicals)).toEqual(canonicals.map(throttleKey));
  };
  await fc.assert(fc.asyncProperty(fc.array(address, { maxLength: 100 }), check), { numRuns: 50 });
});
