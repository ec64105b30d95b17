import { expect, test } from "vitest";
import type { Fault } from "../../../e2e/fixtures/fake-resend";
import { arrived, bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people, until } from "../../test/mail-fixture";
import { impatient } from "../../test/mail-fixture-values";

openBenchForTests();
const sorted = (emails: string[]) => [...emails].sort();

const passing: [string, Fault, number][] = [
  ["429 with retry-after", { kind: "rate", times: 2, seconds: 0.1 }, 3],
  ["429 because the day's mails are used up", { kind: "daily", times: 2, seconds: 0.2 }, 3],
  ["500 after accepting", { kind: "error", after: true, times: 2 }, 3],
  ["silence until the time-out, having accepted", { kind: "silence", after: true, times: 2 }, 3],
  ["an answer that comes after the time-out", { kind: "silence", after: true, ms: 450, times: 1 }, 2],
  ["a cut connection before accepting", { kind: "reset", times: 2 }, 3],
  ["a cut connection after accepting", { kind: "reset", after: true, times: 2 }, 3],
  ["200 with something unreadable, having accepted", { kind: "garbage", after: true, times: 1 }, 2],
  ["403 until the domain is verified", { kind: "error", status: 403, name: "validation_error", times: 2 }, 3],
];

test.each(passing)("every mail arrives exactly once through %s", async (_, fault, requests) => {
  bench.fake.fault(fault);
  const silent = fault.kind === "silence";
  await bench.deliver(silent ? { tuning: impatient } : {});
  await bench.add(weekly, people(3));
  const mails = await bench.finished();
  expect(arrived()).toEqual(people(3));
  expect(mails.map((mail) => mail.state)).toEqual(["sent", "sent", "sent"]);
  expect(mails.map((mail) => mail.provider_id)).toEqual(bench.fake.mails.map((mail) => mail.id));
  expect(mails.every((mail) => mail.error_code === null && mail.error_message === null)).toBe(true);
  if (!silent) expect(bench.fake.requests).toHaveLength(requests);
  // Every attempt is the same request: the key of the set, and the same bytes.
  expect(new Set(bench.fake.requests.map((request) => `${request.key} ${request.sha256}`)).size).toBe(1);
});

test("one rejected address of a batch shows why, and every other mail arrives exactly once", async () => {
  bench.fake.fault({ kind: "reject", address: "person7@list.example" });
  await bench.deliver();
  await bench.add(weekly, [...people(20), "nobody@example.com"]);
  const mails = await bench.finished();
  const rejected = mails.filter((mail) => mail.state === "failed");
  expect(rejected.map((mail) => mail.to_email)).toEqual(["person7@list.example", "nobody@example.com"]);
  expect(rejected[0]?.error_message).toContain("person7@list.example cannot be mailed");
  expect(rejected[1]?.error_message).toContain("instead of domains like `example.com`");
  expect(rejected[1]?.error_code).toBe("validation_error");
  expect(arrived()).toEqual(sorted(people(20).filter((email) => email !== "person7@list.example")));
  expect(bench.fake.requests).toHaveLength(1);
});

test("a batch that is rejected for two addresses is divided, and every other mail arrives exactly once", async () => {
  const bad = ["person3@list.example", "person88@list.example"];
  bench.fake.fault({ kind: "strict" }, ...bad.map((address) => ({ kind: "reject" as const, address })));
  // The first answer is lost on the way, so that the rejection comes to a repeated request.
  bench.fake.fault({ kind: "reset", times: 1 });
  await bench.deliver();
  await bench.add(weekly, people(100));
  const mails = await bench.finished();
  expect(mails.filter((mail) => mail.state === "failed").map((mail) => mail.to_email)).toEqual(bad);
  expect(mails.find((mail) => mail.state === "failed")?.error_message).toContain("cannot be mailed");
  expect(arrived()).toEqual(sorted(people(100).filter((email) => !bad.includes(email))));
  expect(bench.fake.requests.length).toBeLessThan(32);
});

test("a rejected sender fails all its mails at once, with the reason", async () => {
  bench.fake.fault({
    kind: "error",
    status: 422,
    name: "invalid_from_address",
    message: "Invalid `from` field.",
  });
  await bench.deliver();
  await bench.add(weekly, people(5));
  const mails = await bench.finished();
  expect(mails.every((mail) => mail.state === "failed" && mail.error_code === "invalid_from_address")).toBe(
    true,
  );
  expect(mails[0]?.error_message).toContain("Invalid `from` field.");
  expect(bench.fake.requests).toHaveLength(1);
});

