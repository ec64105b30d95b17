import { beforeEach, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import type { Prisma } from "../platform/db/generated/client";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { bench, openBenchForTests } from "../test/mail-bench";
import { listActivities, readTimeline } from "./timeline";

openBenchForTests({ reset: false });
let newsletterId: string;
beforeEach(async () => {
  newsletterId = (await addNewsletter(bench.db)).id;
});

const at = (minutes: number) => new Date(Date.UTC(2026, 9, 1) + minutes * 60_000);
const WEEK = 7 * 24 * 60;

/** A person added at minute 0, with an email requested then and sent a minute later, and their timeline. */
async function timelineWith(mail: Prisma.MailUncheckedUpdateInput, confirmedAt: Date | null = null) {
  const person = await addLinkedPerson(bench.db, newsletterId);
  const { subscriberId: id, mailId } = person;
  const where = { newsletterId_id: { newsletterId, id } };
  await bench.db.$transaction(async (tx) => {
    // Only this test changes where and when a person was added.
    await tx.$executeRaw`ALTER TABLE subscribers DISABLE TRIGGER subscribers_keep_origin`;
    await tx.subscriber.update({ where, data: { createdAt: at(0), confirmedAt } });
    await tx.$executeRaw`ALTER TABLE subscribers ENABLE TRIGGER subscribers_keep_origin`;
  });
  const times = {
    createdAt: at(0),
    frozenAt: at(1),
    finishedAt: at(1),
    linkExpiresAt: new Date(Date.now() + 60_000),
  };
  await bench.db.mail.update({ where: { id: mailId }, data: { ...times, ...mail } });
  return readTimeline(bench, { newsletterId, id, limit: 100 });
}
const typesOf = async (...given: Parameters<typeof timelineWith>) =>
  (await timelineWith(...given)).map(({ type }) => type).reverse();

test("shows an email's request, sending, delivery and expiry at their times", async () => {
  expect(await typesOf({})).toEqual(["created", "asked", "sent"]);
  const delivered = { deliveredAt: at(2), delayedAt: at(1) };
  expect(await typesOf(delivered)).toEqual(["created", "asked", "sent", "delivered"]);
  expect(await typesOf({ delayedAt: at(2) })).toEqual(["created", "asked", "sent", "delayed"]);
  expect(await typesOf({ deliveredAt: at(2), linkExpiresAt: at(1 + WEEK) })).toEqual([
    "created",
    "asked",
    "sent",
    "delivered",
    "expired",
  ]);
});

test("a link that was confirmed in time or never sent does not expire", async () => {
  const expired = { linkExpiresAt: at(1 + WEEK) };
  expect(await typesOf(expired, at(10))).not.toContain("expired");
  expect(await typesOf(expired, at(2 + WEEK))).toContain("expired");
  for (const state of ["failed", "cancelled", "waiting"])
    expect(await typesOf({ ...expired, state })).not.toContain("expired");
});

test("failures show their reason, and waiting emails their reason and time", async () => {
  const [bounced] = await timelineWith({ bouncedAt: at(3), bounceReason: "no such user" });
  expect(bounced).toMatchObject({ type: "bounced", reason: "no such user", by: null });
  const [failed] = await timelineWith({ state: "failed", errorMessage: "Rejected." });
  expect(failed).toMatchObject({ type: "failed", reason: "Rejected." });
  const waits = { state: "deferred", finishedAt: null, deferredUntil: at(9), errorMessage: "Held." };
  const deferred = await timelineWith(waits);
  expect(deferred).toMatchObject([
    { type: "asked", reason: "Held.", until: at(9), mail: { state: "deferred" } },
    { type: "created" },
  ]);
});

test("activities with the same time keep the order in which they happened", async () => {
  const same = { frozenAt: at(0), finishedAt: null, state: "logged" };
  expect(await typesOf(same)).toEqual(["created", "asked", "kept"]);
});

test("pages of any size have each activity once, also while more happen; another newsletter's person has none", async () => {
  const { subscriberId: id } = await addLinkedPerson(bench.db, newsletterId);
  const event = (minutes: number) => ({
    id: newId(),
    newsletterId,
    subscriberId: id,
    kind: "changed",
    actorKind: "operator",
    at: new Date(Date.now() + minutes * 60_000),
  });
  // Many activities share one time, too.
  await bench.db.subscriberEvent.createMany({ data: Array.from({ length: 23 }, (_, i) => event(i % 3)) });
  const person = { newsletterId, id };
  const all = (await readTimeline(bench, { ...person, limit: 1_000 })).map((one) => one.id);
  expect(all).toHaveLength(26);
  for (const limit of [1, 2, 7, 25, 26, 100]) {
    const seen: string[] = [];
    let after: Awaited<ReturnType<typeof listActivities>>["next"] = null;
    do {
      const page = await listActivities(bench, { ...person, limit, after });
      seen.push(...page.items.map((one) => one.id));
      after = page.next;
      await bench.db.subscriberEvent.create({ data: event(10) });
    } while (after);
    expect(seen.filter((one) => all.includes(one))).toEqual(all);
    expect(new Set(seen).size).toBe(seen.length);
  }
  const elsewhere = await addNewsletter(bench.db);
  await expect(
    listActivities(bench, { newsletterId: elsewhere.id, id, limit: 10, after: null }),
  ).rejects.toMatchObject({ code: "not_found" });
});

test("activities of people copied by an earlier version stay readable, with the consent that staff stated", async () => {
  const { subscriberId } = await addLinkedPerson(bench.db, newsletterId);
  const activity = { newsletterId, subscriberId, actorKind: "staff" };
  const consent = { source: "The spring fair", wording: "Send me Monthly" };
  const from = { newsletter: "Weekly", moved: false, addedAt: at(0), confirmedAt: at(5), consent };
  const activities = [
    { kind: "created", evidence: { copied: from } },
    { kind: "copied", evidence: { copiedTo: "Daily" } },
    { kind: "unsubscribed", cause: "merge", causeId: subscriberId },
  ];
  for (const one of activities)
    await bench.db.subscriberEvent.create({ data: { id: newId(), ...activity, ...one } });
  const { items: records } = await listActivities(bench, {
    newsletterId,
    id: subscriberId,
    limit: 100,
    after: null,
  });
  const written = records
    .filter(({ by }) => by?.kind === "staff")
    .map(({ type, detail }) => ({ type, detail }));
  const times = { added_at: "2026-10-01T00:00:00+00:00", confirmed_at: "2026-10-01T00:05:00+00:00" };
  expect(written).toHaveLength(3);
  expect(written).toEqual(
    expect.arrayContaining([
      { type: "created", detail: { consent, copied_from: { newsletter: "Weekly", moved: false, ...times } } },
      { type: "copied", detail: { copied_to: { newsletter: "Daily" } } },
      { type: "unsubscribed", detail: { through: { kind: "merge", id: subscriberId } } },
    ]),
  );
});
