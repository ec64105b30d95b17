import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "../../kernel/ids";
import { suppressAddress } from "../../test/linked-person";
import { type MailBench, openMailBench, people, until } from "../../test/mail-fixture";
import { postpone } from "../queries/mail-batches";

let bench: MailBench;
let weekly: string;
beforeAll(async () => {
  bench = await openMailBench();
});
beforeEach(async () => {
  weekly = await bench.newsletter();
});
afterEach(() => bench.reset());
afterAll(() => bench.close());

const erase = (id: string) => bench.db.$executeRaw`DELETE FROM subscribers WHERE id = ${id}::uuid`;
const arrived = () => bench.fake.mails.map((mail) => String(mail.to)).sort();
/** Attempts far enough apart for the test to do something in between. */
const slowRetry = { tuning: { backoffMs: 60_000 } };

test("who is erased while nobody knows whether Resend took the batch changes no byte of it, and nobody is mailed twice", async () => {
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

test("who is erased, confirms or denies while Resend surely has nothing is left out, and the others arrive under a new key", async () => {
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

test("a mail that waited until its link expired is not sent and says what to do", async () => {
  bench.fake.fault({ kind: "rate", times: 1, seconds: 60 });
  await bench.deliver();
  await bench.add(weekly, people(1));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await bench.db.$executeRaw`UPDATE mails SET link_expires_at = now() - interval '1 second'`;
  await bench.stopDeliveries();
  await bench.deliver();
  await bench.hurry();
  const [mail] = await bench.finished();
  expect(mail).toMatchObject({ state: "cancelled", error_code: "link_expired" });
  expect(mail?.error_message).toContain("Send a new confirmation");
  expect(bench.fake.mails).toHaveLength(0);
});

test("a send whose wake-up was lost is found by the next start", async () => {
  bench.fake.fault({ kind: "reset", times: 1 });
  await bench.deliver(slowRetry);
  await bench.add(weekly, people(2));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await bench.stopDeliveries();
  await bench.db.$executeRaw`DELETE FROM pgboss.job`;
  await bench.db.$executeRaw`UPDATE mail_batches SET next_attempt_at = now() - interval '10 minutes'`;
  await bench.deliver();
  await bench.finished();
  expect(arrived()).toEqual(people(2));
});

test("a mail whose wake-up was lost is found by the next start", async () => {
  await bench.add(weekly, people(2));
  await bench.db.$executeRaw`DELETE FROM pgboss.job`;
  await bench.deliver();
  await bench.finished();
  expect(arrived()).toEqual(people(2));
});

test("no wait for the next attempt is longer than 15 minutes", async () => {
  const id = newId();
  await bench.db.$executeRaw`
    INSERT INTO mail_batches (id, payload, size, attempts, next_attempt_at) VALUES (${id}::uuid, '[]', 1, 1, now())`;
  const due = await postpone(bench.db, id, { attempt: 1, seconds: 5 * 3600, sure: true });
  expect((due as Date).getTime() - Date.now()).toBeLessThan(901_000);
  expect((due as Date).getTime() - Date.now()).toBeGreaterThan(890_000);
  await bench.db.$executeRaw`DELETE FROM mail_batches WHERE id = ${id}::uuid`;
});
