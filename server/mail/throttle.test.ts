import { expect, test } from "vitest";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import { takeMailAllowance } from "./queries/mail-throttle";
import { recipientHash } from "./recipient-hash";

openBenchForTests();

const arrived = () => bench.fake.mails.map((mail) => String(mail.to));

/** Lets time pass for what the throttle and the deferred mails go by. */
async function passSeconds(seconds: number): Promise<void> {
  await bench.db.$executeRaw`
    UPDATE mail_throttle SET allowed_at = (
      SELECT array_agg(at - ${seconds}::float8 * interval '1 second' ORDER BY at) FROM unnest(allowed_at) AS at)`;
  await bench.db.$executeRaw`
    UPDATE mails SET deferred_until = deferred_until - ${seconds}::float8 * interval '1 second' WHERE state = 'deferred'`;
  await bench.db.$executeRaw`
    UPDATE pgboss.job SET start_after = start_after - ${seconds}::float8 * interval '1 second' WHERE state < 'active'`;
}

const deferred = (count: number) =>
  until(async () => {
    const rows = (await bench.mails()).filter((mail) => mail.state === "deferred");
    return rows.length === count && rows;
  }, `${count} deferred mails`);

test("one person gets one confirmation a minute, over spellings and newsletters; the next follows by itself", async () => {
  const daily = await bench.newsletter({ name: "Daily" });
  await bench.deliver();
  await bench.add(daily, ["a.da@gmail.com"]);
  await until(() => bench.fake.mails.length === 1, "the first mail");
  await bench.add(weekly, ["Ada+news@googlemail.com"]);
  const [mail] = await deferred(1);
  expect(mail).toMatchObject({
    to_email: "Ada+news@googlemail.com",
    error_code: "person_minute",
    finished_at: null,
  });
  expect(mail?.error_message).toContain("at most one confirmation a minute");
  const wait = (mail?.deferred_until?.getTime() ?? 0) - Date.now();
  expect(wait).toBeGreaterThan(40_000);
  expect(wait).toBeLessThanOrEqual(60_000);

  await passSeconds(61);
  const mails = await bench.finished();
  expect(mails.map((row) => [row.state, row.error_code, row.deferred_until])).toEqual([
    ["sent", null, null],
    ["sent", null, null],
  ]);
  expect(arrived()).toEqual(["a.da@gmail.com", "Ada+news@googlemail.com"]);
  // Held for however long, the link is good for 7 days from when it leaves.
  expect((mails[1]?.link_expires_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
});

test("only one of many newsletters' mails to one person leaves at once, over all processes", async () => {
  await Promise.all([bench.deliver(), bench.deliver()]);
  const newsletters = await Promise.all(Array.from({ length: 12 }, () => bench.newsletter()));
  await Promise.all(
    newsletters.map((id, i) => bench.add(id, [`victim+${i}@list.example`, `other${i}@list.example`])),
  );
  await deferred(11);
  await until(() => bench.fake.mails.length === 13, "the others' mails");
  expect(arrived().filter((email) => email.startsWith("victim"))).toHaveLength(1);
});

test("a deferred mail is replaced by a newer one to the same person", async () => {
  await bench.deliver();
  const email = "ada@list.example";
  const [id = ""] = await bench.add(weekly, [email]);
  await until(() => bench.fake.mails.length === 1, "the first mail");
  await bench.ask(weekly, { id, email });
  await deferred(1);
  await bench.ask(weekly, { id, email });
  await until(async () => (await bench.mails())[1]?.state === "deferred", "the second to be deferred");
  await passSeconds(61);
  await bench.finished();
  expect((await bench.mails()).map((mail) => [mail.state, mail.error_code])).toEqual([
    ["sent", null],
    ["cancelled", "superseded"],
    ["sent", null],
  ]);
});

test("an allowance is taken once a minute and three times a day, under a keyed digest of the address", async () => {
  const hash = recipientHash("ada@list.example");
  const isAllowed = async () => (await takeMailAllowance(bench.db, [hash])).has(hash);
  for (let i = 0; i < 3; i++) {
    expect([await isAllowed(), await isAllowed()]).toEqual([true, false]);
    await passSeconds(61);
  }
  expect(await isAllowed()).toBe(false);
  const rows = await bench.db.mailThrottle.findMany();
  expect(rows.map((row) => row.recipientHash)).not.toContain(hash);
  // The next mail waits until the first allowance, three minutes old, is a day old.
  await bench.deliver();
  await bench.add(weekly, ["ada@list.example"]);
  const [mail] = await deferred(1);
  expect(mail?.error_code).toBe("person_day");
  const seconds = ((mail?.deferred_until?.getTime() ?? 0) - Date.now()) / 1000;
  expect(Math.abs(seconds - (86_400 - 183))).toBeLessThan(60);
  await passSeconds(86_400);
  await bench.finished();
  expect(arrived()).toEqual(["ada@list.example"]);
});
