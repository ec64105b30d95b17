import { expect, test } from "vitest";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { addStaff } from "../test/staff-browser";
import { listMails } from "./mails";

openBenchForTests();

const list = (more: Partial<Parameters<typeof listMails>[1]> = {}) =>
  listMails(bench, { newsletterId: weekly, filter: undefined, search: undefined, after: null, ...more });
const addressesOf = async (search: string, more = {}) =>
  (await list({ search, ...more })).items.map(({ toEmail }) => toEmail);

test("a search finds a newsletter's mails by any part of a person's address or name", async () => {
  await bench.add(weekly, ["ada@lovelace.org", "grace@navy.mil"]);
  await bench.add(await bench.newsletter(), ["ada@lovelace.org"]);
  await bench.db
    .$executeRaw`UPDATE subscribers SET first_name = 'Amazing', last_name = 'Hopper' WHERE email = 'grace@navy.mil'`;
  expect(await addressesOf("LOVE")).toEqual(["ada@lovelace.org"]);
  expect(await addressesOf("zing hop")).toEqual(["grace@navy.mil"]);
  expect(await addressesOf("a")).toEqual(["grace@navy.mil", "ada@lovelace.org"]);
  expect(await addressesOf("%")).toEqual([]);
  expect(await addressesOf("nobody")).toEqual([]);
  expect((await list()).items).toHaveLength(2);
});

test("a search combines with a state, and uses the person's current address", async () => {
  await bench.add(weekly, ["ada@lovelace.org", "grace@navy.mil"]);
  await bench.db
    .$executeRaw`UPDATE mails SET state = 'failed', finished_at = now() WHERE to_email = 'grace@navy.mil'`;
  await bench.db.$executeRaw`
    UPDATE subscribers SET email = 'ada@king.org', email_canonical = 'ada@king.org' WHERE email = 'ada@lovelace.org'`;
  expect(await addressesOf("king.org")).toEqual(["ada@lovelace.org"]);
  expect(await addressesOf("king.org", { filter: "failed" })).toEqual([]);
  expect(await addressesOf("mil", { filter: "failed" })).toEqual(["grace@navy.mil"]);
});

test("a test mail is found by the staff member's address", async () => {
  const { id } = await addStaff(bench);
  await bench.add(weekly, ["ada@lovelace.org"]);
  await bench.db.$executeRaw`
    UPDATE mails SET kind = 'test', subscriber_id = NULL, staff_id = ${id}::uuid, to_email = 'New@Colleague.org',
      subject = 's', html = '<p>', text = 't' WHERE newsletter_id = ${weekly}::uuid`;
  expect(await addressesOf("colleague")).toEqual(["New@Colleague.org"]);
});

test("a search of too many people says so, and pages through the mails of the newest", async () => {
  for (let first = 0; first < 1_001; first += 91)
    await bench.add(
      weekly,
      Array.from({ length: 91 }, (_, i) => `reader${first + i}@lovelace.org`),
    );
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listMails>> = await list({ search: "lovelace", after });
    expect(page.most).toBe(1_000);
    seen.push(...page.items.map(({ toEmail }) => toEmail));
    after = page.next;
  } while (after);
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, i) => `reader${1_000 - i}@lovelace.org`));
  expect((await list({ search: "reader100" })).most).toBeNull();
});
