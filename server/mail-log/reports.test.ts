import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { ProviderReport, ReportKind } from "../mail/schema/resend-report";
import { addLinkedPerson } from "../test/linked-person";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { receiveReport } from "./reports";

openBenchForTests({ reset: false });
afterEach(async () => {
  await bench.db.mailReport.deleteMany();
  await bench.reset();
});

const deliveredAt = async () =>
  (await bench.db.mail.findMany({ orderBy: { id: "asc" } })).map(
    (mail) => mail.deliveredAt?.toISOString() ?? null,
  );
const take = (providerId: string, at: string) =>
  receiveReport(bench, {
    id: `msg ${providerId} ${at}`,
    providerId,
    kind: "delivered",
    at: new Date(at),
    detail: null,
  });

test("a report that precedes the mail's id is applied once the id is known", async () => {
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

test("an unapplied report is found by the next start", async () => {
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

/** REPORT_ORDERS=1000 is the full run. */
const ORDERS = Number(process.env.REPORT_ORDERS || 8);
/** What is reported of three mails, to somebody pending, active and unsubscribed; the last word of each is no matter of order. */
const history: [kind: ReportKind, minute: number, detail: string | null][] = [
  ["delayed", 1, null],
  ["failed", 2, "The provider gave up"],
  ["delivered", 3, null],
  ["rejected", 4, "Mailbox full"],
  ["bounced", 5, "No such user"],
  ["complained", 6, null],
];

test(`${ORDERS} orders of one history of reports, with repeats, end in one state`, async () => {
  const statuses = ["pending", "active", "unsubscribed"] as const;

  /** Makes three people with a mail each, hears of these in an order, and says how all stand then. */
  async function endOf(order: number[]): Promise<string> {
    const people = [];
    for (const status of statuses) {
      const person = await addLinkedPerson(bench.db, weekly, { status });
      await bench.db.mail.update({ where: { id: person.mailId }, data: { providerId: person.mailId } });
      people.push(person);
    }
    const reports: ProviderReport[] = people.flatMap(({ mailId }) =>
      history.map(([kind, minute, detail]) => ({
        id: `${mailId} ${kind}`,
        providerId: mailId,
        kind,
        at: new Date(Date.UTC(2026, 10, 20, 10, minute)),
        detail,
      })),
    );
    for (const index of order) await receiveReport(bench, reports[index % reports.length] as ProviderReport);
    const ends = [];
    for (const { subscriberId, mailId, email } of people) {
      const { status } = await bench.db.subscriber.findFirstOrThrow({ where: { id: subscriberId } });
      const { state, errorCode, bounceReason, ...mail } = await bench.db.mail.findUniqueOrThrow({
        where: { id: mailId },
      });
      const times = [mail.delayedAt, mail.deliveredAt, mail.bouncedAt, mail.complainedAt];
      const [suppression] = await bench.db.suppression.findMany({ where: { newsletterId: weekly, email } });
      ends.push([
        ...[status, state, errorCode, bounceReason, suppression?.reason, suppression?.source],
        ...times.map((at) => at?.toISOString() ?? null),
      ]);
    }
    return JSON.stringify(ends);
  }

  const each = Array.from({ length: statuses.length * history.length }, (_, index) => index);
  const expected = await endOf(each);
  expect(expected).toContain("complained");
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(each, { minLength: each.length }),
      fc.array(fc.nat(each.length - 1), { maxLength: 6 }),
      async (order, repeats) => {
        // Repeats come anywhere among the first ones.
        const mixed = repeats.reduce(
          (all, report, at) => [...all.slice(0, at * 3), report, ...all.slice(at * 3)],
          order,
        );
        expect(await endOf(mixed)).toBe(expected);
      },
    ),
    { numRuns: ORDERS },
  );
}, 600_000);
