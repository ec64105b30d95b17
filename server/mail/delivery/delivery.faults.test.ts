import { expect, test } from "vitest";
import { bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people, until } from "../../test/mail-fixture";
import { reserveSend } from "../queries/send-pace";

openBenchForTests();

test("a mail is sent right after its commit, long before the next poll", async () => {
  await bench.deliver({ tuning: { pollSeconds: 600 } });
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    await bench.add(weekly, [`p${i}@list.example`]);
    const committed = performance.now();
    await until(() => bench.fake.mails.length === i + 1, "arrived");
    times.push(performance.now() - committed);
  }
  // 10 ms on a quiet machine.
  expect(times.sort((a, b) => a - b)[10]).toBeLessThan(2_000);
});

test("a sign-up's mail is sent before an older import's mails", async () => {
  await bench.add(weekly, people(600));
  const delayed = await bench.add(weekly, people(600, "delayed"));
  await bench.db.$executeRaw`
    UPDATE mails SET state = 'deferred', deferred_until = now() - interval '1 minute'
    WHERE subscriber_id = ANY (${delayed}::uuid[])`;
  await bench.deliver({ tuning: { requestsPerSecond: 2 } });
  await until(() => bench.fake.mails.length >= 100, "the first batch");
  await bench.add(weekly, ["ada@list.example"]);
  const since = performance.now();
  await until(() => bench.fake.mails.some((mail) => mail.to[0] === "ada@list.example"), "the sign-up's mail");
  // Two requests may have been made up before it; the rest of the 1,200 would take 5 s more.
  const before = bench.fake.mails.findIndex((mail) => mail.to[0] === "ada@list.example");
  expect(before).toBeLessThanOrEqual(500);
  expect(performance.now() - since).toBeLessThan(5_000);
});

test("three processes together stay within the rate limit", async () => {
  const tuning = { requestsPerSecond: 2 };
  await Promise.all([1, 2, 3].map(() => bench.deliver({ tuning })));
  for (let i = 0; i < 5; i++) await bench.add(weekly, people(100, `p${i}-`));
  await bench.finished();
  const starts = bench.fake.requests.map(({ at }) => Date.parse(at));
  expect(starts.length).toBeGreaterThanOrEqual(5);
  // 525 ms between two, less what the machine delays the first longer than the last.
  const took = (starts.at(-1) as number) - (starts[0] as number);
  expect(took).toBeGreaterThan((starts.length - 1) * 525 - 700);
});

test("starts are reserved one after another, and a clock that was ahead blocks no one", async () => {
  const gapMs = 500;
  const began = performance.now();
  const waits = await Promise.all(Array.from({ length: 10 }, () => reserveSend(bench.db, gapMs)));
  expect(Math.max(...waits)).toBeGreaterThan(9 * gapMs - (performance.now() - began));
  await bench.db.$executeRaw`UPDATE send_pace SET next_at = now() + interval '60 hours'`;
  expect(await reserveSend(bench.db, gapMs)).toBeLessThanOrEqual(10 * gapMs);
  await bench.db.$executeRaw`UPDATE send_pace SET next_at = now()`;
});
