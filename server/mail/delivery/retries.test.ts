import { expect, test } from "vitest";
import { newId } from "../../kernel/ids";
import { suppressAddress } from "../../test/linked-person";
import { arrived, bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people, until } from "../../test/mail-fixture";
import { postpone } from "../queries/mail-batches";

openBenchForTests();

const erase = (id: string) => bench.db.$executeRaw`DELETE FROM subscribers WHERE id = ${id}::uuid`;
/** Attempts far enough apart for the test to do something in between. */
const slowRetry = { tuning: { backoffMs: 60_000 } };

test("erasing a person after an ambiguous attempt changes no byte of the batch", async () => {
  bench.fake.fault({ kind: "reset", after: true, times: 1 });
  await bench.deliver(slowRetry);
  const [first] = await bench.add(weekly, people(3));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await erase(first as string);
  await bench.stopDeliveries();
  await bench.deliver();
  await bench.hurry();
  const mails = await bench.finished();
  expect(mails.map((mail) => [mail.to_email, mail.state])).toEqual([
    ["person1@list.example", "sent"],
    ["person2@list.example", "sent"],
  ]);
  expect(arrived()).toEqual(people(3));
  expect(mails[0]?.provider_id).toBe(bench.fake.mails[1]?.id);
  expect(new Set(bench.fake.requests.map((request) => request.sha256)).size).toBe(1);
});

test("people who were erased, confirmed or denied after a rejected attempt are left out; the others arrive under a new key", async () => {
  bench.fake.fault({ kind: "rate", times: 1, seconds: 60 });
  await bench.deliver();
  const [erased, confirmed, denied] = await bench.add(weekly, people(5));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await erase(erased as string);
  await bench.db.$executeRaw`UPDATE subscribers SET status = 'active' WHERE id = ${confirmed}::uuid`;
  const who = await bench.db.subscriber.findFirstOrThrow({ where: { id: denied as string } });
  await suppressAddress(bench.db, who.newsletterId, { email: who.email, reason: "denied" });
  await bench.stopDeliveries();
  await bench.deliver();
  await bench.hurry();
  const mails = await bench.finished();
  expect(mails.map((mail) => [mail.to_email, mail.state, mail.error_code])).toEqual([
    ["person1@list.example", "cancelled", "not_pending"],
    ["person2@list.example", "cancelled", "suppressed"],
    ["person3@list.example", "sent", null],
    ["person4@list.example", "sent", null],
  ]);
  expect(arrived()).toEqual(["person3@list.example", "person4@list.example"]);
  expect(bench.fake.requests[0]?.key).not.toBe(bench.fake.requests[1]?.key);
});

test("batches and mails with a lost job are found by the next start", async () => {
  bench.fake.fault({ kind: "reset", times: 1 });
  await bench.deliver(slowRetry);
  await bench.add(weekly, people(2));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await bench.stopDeliveries();
  await bench.add(weekly, ["waiting@list.example"]);
  await bench.db.$executeRaw`DELETE FROM pgboss.job`;
  await bench.db.$executeRaw`UPDATE mail_batches SET next_attempt_at = now() - interval '10 minutes'`;
  await bench.deliver();
  await bench.finished();
  expect(arrived()).toEqual([...people(2), "waiting@list.example"]);
});

test("no wait for the next attempt is longer than 15 minutes", async () => {
  const id = newId();
  await bench.db.$executeRaw`
    INSERT INTO mail_batches (id, payload, size, attempts, next_attempt_at) VALUES (${id}::uuid, '[]', 1, 1, now())`;
  const due = await postpone(bench.db, { id, attempts: 1 }, { seconds: 5 * 3600, sure: true });
  expect((due as Date).getTime() - Date.now()).toBeLessThan(901_000);
  expect((due as Date).getTime() - Date.now()).toBeGreaterThan(890_000);
  await bench.db.$executeRaw`DELETE FROM mail_batches WHERE id = ${id}::uuid`;
});
