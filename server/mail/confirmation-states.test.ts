import { expect, test } from "vitest";
import type { Db } from "../platform/db/client";
import { bench, openBenchForTests } from "../test/mail-bench";
import { confirmationOf, until } from "../test/mail-fixture";
import { findConfirmationStates, foreseeQueued } from "./confirmation-states";
import { beginSendPause, endSendPause } from "./queries/send-pace";
import { recipientHash } from "./recipient-hash";
import { leastOwnDomainMailsPerDay } from "./schema/mail-budgets";

openBenchForTests();

const withProvider = { hasProvider: true };
const at = (domain: string, count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);

/** What happens to the newest mail of each person, by address: "queued", or the reason and the time until when. */
async function foreseen(newsletterId: string, hasProvider = true): Promise<Record<string, string>> {
  const people = await bench.db.subscriber.findMany({ where: { newsletterId }, orderBy: { id: "asc" } });
  const states = await findConfirmationStates(
    { db: bench.db, outbox: { hasProvider } },
    { newsletterId, subscriberIds: people.map(({ id }) => id) },
  );
  return Object.fromEntries(
    people.map(({ id, email }) => {
      const { state, hold } = states.get(id) ?? { state: "none", hold: null };
      const day = hold?.until && hold.reason.endsWith("_day") ? ` ${hold.until.toISOString()}` : "";
      return [email, hold ? `${state}: ${hold.reason}${day}` : state];
    }),
  );
}

/** The same for the request of a key that has just queued the mails to these people. */
async function answered(newsletterId: string, people: { id: string; email: string }[], urgent = false) {
  const mails = people.map((person) => ({ ...confirmationOf(newsletterId, person), urgent }));
  const holds = await foreseeQueued({ db: bench.db, outbox: withProvider }, newsletterId, mails);
  return holds.map((hold) => hold?.reason ?? "queued");
}

const named = (ids: string[], emails: string[]) =>
  emails.map((email, i) => ({ id: ids[i] as string, email }));

/** Waits until nothing is due. */
const settled = () =>
  until(async () => {
    const mails = await bench.mails();
    return mails.every(
      ({ state, deferred_until }) =>
        state === "sent" || (state === "deferred" && Number(deferred_until) > Date.now()),
    );
  }, "nothing due");

const sentToday = (newsletterId: string, domain: string, mails: number) =>
  bench.db.$executeRaw`INSERT INTO mail_budgets (newsletter_id, day, domain, mails)
    VALUES (${newsletterId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${domain}, ${mails})`;

const mailedLately = (email: string, ...minutesAgo: number[]) =>
  bench.db.$executeRaw`INSERT INTO mail_throttle (recipient_hash, allowed_at)
    SELECT throttle_digest(${recipientHash(email)}), array_agg(now() - at * interval '1 minute' ORDER BY at DESC)
    FROM unnest(${minutesAgo}::float8[]) AS given (at)`;

const sent = (states: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(states).map(([email, state]) => [email, state.replace(/^queued$/, "sent")]),
  );

test("what is foreseen for each mail is what delivery then does, under all limits at once", async () => {
  const weekly = await bench.newsletter({ domainMailsPerDay: 3, mailsPerDay: 40 });
  const other = await bench.newsletter();
  await sentToday(weekly, "@small.example", leastOwnDomainMailsPerDay - 4);
  await sentToday(weekly, "small.example", 1);
  await sentToday(weekly, "", 10);
  await mailedLately("minute@mid.example", 0.1);
  await mailedLately("day@mid.example", 100, 200, 300);
  await mailedLately("long-ago@mid.example", 2);
  await bench.add(weekly, at("gmail.com", 8, "first"));
  await bench.add(weekly, at("small.example", 6, "own"));
  await bench.signUp(weekly, at("small.example", 4, "stranger"));
  await bench.signUp(weekly, at("town.example", 4, "stranger"));
  await bench.add(weekly, ["minute@mid.example", "day@mid.example", "long-ago@mid.example"]);
  await bench.add(weekly, ["a.da@gmail.com", "ada+again@gmail.com"]);
  await bench.add(other, at("small.example", 4, "other"));
  await bench.add(weekly, at("outlook.com", 20, "last"));
  await bench.add(weekly, ["single@small.example"]);
  await bench.signUp(weekly, ["single-stranger@town.example"]);
  const before = await foreseen(weekly);
  const reasons = Object.values(before).map((state) => state.split(" ").slice(0, 2).join(" "));
  expect(
    Object.fromEntries(reasons.map((one) => [one, reasons.filter((other) => other === one).length])),
  ).toEqual({
    queued: 30,
    "held: own_domain_day": 3,
    "held: domain_day": 4,
    "held: newsletter_day": 9,
    "held: person_minute": 2,
    "held: person_day": 1,
  });
  await bench.deliver();
  await settled();
  expect(await foreseen(weekly)).toEqual(sent(before));
  expect(await foreseen(other)).toEqual(
    Object.fromEntries(at("small.example", 4, "other").map((e) => [e, "sent"])),
  );
});

test.each([
  ["a bulk that exceeds the domain's limit", { own: 95, total: 0 }, { own_domain_day: 5 }],
  ["a bulk that fits exactly", { own: 100, total: 0 }, {}],
  ["a bulk that exceeds the newsletter's limit", { own: 100, total: 60 }, { newsletter_day: 60 }],
])("the answer to %s agrees with delivery", async (_, { own, total }, held) => {
  const weekly = await bench.newsletter({ mailsPerDay: 100 });
  await sentToday(weekly, "@small.example", 100_000 - own);
  if (total > 0) await sentToday(weekly, "", total);
  const emails = at("small.example", 100, "p");
  const people = named(await bench.add(weekly, emails), emails);
  const answer = await answered(weekly, people);
  const counts = Object.fromEntries(
    [...new Set(answer)]
      .filter((one) => one !== "queued")
      .map((one) => [one, answer.filter((x) => x === one).length]),
  );
  expect(counts).toEqual(held);
  const before = await foreseen(weekly);
  await bench.deliver();
  await settled();
  expect(await foreseen(weekly)).toEqual(sent(before));
  // Asked again later, the answer tells what has happened meanwhile.
  expect(await answered(weekly, people)).toEqual(answer);
});