test("mails wait for a fixed key, show what is wrong meanwhile, and then arrive", async () => {
  bench.fake.fault({ kind: "error", status: 403, name: "invalid_api_key", message: "API key is invalid." });
  await bench.deliver();
  await bench.add(weekly, people(2));
  const waiting = await until(
    async () => (await bench.mails()).find((mail) => mail.error_code),
    "a reason to be shown",
  );
  expect(waiting).toMatchObject({ state: "sending", error_code: "invalid_api_key" });
  expect(waiting.error_message).toContain("API key is invalid.");
  await bench.stopDeliveries();
  bench.fake.heal();
  const delivery = await bench.deliver();
  await bench.hurry();
  await bench.finished();
  expect(arrived()).toEqual(people(2));
  expect(delivery.state()).toMatchObject({ running: true, issue: null });
});

test("a used-up quota is shown on the mail and in health, and delays the mails", async () => {
  bench.fake.fault({ kind: "monthly", times: 1 });
  const delivery = await bench.deliver();
  await bench.add(weekly, people(1));
  const mail = await until(async () => (await bench.mails()).find((row) => row.error_code), "a reason");
  expect(mail).toMatchObject({ state: "sending", error_code: "monthly_quota_exceeded" });
  expect(delivery.state().pausedMs).toBeGreaterThan(20 * 60_000);
  expect(delivery.state().issue?.message).toContain("monthly email sending quota");
  // Mails posted meanwhile enter no batch, and cost no requests.
  await bench.add(weekly, ["later@list.example"]);
  await until(async () => {
    const [row] = await bench.db.$queryRaw<{ n: bigint }[]>`
      SELECT count(*) AS n FROM pgboss.job WHERE name = 'mail-batch' AND state < 'active' AND start_after > now() + interval '20 minutes'`;
    return row && row.n > 0n;
  }, "a wake-up at the end of the pause");
  expect(await bench.stateOf("later@list.example")).toBe("waiting");
  // Another process does not know of the pause, and tries.
  await bench.stopDeliveries();
  await bench.deliver();
  await bench.hurry();
  await bench.finished();
  expect(arrived()).toEqual(sorted([...people(1), "later@list.example"]));
});

test("a request that is still in progress at Resend is repeated under its key, and each mail arrives once", async () => {
  bench.fake.fault({ kind: "slow", ms: 3_000, times: 1 });
  await bench.deliver({ tuning: impatient });
  await bench.add(weekly, people(2));
  await bench.finished();
  expect(arrived()).toEqual(people(2));
  expect(bench.fake.requests.map((request) => request.name)).toContain("concurrent_idempotent_requests");
});

test("after 20 hours of ambiguous answers a mail is uncertain and not retried", async () => {
  bench.fake.fault({ kind: "error", after: true });
  await bench.deliver();
  await bench.add(weekly, people(2));
  await until(() => bench.fake.requests.length >= 2, "two attempts");
  await bench.db.$executeRaw`UPDATE mail_batches SET unsure_since = now() - interval '20 hours 1 minute'`;
  await bench.hurry();
  const mails = await bench.finished();
  expect(mails.map((mail) => mail.state)).toEqual(["uncertain", "uncertain"]);
  expect(mails[0]?.error_message).toContain("20 hours");
  const requests = bench.fake.requests.length;
  await bench.hurry();
  await bench.add(weekly, ["other@list.example"]);
  await until(() => bench.fake.requests.length > requests, "the next send");
  expect(new Set(bench.fake.requests.slice(requests).map((request) => request.key))).not.toContain(
    mails[0]?.batch_id,
  );
  expect(arrived().filter((email) => email.startsWith("person"))).toEqual(people(2));
});

test("a key that Resend knows with other bytes makes the mails uncertain and logs an error", async () => {
  bench.fake.fault({ kind: "error", after: true, times: 1 });
  await bench.deliver({ tuning: { backoffMs: 2_000 } });
  await bench.add(weekly, people(2));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  await bench.db.$executeRaw`UPDATE mail_batches SET payload = replace(payload, 'Weekly', 'Weakly')`;
  await bench.hurry();
  const mails = await bench.finished();
  expect(mails.map((mail) => [mail.state, mail.error_code])).toEqual([
    ["uncertain", "invalid_idempotent_request"],
    ["uncertain", "invalid_idempotent_request"],
  ]);
  expect(arrived()).toEqual(people(2));
  expect(bench.logged.filter(({ level }) => level === "error")).toHaveLength(1);
});
