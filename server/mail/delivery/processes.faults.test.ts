import type { ChildProcess } from "node:child_process";
import { expect, test } from "vitest";
import { openDatabase } from "../../platform/db/client";
import { openDatabaseLine } from "../../test/database-line";
import { startDelivery } from "../../test/delivery-fixture";
import { arrived, bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people, spawnDeliveryProcess, until } from "../../test/mail-fixture";
import { impatient, links, mailedBy, quick, type Tuning } from "../../test/mail-fixture-values";

openBenchForTests();
/** A delivery in a process of its own; resolves when it works. */
const spawnDelivery = (tuning: Partial<Tuning>) =>
  spawnDeliveryProcess({
    databaseUrl: bench.url,
    transport: { kind: "resend", apiKey: "re_test", baseUrl: bench.fake.url },
    tuning: { ...quick, ...tuning },
  });

async function kill9(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

test.each([
  ["between sending and marking", true],
  ["between batching and sending", false],
])("another process continues after a kill %s, and every mail arrives exactly once", async (_, after) => {
  // Silent for good: the process waits for its answer when it is killed.
  bench.fake.fault({ kind: "silence", after, times: 1 });
  const child = await spawnDelivery({ timeoutMs: 60_000, leaseSeconds: 60 });
  await bench.add(weekly, people(5));
  await until(() => bench.fake.requests.length === 1, "the request");
  await kill9(child);
  expect((await bench.mails()).map((mail) => mail.state)).toEqual(people(5).map(() => "sending"));
  expect(bench.fake.mails).toHaveLength(after ? 5 : 0);

  // Ends the lease of the killed process.
  await bench.hurry();
  await bench.deliver();
  const mails = await bench.finished();
  expect(arrived()).toEqual(people(5));
  expect(mails.map((mail) => mail.provider_id)).toEqual(bench.fake.mails.map((mail) => mail.id));
  expect(new Set(bench.fake.requests.map(({ key, sha256 }) => `${key} ${sha256}`)).size).toBe(1);
});

test("several processes on one database send no mail twice, whatever Resend answers", async () => {
  bench.fake.fault(
    { kind: "error", times: 2, after: true },
    { kind: "silence", times: 2, after: true },
    { kind: "rate", times: 2, seconds: 0.05 },
    { kind: "reset", times: 2, after: true },
    { kind: "error", times: 2 },
  );
  // Leases that end before the time-out: attempts overlap, which must do no harm.
  await Promise.all([
    spawnDelivery({ ...impatient, leaseSeconds: 0.3 }),
    bench.deliver({ tuning: { ...impatient, leaseSeconds: 0.3 } }),
    bench.deliver({ tuning: impatient }),
  ]);
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => bench.add(weekly, people(1 + (i % 7) * 5, `b${i}-`))),
  );
  const mails = await bench.finished();
  expect(mails.every((mail) => mail.state === "sent")).toBe(true);
  expect(arrived()).toEqual(mails.map((mail) => mail.to_email).sort());
});

test("stopping finishes the running attempt and leaves the rest to the next start", async () => {
  bench.fake.fault({ kind: "slow", ms: 300, times: 1 });
  await bench.deliver();
  await bench.add(weekly, people(2));
  await until(() => bench.fake.requests.length === 1, "the request");
  await bench.stopDeliveries();
  expect((await bench.mails()).map((mail) => mail.state)).toEqual(["sent", "sent"]);
  await bench.add(weekly, ["late@list.example"]);
  await bench.deliver();
  await bench.finished();
  expect(arrived()).toEqual(["late@list.example", ...people(2)]);
});

test("mails continue after the database was unreachable during an attempt", async () => {
  const line = await openDatabaseLine(bench.url);
  const database = openDatabase({ url: line.url, poolSize: 4, onError: () => {} });
  const delivery = await startDelivery({
    db: database.db,
    databaseUrl: line.url,
    mailService: mailedBy({ kind: "resend", apiKey: "re_test", baseUrl: bench.fake.url }),
    links,
    log: bench.log,
    tuning: impatient,
  });
  try {
    await bench.add(weekly, ["before@list.example"]);
    await bench.finished();
    // In the middle of an attempt, so that its result cannot be written down.
    bench.fake.fault({ kind: "slow", ms: 300, times: 1 });
    await bench.add(weekly, ["during@list.example"]);
    await until(() => bench.fake.requests.length === 2, "the request");
    line.cut();
    await until(() => delivery.state().issue, "the issue to show");
    await bench.add(weekly, ["meanwhile@list.example"]);
    await until(() => bench.fake.mails.length === 2, "the request to be answered");
    line.fix();
    await bench.finished();
    expect(arrived()).toEqual(["before@list.example", "during@list.example", "meanwhile@list.example"]);
    expect(delivery.state().running).toBe(true);
  } finally {
    await delivery.stop();
    await database.close();
    line.close();
  }
});
