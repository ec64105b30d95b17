import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type MailBench, openMailBench, people, until } from "../test/mail-fixture";
import { takeReport } from "./mail-reports";

let bench: MailBench;
beforeAll(async () => {
  bench = await openMailBench();
});
afterEach(async () => {
  await bench.db.mailReport.deleteMany();
  await bench.reset();
});
afterAll(() => bench.close());

const deliveredAt = async () =>
  (await bench.db.mail.findMany({ orderBy: { id: "asc" } })).map(
    (mail) => mail.deliveredAt?.toISOString() ?? null,
  );
const take = (providerId: string, at: string) =>
  takeReport(bench, {
    id: `msg ${providerId} ${at}`,
    providerId,
    kind: "delivered",
    at: new Date(at),
    detail: null,
  });

test("a delivery reported while the answer with the mail's id was lost is known once the id is", async () => {
  const weekly = await bench.newsletter();
  bench.fake.fault({ kind: "reset", after: true, times: 1 });
  await bench.deliver({ tuning: { backoffMs: 60_000 } });
  await bench.add(weekly, people(2));
  await until(async () => (await bench.mails())[0]?.error_code, "the first attempt");
  const [, second] = bench.fake.mails;
  const at = "2026-11-20T10:00:00.000Z";
  expect(await take(second?.id as string, at)).toBe("waiting");
  expect(await deliveredAt()).toEqual([null, null]);
  await bench.stopDeliveries();
  await bench.deliver();
  await bench.hurry();
  await bench.finished();
  await until(async () => (await deliveredAt())[1], "the report at its mail");
  expect(await deliveredAt()).toEqual([null, at]);
  expect(await take(second?.id as string, at)).toBe("ignored");
});

test("a report that nobody caught up with is found by the next start", async () => {
  const weekly = await bench.newsletter();
  await bench.deliver();
  await bench.add(weekly, people(1));
  const [mail] = await bench.finished();
  await bench.stopDeliveries();
  const at = new Date("2026-11-20T10:00:00Z");
  const providerId = mail?.provider_id as string;
  await bench.db.mailReport.create({ data: { id: "msg", providerId, kind: "delivered", at } });
  await bench.deliver();
  await until(async () => (await deliveredAt())[0], "the report at its mail");
  expect(await deliveredAt()).toEqual([at.toISOString()]);
});
