import { expect, test } from "vitest";
import { countUndo } from "../imports/queries/import-undo";
import { newId } from "../kernel/ids";
import { readNewestConfirmations } from "../mail/queries/confirmation-states";
import { bench, openBenchForTests } from "./mail-bench";

openBenchForTests();

// PostgreSQL analyzes a table about a minute after it grew. Until then, the planner takes each newsletter for a small one,
// and a join of people and mails can compare all with all: that takes longer than a statement may take.
test("statements about a newsletter that has just grown do not depend on new statistics", async () => {
  const emails = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, i) => `${prefix}${i}@gmail.com`);
  for (let i = 0; i < 40; i++) await bench.add(await bench.newsletter(), emails(3, `few${i}-`));
  await bench.db.$executeRaw`ANALYZE mails, subscribers`;
  const newsletterId = await bench.newsletter();
  const importId = newId();
  const ids: string[] = [];
  for (let i = 0; i < 20; i++)
    ids.push(...(await bench.add(newsletterId, emails(1_000, `many${i}-`), "import", importId)));
  const last = ids.slice(-2);
  const newest = await readNewestConfirmations(bench.db, newsletterId, last);
  expect(newest.map(({ subscriberId }) => subscriberId)).toEqual(last);
  expect(await countUndo(bench.db, newsletterId, importId)).toEqual({
    ...{ people: ids.length, mails: ids.length },
    ...{ stayed: 0, optOuts: 0 },
  });
});
