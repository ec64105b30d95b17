import { expect, test } from "vitest";
import { countAttention, groupIssues } from "../mail-log/queries/mails";
import { saveNewsletterSettings } from "../newsletters/settings";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { until } from "../test/mail-fixture";

openBenchForTests();

const arrivedAt = (domain: string) =>
  bench.fake.mails.map((mail) => String(mail.to)).filter((email) => email.endsWith(`@${domain}`));
const at = (domain: string, count: number, prefix = "p") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);

/** Waits until nothing is due; returns how many mails were sent and how many wait for a budget. */
const settled = () =>
  until(async () => {
    const mails = await bench.mails();
    const over = mails.filter((mail) => mail.state === "deferred");
    const due = over.filter((mail) => Number(mail.deferred_until) <= Date.now());
    const open = mails.filter((mail) => mail.state === "waiting" || mail.state === "sending");
    return open.length + due.length === 0 && { sent: bench.fake.mails.length, over: over.length };
  }, "nothing due");

/** Lets the next day begin for the budgets, and for the mails that wait for it. */
async function nextDay(): Promise<void> {
  await bench.db.$executeRaw`UPDATE mail_budgets SET day = day - 1`;
  await bench.db.$executeRaw`
    UPDATE mails SET deferred_until = now() WHERE state = 'deferred' AND error_code IN ('domain_day', 'newsletter_day')`;
  await bench.db.$executeRaw`
    UPDATE pgboss.job SET start_after = now() WHERE state < 'active' AND start_after > now() + interval '1 minute'`;
}

test("one domain gets its daily budget, the oldest first; the others wait for the next day and delay no one", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 20 });
  await bench.add(weekly, at("small.example", 50));
  await bench.add(weekly, at("other.example", 5));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 25, over: 30 });
  expect(arrivedAt("small.example")).toEqual(at("small.example", 20));
  const waiting = (await bench.mails()).filter((mail) => mail.state === "deferred");
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0));
  expect(new Set(waiting.map((mail) => mail.deferred_until?.getTime()))).toEqual(
    new Set([midnight.getTime()]),
  );
  expect(waiting[0]).toMatchObject({
    error_code: "domain_day",
    error_message: expect.stringContaining("limit of 20 confirmations a day to small.example"),
  });

  await nextDay();
  await until(() => bench.fake.mails.length === 45, "the next day's mails");
  expect(await settled()).toEqual({ sent: 45, over: 10 });
  expect(arrivedAt("small.example")).toEqual(at("small.example", 40));
});

test("several processes share one budget", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 30 });
  await Promise.all([bench.deliver(), bench.deliver(), bench.deliver()]);
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => bench.add(weekly, at("small.example", 40, `r${i}-`))),
  );
  expect(await settled()).toEqual({ sent: 30, over: 450 });
});

test("large providers have no budget of their own; the newsletter's budget counts all domains", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 10, mailsPerDay: 60 });
  await bench.add(weekly, [...at("small.example", 12), ...at("SMALL.example", 3, "q")]);
  await bench.add(weekly, at("gmail.com", 70, "someone"));
  const other = await bench.newsletter({ domainMailsPerDay: 3 });
  await bench.add(other, at("small.example", 3, "w"));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 63, over: 25 });
  expect(arrivedAt("gmail.com")).toHaveLength(50);
  expect(await groupIssues(bench.db, weekly)).toMatchObject([
    { state: "deferred", code: "newsletter_day", domain: null, budget: 60, mails: 20 },
    { state: "deferred", code: "domain_day", domain: "small.example", budget: 10, mails: 5 },
  ]);
  expect(await countAttention(bench.db, weekly)).toEqual({ over_budget: 25 });
});

test("a higher budget sends at once what fits", async () => {
  const { weekly, ctx } = await openEditor({ domainMailsPerDay: 2 });
  await bench.add(weekly.id, at("small.example", 9));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 2, over: 7 });
  const { name, sender, replyTo, timeZone, mailsPerDay, sendDelaySeconds } = weekly;
  const others = { name, sender, replyTo, timeZone, mailsPerDay, sendDelaySeconds };
  const settings = { ...others, language: "en", domainMailsPerDay: 5 } as const;
  await saveNewsletterSettings(ctx, { newsletterId: weekly.id, settings });
  await until(() => bench.fake.mails.length === 5, "the three more");
  expect(await settled()).toEqual({ sent: 5, over: 4 });
  expect(arrivedAt("small.example")).toEqual(at("small.example", 5));
});
