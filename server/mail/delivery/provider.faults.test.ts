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
  ["409 because Resend still works on it", { kind: "slow", ms: 3_000, times: 1 }, 0],
  ["403 until the domain is verified", { kind: "error", status: 403, name: "validation_error", times: 2 }, 3],
];

test.each(passing)("every mail arrives exactly once through %s", async (_, fault, requests) => {
  bench.fake.fault(fault);
  const timesOut = fault.kind === "silence" || fault.kind === "slow";
  await bench.deliver(timesOut ? { tuning: impatient } : {});
  await bench.add(weekly, people(3));
  const mails = await bench.finished();
  expect(arrived()).toEqual(people(3));
  expect(mails.map((mail) => mail.state)).toEqual(["sent", "sent", "sent"]);
  expect(mails.map((mail) => mail.provider_id)).toEqual(bench.fake.mails.map((mail) => mail.id));
  expect(mails.every((mail) => mail.error_code === null && mail.error_message === null)).toBe(true);
  if (!timesOut) expect(bench.fake.requests).toHaveLength(requests);
  // Every attempt is the same request: the key of the set, and the same bytes.
  expect(new Set(bench.fake.requests.map((request) => `${request.key} ${request.sha256}`)).size).toBe(1);
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
