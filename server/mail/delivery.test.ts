import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type MailBench, openMailBench, people, until } from "../test/mail-fixture";

let bench: MailBench;
beforeAll(async () => {
  bench = await openMailBench();
});
afterEach(() => bench.reset());
afterAll(() => bench.close());

test("a posted mail arrives, once, and is marked as sent with the provider's id", async () => {
  const weekly = await bench.newsletter();
  await bench.deliver();
  await bench.add(weekly, ["Ada@list.example"]);
  const [mail] = await bench.finished();
  expect(mail).toMatchObject({ state: "sent", attempts: 1, error_code: null });
  expect(bench.fake.mails).toHaveLength(1);
  expect(bench.fake.mails[0]).toMatchObject({
    id: mail?.provider_id,
    key: mail?.batch_id,
    to: ["Ada@list.example"],
    from: "Rollcall <hello@list.example>",
    subject: "Confirm your subscription to Weekly",
    html: mail?.html,
    text: mail?.text,
  });
});

test("a mail leaves within moments of its commit, long before anybody would look for it", async () => {
  const weekly = await bench.newsletter();
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

test("a bulk of 100 pending people leaves in one request", async () => {
  const weekly = await bench.newsletter();
  await bench.deliver();
  await bench.add(weekly, people(100));
  await bench.finished();
  expect(bench.fake.requests).toHaveLength(1);
  expect(bench.fake.mails.map((mail) => mail.to[0])).toEqual(people(100));
});
