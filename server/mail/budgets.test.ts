import { expect, test } from "vitest";
import { countAttention, groupIssues } from "../mail-log/queries/mails";
import { saveNewsletterSettings } from "../newsletters/settings";
import { insertActivities } from "../subscribers/queries/activities";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { confirmationOf, until } from "../test/mail-fixture";
import { leastOwnDomainMailsPerDay } from "./schema/mail-budgets";

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

test("sign-ups of one domain get its daily budget, the oldest first; the others wait for the next day and delay no one", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 20 });
  await bench.signUp(weekly, at("small.example", 50));
  await bench.signUp(weekly, at("other.example", 5));
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
    error_message: expect.stringContaining("limit of 20 confirmations a day to small.example for sign-ups"),
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
    Array.from({ length: 12 }, (_, i) => bench.signUp(weekly, at("small.example", 40, `r${i}-`))),
  );
  expect(await settled()).toEqual({ sent: 30, over: 450 });
});

test("large providers have no budget of their own; the newsletter's budget counts all domains", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 10, mailsPerDay: 60 });
  await bench.signUp(weekly, [...at("small.example", 12), ...at("SMALL.example", 3, "q")]);
  await bench.signUp(weekly, at("gmail.com", 70, "someone"));
  const other = await bench.newsletter({ domainMailsPerDay: 3 });
  await bench.signUp(other, at("small.example", 3, "w"));
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
  await bench.signUp(weekly.id, at("small.example", 9));
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

/** As if this many mails of the newsletter had been sent today. */
const sentToday = (newsletterId: string, domain: string, mails: number) =>
  bench.db.$executeRaw`INSERT INTO mail_budgets (newsletter_id, day, domain, mails)
    VALUES (${newsletterId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${domain}, ${mails})`;

test("people whom keys and staff add have a budget of their own for a domain, and a person who waits is first in it", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 2 });
  await sentToday(weekly, "@small.example", leastOwnDomainMailsPerDay - 3);
  await bench.add(weekly, at("small.example", 4, "bulk"));
  await bench.signUp(weekly, at("small.example", 3, "stranger"));
  await bench.add(weekly, ["waits@small.example"]);
  await bench.deliver();
  expect(await settled()).toEqual({ sent: 5, over: 3 });
  expect(arrivedAt("small.example").sort()).toEqual(
    [...at("small.example", 2, "bulk"), ...at("small.example", 2, "stranger"), "waits@small.example"].sort(),
  );
  const own = (await bench.mails()).find((mail) => mail.to_email === "bulk2@small.example");
  expect(own).toMatchObject({
    error_code: "own_domain_day",
    error_message: expect.stringContaining("limit of 2,000 confirmations a day to small.example. It"),
  });
  expect(await groupIssues(bench.db, weekly)).toMatchObject([
    { code: "own_domain_day", domain: "small.example", budget: leastOwnDomainMailsPerDay, mails: 2 },
    { code: "domain_day", domain: "small.example", budget: 2, mails: 1 },
  ]);
});

test("a sign-up of a person whom a key added counts as a sign-up; a higher limit of sign-ups also applies to keys", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 2_001 });
  await sentToday(weekly, "@small.example", leastOwnDomainMailsPerDay);
  const [id = ""] = await bench.add(weekly, ["ada@small.example"]);
  await bench.deliver();
  await until(() => bench.fake.mails.length === 1, "the key's mail");
  await bench.db.$executeRaw`DELETE FROM mail_throttle`;
  await bench.db.$transaction(async (tx) => {
    await bench.outbox.post(tx, [confirmationOf(weekly, { id, email: "ada@small.example" })]);
    const actor = { kind: "page", id: null, address: null };
    await insertActivities(tx, { newsletterId: weekly, ids: [id], kind: "signed_up", actor });
  });
  await until(() => bench.fake.mails.length === 2, "the sign-up's mail");
  const counted = await bench.db.mailBudget.findMany({ orderBy: { domain: "asc" } });
  expect(counted.map(({ domain, mails }) => [domain, mails])).toEqual([
    ["", 2],
    ["@small.example", leastOwnDomainMailsPerDay + 1],
    ["small.example", 1],
  ]);
});
