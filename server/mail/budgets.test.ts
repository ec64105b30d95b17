import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { previewMailing } from "../mail-log/mailing-previews";
import { cancelMailing, listMailings } from "../mail-log/mailings";
import { countAttention, groupIssues } from "../mail-log/queries/mails";
import { saveNewsletterSettings } from "../newsletters/settings";
import type { Ctx } from "../subscribers/context";
import { type MailBench, openMailBench, people, until } from "../test/mail-fixture";
import { releaseDeferred } from "./budgets";

let bench: MailBench;
beforeAll(async () => {
  bench = await openMailBench();
});
afterEach(() => bench.reset());
afterAll(() => bench.close());

const arrivals = () => bench.fake.mails.map((mail) => String(mail.to));
const arrivedAt = (domain: string) => arrivals().filter((email) => email.endsWith(`@${domain}`));
const at = (domain: string, count: number, prefix = "p") =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);

/** Waits until nothing is due; returns how many mails were sent and how many wait for a budget. */
const settled = () =>
  until(async () => {
    const mails = await bench.mails();
    const open = mails.filter((mail) => mail.state === "waiting" || mail.state === "sending");
    const due = mails.filter(
      (mail) => mail.state === "deferred" && Number(mail.deferred_until) <= Date.now(),
    );
    const over = mails.filter((mail) => mail.state === "deferred");
    return open.length + due.length === 0 && { sent: bench.fake.mails.length, over: over.length };
  }, "nothing due");

/** Lets the next day begin for the budgets, and for what waits for it. */
async function nextDay(): Promise<void> {
  await bench.db.$executeRaw`UPDATE mail_budgets SET day = day - 1`;
  await bench.db.$executeRaw`
    UPDATE mails SET deferred_until = now() WHERE state = 'deferred' AND error_code IN ('domain_day', 'newsletter_day')`;
  await bench.db.$executeRaw`
    UPDATE pgboss.job SET start_after = now() WHERE state < 'active' AND start_after > now() + interval '1 minute'`;
}

const acting = (accountId: string) => ({
  db: bench.db,
  outbox: bench.outbox,
  actor: { kind: "staff" as const, id: newId(), accountId, role: "editor" as const },
  requestId: newId(),
});
async function accountOf(id: string): Promise<{ id: string; accountId: string }> {
  return bench.db.newsletter.findUniqueOrThrow({ where: { id }, select: { id: true, accountId: true } });
}

test("one domain gets its budget of a day, the oldest first; what is over waits for the next day and delays nobody", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 20 });
  await bench.add(weekly, at("small.example", 50));
  await bench.add(weekly, at("other.example", 5));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 25, over: 30 });
  expect(arrivedAt("small.example")).toEqual(at("small.example", 20));
  const waiting = (await bench.mails()).filter((mail) => mail.state === "deferred");
  const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0));
  expect(new Set(waiting.map((mail) => mail.deferred_until?.toISOString()))).toEqual(
    new Set([midnight.toISOString()]),
  );
  expect(waiting[0]).toMatchObject({
    error_code: "domain_day",
    error_message: expect.stringContaining("limit of 20 confirmations a day to small.example"),
  });
  // One job wakes them all.
  const jobs = await bench.db.$queryRaw<unknown[]>`
    SELECT FROM pgboss.job WHERE name = 'mail-batch' AND state < 'active' AND start_after = ${midnight}`;
  expect(jobs).toHaveLength(1);

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

test("a large provider has no budget of its own, and the newsletter's holds for all domains", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 10, mailsPerDay: 60 });
  await bench.add(weekly, at("small.example", 15));
  await bench.add(weekly, at("gmail.com", 70, "someone"));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 60, over: 25 });
  expect(arrivedAt("small.example")).toHaveLength(10);
  expect(arrivedAt("gmail.com")).toHaveLength(50);
  const issues = await groupIssues(bench.db, weekly);
  expect(issues).toMatchObject([
    { state: "deferred", code: "newsletter_day", domain: null, budget: 60, mails: 20 },
    { state: "deferred", code: "domain_day", domain: "small.example", budget: 10, mails: 5 },
  ]);
  expect(await countAttention(bench.db, weekly)).toEqual({ over_budget: 25 });
});

test("a budget is one newsletter's, whichever way the domain is written", async () => {
  const [daily, weekly] = [
    await bench.newsletter({ domainMailsPerDay: 3 }),
    await bench.newsletter({ domainMailsPerDay: 3 }),
  ];
  await bench.add(daily, [...at("small.example", 3), ...at("SMALL.example", 3, "q")]);
  await bench.add(weekly, at("small.example", 3, "w"));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 6, over: 3 });
});

