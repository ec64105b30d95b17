import { expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { openJobs } from "../platform/jobs/jobs";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { pauseMails, resumeMails } from "./pause";
import { findSendPause } from "./shared-queries";

openBenchForTests();

function asOperator() {
  const jobs = openJobs({ databaseUrl: bench.url, log: { warn() {}, error() {} } });
  return { db: bench.db, jobs, actor: { kind: "operator" } as const, requestId: newId() };
}

test("a pause stops sending in all processes; afterwards each mail is sent once", async () => {
  await pauseMails(asOperator());
  const [first] = [await bench.deliver(), await bench.deliver()];
  await bench.add(weekly, people(3));
  await bench.add(weekly, ["late@list.example"]);
  expect(await findSendPause(bench.db)).toMatchObject({ by: "operator" });
  const seen = () =>
    bench.db.$queryRaw<object[]>`SELECT FROM pgboss.job WHERE name = 'mail-batch' AND state < 'completed'`;
  await until(async () => (await seen()).length === 0, "jobs done");
  expect(first.state().running).toBe(true);
  expect(bench.fake.requests).toHaveLength(0);
  await resumeMails(asOperator(), {});
  await bench.finished();
  expect(bench.fake.mails.map(({ to }) => to[0]).sort()).toEqual([...people(3), "late@list.example"].sort());
});

test("resuming continues a batch that became due during the pause, under its key", async () => {
  await bench.add(weekly, ["retried@list.example"]);
  bench.fake.fault({ kind: "error", status: 500, times: 1 });
  await bench.deliver();
  await until(() => bench.fake.requests.length > 0, "tried");
  await pauseMails(asOperator());
  await bench.stopDeliveries();
  await bench.db.$executeRaw`DELETE FROM pgboss.job`;
  await bench.db.$executeRaw`UPDATE mail_batches SET next_attempt_at = now() - interval '1 minute'`;
  await bench.deliver();
  await resumeMails(asOperator(), {});
  await bench.finished();
  expect(bench.fake.mails).toHaveLength(1);
});

test("after a restore, resuming requires a choice for the backup's mails; newer ones are sent either way", async () => {
  const [old] = await bench.add(weekly, ["old@list.example"]);
  await bench.db.$executeRaw`UPDATE send_pace SET paused_at = now() + interval '1 ms', paused_by = 'restore'`;
  await new Promise((resolve) => setTimeout(resolve, 20));
  await bench.add(weekly, ["new@list.example"]);
  await expect(resumeMails(asOperator(), {})).rejects.toThrow(/1 emails were queued .* --older cancel/);
  expect(await findSendPause(bench.db)).toMatchObject({ by: "restore" });
  expect(await resumeMails(asOperator(), { older: "cancel" })).toEqual({ cancelled: 1 });
  await bench.deliver();
  await bench.finished();
  expect(bench.fake.mails.map(({ to }) => to[0])).toEqual(["new@list.example"]);
  const [mail] = await bench.db.$queryRaw<{ state: string; error_code: string }[]>`
    SELECT state, error_code FROM mails WHERE subscriber_id = ${old}::uuid`;
  expect(mail).toEqual({ state: "cancelled", error_code: "restored" });
});
