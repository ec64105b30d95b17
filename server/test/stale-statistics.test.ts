import { describe, expect, it } from "vitest";
import { countUndo } from "../imports/queries/import-undo";
import { newId } from "../kernel/ids";
import { readNewestConfirmations } from "../mail/queries/confirmation-states";
import { fixture, imported, newsletter, openFixtureForTests, planned, undone } from "./import-fixture";
import { addNewsletter } from "./linked-person";
import { bench, openBenchForTests } from "./mail-bench";

openBenchForTests();
openFixtureForTests();

const emails = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@gmail.com`);

// PostgreSQL analyzes a table about a minute after it grew. Until then, the planner takes each newsletter for a small one,
// and a join can compare all rows with all others: that takes longer than a statement may take.
describe("before PostgreSQL has analyzed the tables", () => {
  it("confirmations are found and an undo is counted in a newsletter that has just grown", async () => {
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

  it("a long list with tags is imported, compared again and undone", async () => {
    const tagged = (prefix: string, count: number) =>
      emails(count, prefix).map((email, i) => ({ email, tags: [i % 2 ? "vip" : "news"] }));
    for (let i = 0; i < 40; i++) await planned(tagged(`few${i}-`, 1), {}, await addNewsletter(fixture.db));
    await fixture.db.$executeRaw`ANALYZE`;
    const list = tagged("many", 20_000);
    const first = await imported(list, { statusRule: "pending" });
    expect([first.state, first.counts.new_pending]).toEqual(["done", list.length]);
    expect((await planned(list)).counts.already_pending).toBe(list.length);
    expect((await undone(first.id)).state).toBe("undone");
    expect(await fixture.db.subscriber.count({ where: { newsletterId: newsletter.id } })).toBe(0);
  }, 120_000);
});