test("one statement answers while no limit is close; a single mail is not delayed by a long queue of bulk mails", async () => {
  const weekly = await bench.newsletter({ mailsPerDay: 50, domainMailsPerDay: 1 });
  await bench.add(weekly, at("gmail.com", 60, "bulk"));
  const [id = ""] = await bench.add(weekly, ["ada@small.example"]);
  let statements = 0;
  const counting = {
    $queryRaw(...statement: Parameters<Db["$queryRaw"]>) {
      statements++;
      return bench.db.$queryRaw(...statement);
    },
  } as unknown as Db;
  const mail = { ...confirmationOf(weekly, { id, email: "ada@small.example" }), urgent: true };
  const ctx = { db: counting, outbox: withProvider };
  expect([await foreseeQueued(ctx, weekly, [mail]), statements]).toEqual([[null], 1]);
  expect([await foreseeQueued(ctx, weekly, []), statements]).toEqual([[], 1]);
  expect((await foreseen(weekly))["bulk49@gmail.com"]).toMatch(/^held: newsletter_day/);
  await bench.deliver();
  await settled();
  expect(await foreseen(weekly)).toMatchObject({
    "ada@small.example": "sent",
    "bulk48@gmail.com": "sent",
    "bulk49@gmail.com": expect.stringMatching(/^held: newsletter_day/),
  });
});

test("of a very long queue, the first 10,000 mails are compared one by one, and the others by their number", async () => {
  const weekly = await bench.newsletter({ mailsPerDay: 9_000 });
  for (let i = 0; i < 10; i++) await bench.add(weekly, at("gmail.com", 1_000, `q${i}-`));
  const last = named(await bench.add(weekly, at("gmail.com", 2, "last")), at("gmail.com", 2, "last"));
  expect(await answered(weekly, last)).toEqual(["newsletter_day", "newsletter_day"]);
  await bench.db.newsletter.update({ where: { id: weekly }, data: { mailsPerDay: 10_001 } });
  expect(await answered(weekly, last)).toEqual(["queued", "queued"]);
  await bench.db.newsletter.update({ where: { id: weekly }, data: { mailsPerDay: 20_000 } });
  expect(await answered(weekly, last)).toEqual(["queued", "queued"]);
});

test("without a provider, and while sending is paused, mails are held for no known time", async () => {
  const weekly = await bench.newsletter();
  const [id = ""] = await bench.add(weekly, ["ada@list.example"]);
  const ada = { id, email: "ada@list.example" };
  expect(await foreseen(weekly, false)).toEqual({ "ada@list.example": "held: no_provider" });
  await bench.db.mailService.create({ data: { apiKey: "sealed", sender: "x@list.example" } });
  expect(await foreseen(weekly, false)).toEqual({ "ada@list.example": "queued" });
  await bench.db.mailService.deleteMany();
  await beginSendPause(bench.db);
  expect(await answered(weekly, [ada])).toEqual(["paused"]);
  expect(await foreseen(weekly)).toEqual({ "ada@list.example": "held: paused" });
  await endSendPause(bench.db);
  expect(await answered(weekly, [ada])).toEqual(["queued"]);
  await bench.deliver({ key: false });
  await until(async () => (await bench.stateOf("ada@list.example")) === "logged", "the mail to be stored");
  expect(await foreseen(weekly)).toEqual({ "ada@list.example": "held: no_provider" });
});

test("shows how sending ended, and which mails the provider refuses for now", async () => {
  const weekly = await bench.newsletter();
  const emails = at("list.example", 7, "p");
  const ids = await bench.add(weekly, emails);
  await bench.deliver();
  await bench.finished();
  await bench.stopDeliveries();
  const set = (i: number, change: object) =>
    bench.db.mail.updateMany({ where: { subscriberId: ids[i] as string }, data: change });
  const now = new Date();
  await set(1, { deliveredAt: now });
  await set(2, { deliveredAt: now, complainedAt: now });
  await set(3, { bouncedAt: now, bounceReason: "gone" });
  await set(4, { state: "failed", errorCode: "validation_error" });
  await set(5, { state: "uncertain" });
  await set(6, { state: "cancelled", errorCode: "superseded" });
  await bench.add(weekly, ["refused@list.example"]);
  bench.fake.fault({ kind: "error", status: 500, times: 50 });
  await bench.deliver();
  await until(async () => (await bench.mails()).at(-1)?.error_code, "an attempt that failed");
  const newcomer = { ...{ newsletterId: weekly, firstName: "", lastName: "", source: "api" } };
  await bench.db.subscriber.create({
    data: {
      ...newcomer,
      id: crypto.randomUUID(),
      email: "n@x.org",
      emailCanonical: "n@x.org",
      status: "active",
    },
  });
  expect(await foreseen(weekly)).toEqual({
    "n@x.org": "none",
    ...{ "p0@list.example": "sent", "p1@list.example": "delivered", "p2@list.example": "complained" },
    ...{ "p3@list.example": "bounced", "p4@list.example": "failed", "p5@list.example": "uncertain" },
    ...{ "p6@list.example": "cancelled", "refused@list.example": "held: provider" },
  });
});