test("staff release as many as they have seen: past the budgets, not past a person's own limit, with an audit entry", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 2, sendDelaySeconds: 0 });
  await bench.add(weekly, at("small.example", 12));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 2, over: 10 });
  // The first of those who wait was mailed a moment ago for another newsletter.
  await bench.add(await bench.newsletter(), ["p2@small.example"]);
  await until(() => bench.fake.mails.length === 3, "the other newsletter's mail");

  const newsletter = await accountOf(weekly);
  const group = { newsletter, code: "domain_day" as const, domain: "small.example" };
  expect(await releaseDeferred(acting(newsletter.accountId), { ...group, mails: 6 })).toEqual({ mails: 6 });
  await until(() => bench.fake.mails.length === 8, "the released mails");
  const states = new Map((await bench.mails()).map((mail) => [mail.to_email, mail.error_code]));
  expect(arrivedAt("small.example").filter((email) => email === "p2@small.example")).toHaveLength(1);
  expect((await bench.mails()).find((mail) => mail.error_code === "person_minute")?.to_email).toBe(
    "p2@small.example",
  );
  expect(at("small.example", 12).filter((email) => states.get(email) === "domain_day")).toEqual(
    ["p8", "p9", "p10", "p11"].map((name) => `${name}@small.example`),
  );
  // Released mails leave the day's budget to others: it was used up before, and is no more used now.
  const [used] = await bench.db.$queryRaw<{ mails: number }[]>`
    SELECT mails FROM mail_budgets WHERE newsletter_id = ${weekly}::uuid AND domain = ''`;
  expect(used?.mails).toBe(2);
  expect(
    await bench.db.auditEntry.findMany({
      where: { newsletterId: weekly },
      select: { action: true, detail: true },
    }),
  ).toEqual([{ action: "mails.released", detail: { mails: 6, domain: "small.example" } }]);
});

test("released mails leave together after the newsletter's delay; taken back, they wait for the budget again", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 2, sendDelaySeconds: 600 });
  await bench.add(weekly, at("small.example", 12));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 2, over: 10 });
  const newsletter = await accountOf(weekly);
  const ctx = acting(newsletter.accountId) as unknown as Ctx;
  const group = { code: "domain_day" as const, domain: "small.example" };
  const preview = { mails: 10, names: ["p2@small.example", "p3@small.example", "p4@small.example"] };
  expect(await previewMailing(ctx, { id: weekly, sendDelaySeconds: 600 }, { budget: group })).toMatchObject(
    preview,
  );
  await releaseDeferred(ctx, { newsletter, ...group, mails: 10 });
  expect(await countAttention(bench.db, weekly)).toEqual({ deferred: 10 });
  const [open] = await listMailings(ctx, { newsletterId: weekly });
  expect(open).toMatchObject({ kind: "release", mails: 10 });
  expect(await cancelMailing(ctx, newsletter, open?.id ?? "")).toEqual({ kind: "release", mails: 10 });
  expect(await settled()).toEqual({ sent: 2, over: 10 });
  expect(await groupIssues(bench.db, weekly)).toMatchObject([
    {
      ...group,
      mails: 10,
      message: expect.stringContaining("limit of 2 confirmations a day to small.example"),
    },
  ]);

  await releaseDeferred(ctx, { newsletter, ...group, mails: 10 });
  await bench.db.$executeRaw`UPDATE mailings SET due_at = now() WHERE cancelled_at IS NULL`;
  await bench.db.$executeRaw`UPDATE mails SET deferred_until = now() WHERE state = 'deferred'`;
  await bench.db.$transaction((tx) => bench.outbox.wake(tx));
  await until(() => bench.fake.mails.length === 12, "the released mails");
});

test("a larger budget sends at once what it has room for", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 2 });
  await bench.add(weekly, at("small.example", 9));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 2, over: 7 });
  const { accountId } = await accountOf(weekly);
  const settings = {
    name: "Weekly",
    sender: null,
    replyTo: null,
    language: "en" as const,
    timeZone: "UTC",
    domainMailsPerDay: 5,
    mailsPerDay: 5_000,
    sendDelaySeconds: 30,
  };
  await saveNewsletterSettings(acting(accountId), { newsletterId: weekly, settings });
  await until(() => bench.fake.mails.length === 5, "the three more");
  expect(await settled()).toEqual({ sent: 5, over: 4 });
  expect(arrivedAt("small.example")).toEqual(at("small.example", 5));
});

test("2,000 mails to one domain are decided at once: what was posted after them is in the second request", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 50 });
  for (let i = 0; i < 10; i++) await bench.add(weekly, at("small.example", 200, `r${i}-`));
  await bench.add(weekly, people(2));
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 52, over: 1_950 });
  expect(bench.fake.requests.map((request) => request.size)).toEqual([50, 2]);
});
