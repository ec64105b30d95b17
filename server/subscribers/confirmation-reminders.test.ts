import { describe, expect, test } from "vitest";
import { createNewsletter, getNewsletter } from "../accounts/newsletters";
import { idAt } from "../kernel/ids";
import { DAY_MS, HOUR_MS } from "../kernel/time";
import { beginSendPause, endSendPause } from "../mail/queries/send-pace";
import { suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests, weekly } from "../test/mail-bench";
import { people } from "../test/mail-fixture";
import { followUpPending, getPendingRules, savePendingRules } from "./confirmation-reminders";
import { confirmByLink } from "./confirmations";

openBenchForTests();

const ctx = () => ({ db: bench.db, outbox: bench.outbox });
const operator = () => ({ db: bench.db, actor: { kind: "operator" } as const, requestId: "test" });
const save = (rules: { reminder: boolean; days: number | null }) =>
  savePendingRules(operator(), { newsletterId: weekly, rules });

/** Makes all emails to these people older, and resets their limits. */
async function age(ids: string[], ms: number): Promise<void> {
  const back = `${ms} milliseconds`;
  for (const mail of await bench.db.mail.findMany({
    where: { subscriberId: { in: ids } },
    orderBy: { id: "asc" },
  }))
    await bench.db.$executeRaw`
      UPDATE mails SET id = ${idAt(new Date(mail.createdAt.getTime() - ms))}::uuid, created_at = created_at - ${back}::interval,
        frozen_at = frozen_at - ${back}::interval, finished_at = finished_at - ${back}::interval,
        link_expires_at = link_expires_at - ${back}::interval
      WHERE id = ${mail.id}::uuid`;
  await bench.db.$executeRaw`DELETE FROM mail_throttle`;
}

const ask = (ids: string[], emails: string[]) =>
  bench.db.$transaction((tx) =>
    bench.outbox.post(
      tx,
      emails.map((email, i) => ({
        newsletterId: weekly,
        subscriberId: ids[i] as string,
        toEmail: email,
        canonical: email,
      })),
    ),
  );

/** Adds people whose confirmation email was sent that long ago. */
async function asked(emails: string[], ms: number): Promise<string[]> {
  const createdAt = new Date(Date.now() - ms);
  const ids = emails.map(() => idAt(createdAt));
  const row = { newsletterId: weekly, status: "pending", source: "api", createdAt };
  await bench.db.subscriber.createMany({
    data: emails.map((email, i) => ({ ...row, id: ids[i] as string, email, emailCanonical: email })),
  });
  const delivery = await bench.deliver();
  await ask(ids, emails);
  await bench.finished();
  await delivery.stop();
  await age(ids, ms);
  return ids;
}

const reminders = () =>
  bench.db.mail.findMany({ where: { reminderOf: { not: null } }, orderBy: { id: "asc" } });
const onTheList = async () =>
  (await bench.db.subscriber.findMany({ orderBy: { email: "asc" } })).map(({ email }) => email);
const audit = async (action: string) =>
  (
    await bench.db.auditEntry.findMany({ where: { newsletterId: weekly, action }, orderBy: { id: "asc" } })
  ).map(({ detail, actorKind, address, subjectId }) => ({ detail, actorKind, address, subjectId }));
/** Stops a run after some chunks, as the end of a process does. */
const closingAfter = (chunks: number) => {
  let looks = 0;
  return {
    get aborted() {
      return looks++ >= chunks;
    },
  } as AbortSignal;
};

describe("a reminder", () => {
  test("sends one new confirmation email three days after the first, and never a second", async () => {
    await save({ reminder: true, days: null });
    const [ada] = await asked(["ada@list.example"], 3 * DAY_MS + HOUR_MS);
    await asked(["early@list.example"], 3 * DAY_MS - HOUR_MS);
    await Promise.all([followUpPending(ctx()), followUpPending(ctx()), followUpPending(ctx())]);
    await followUpPending(ctx());
    expect(await reminders()).toMatchObject([{ subscriberId: ada, kind: "confirmation", urgent: false }]);
    await bench.deliver();
    await bench.finished();
    const mail = bench.fake.mails.at(-1);
    expect(mail).toMatchObject({
      to: ["ada@list.example"],
      subject: "Reminder: Confirm your subscription to Weekly",
    });
    const [reminder] = await reminders();
    expect(mail?.text).toContain(`/confirm/${reminder?.id}`);
    expect(reminder?.linkExpiresAt.getTime()).toBeGreaterThan(Date.now() + 6 * DAY_MS);
    const throttled = await bench.db.$queryRaw<
      { allowed_at: Date[] }[]
    >`SELECT allowed_at FROM mail_throttle`;
    expect(throttled).toHaveLength(1);
    // The same when the reminder itself is three days old.
    await age([ada as string], 3 * DAY_MS + HOUR_MS);
    await followUpPending(ctx());
    expect(await reminders()).toHaveLength(1);
    expect(await audit("people.reminded")).toEqual([
      { detail: { people: 1 }, actorKind: "system", address: null, subjectId: null },
    ]);
    const claims = { newsletterId: weekly, subscriberId: ada as string };
    const [sent] = await reminders();
    const link = { mailId: sent?.id as string, expiresAt: sent?.linkExpiresAt as Date };
    const actor = { kind: "link", address: null } as const;
    expect(await confirmByLink({ ...ctx(), actor, requestId: "test" }, { ...claims, ...link })).toMatchObject(
      { done: true },
    );
  });

  test("skips people who confirmed, left, bounced, are suppressed, or have a newer email or an expired link; and newsletters with reminders off", async () => {
    const names = ["active", "left", "bounced", "suppressed", "anew", "returning", "moved"];
    const ids = await asked(
      names.map((name) => `${name}@list.example`),
      4 * DAY_MS,
    );
    const [active, left, bounced, , anew, returning, moved] = ids;
    await followUpPending(ctx());
    await save({ reminder: true, days: null });
    await bench.db.$executeRaw`UPDATE subscribers SET status = 'active' WHERE id = ${active}::uuid`;
    await bench.db
      .$executeRaw`UPDATE subscribers SET status = 'unsubscribed', unsubscribed_at = now() WHERE id = ${left}::uuid`;
    await bench.db.$executeRaw`
      UPDATE mails SET bounced_at = now(), bounce_reason = 'full' WHERE subscriber_id = ${bounced}::uuid`;
    await suppressAddress(bench.db, weekly, { email: "suppressed@list.example", reason: "complained" });
    await asked(["expired@list.example"], 8 * DAY_MS);
    await ask([anew as string], ["anew@list.example"]);
    await bench.db
      .$executeRaw`UPDATE subscribers SET unsubscribed_at = now() - interval '9 days' WHERE id = ${returning}::uuid`;
    await bench.db.$executeRaw`UPDATE subscribers SET email = 'new@list.example' WHERE id = ${moved}::uuid`;
    await followUpPending(ctx());
    expect(await reminders()).toEqual([]);
  });

  test("waits for the limits and for a pause, and counts in the daily budget", async () => {
    await save({ reminder: true, days: null });
    const ids = await asked(["one@list.example", "two@list.example"], 4 * DAY_MS);
    await bench.db.$transaction((tx) => beginSendPause(tx));
    await followUpPending(ctx());
    expect(await reminders()).toEqual([]);
    await bench.db.$transaction((tx) => endSendPause(tx));
    // Another newsletter has just sent both an email.
    const daily = await bench.newsletter({ name: "Daily" });
    const delivery = await bench.deliver();
    await bench.add(daily, ["one@list.example", "two@list.example"]);
    await bench.finished();
    await delivery.stop();
    await followUpPending(ctx());
    expect(await reminders()).toEqual([]);
    await bench.db.$executeRaw`UPDATE mail_throttle SET allowed_at = ARRAY[now() - interval '2 minutes']`;
    await bench.db.$executeRaw`UPDATE newsletters SET mails_per_day = 3 WHERE id = ${weekly}::uuid`;
    await followUpPending(ctx());
    expect(await reminders()).toHaveLength(ids.length);
    await bench.deliver();
    await expect
      .poll(async () => (await reminders()).map(({ state }) => state).sort(), { timeout: 20_000 })
      .toEqual(["deferred", "sent"]);
    const [deferred] = (await reminders()).filter(({ state }) => state === "deferred");
    expect(deferred?.errorCode).toBe("newsletter_day");
  });

  test("is sent once even if the process dies between chunks or before a chunk commits", async () => {
    await save({ reminder: true, days: null });
    await asked(people(230), 4 * DAY_MS);
    const dying = {
      ...bench.outbox,
      post: async (...args: Parameters<typeof bench.outbox.post>) => {
        await bench.outbox.post(...args);
        throw new Error("crash");
      },
    };
    await expect(followUpPending({ db: bench.db, outbox: dying })).rejects.toThrow("crash");
    expect(await reminders()).toEqual([]);
    await followUpPending(ctx(), closingAfter(1));
    const first = (await reminders()).length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(230);
    await Promise.all([followUpPending(ctx()), followUpPending(ctx())]);
    const of = (await reminders()).map(({ reminderOf }) => reminderOf);
    expect([of.length, new Set(of).size]).toEqual([230, 230]);
    const counted = (await audit("people.reminded")).map(
      ({ detail }) => (detail as { people: number }).people,
    );
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(230);
  });
});

describe("expiry", () => {
  test("removes people who never confirmed in the newsletter's time limit, without a digest, and reports it", async () => {
    await asked(["late@list.example"], 30 * DAY_MS + HOUR_MS);
    await asked(["soon@list.example"], 30 * DAY_MS - HOUR_MS);
    await save({ reminder: false, days: 30 });
    await followUpPending(ctx());
    expect(await onTheList()).toEqual(["soon@list.example"]);
    expect(await bench.db.suppression.count()).toBe(0);
    expect(await bench.db.mail.count({ where: { toEmail: "late@list.example" } })).toBe(0);
    expect(await bench.db.change.count({ where: { newsletterId: weekly, kind: "erased" } })).toBe(1);
    expect(await audit("people.expired")).toEqual([
      { detail: { people: 1 }, actorKind: "system", address: null, subjectId: null },
    ]);
  });

  test("keeps people without an email, with a waiting email, a valid link, a newer email or an earlier opt-out", async () => {
    const old = 40 * DAY_MS;
    const names = ["never", "waiting", "deferred", "logged", "live", "left", "active", "failed"];
    const ids = await asked(
      names.map((name) => `${name}@list.example`),
      old,
    );
    const [never, waiting, deferred, logged, live, left, active, failed] = ids;
    const again = await asked(["again@list.example"], old);
    await ask([again[0] as string], ["again@list.example"]);
    const delivery = await bench.deliver();
    await bench.finished();
    await delivery.stop();
    const set = (id: string | undefined, state: string) =>
      bench.db.mail.updateMany({
        where: { subscriberId: id as string },
        data: { state, finishedAt: null, ...(state === "deferred" && { deferredUntil: new Date() }) },
      });
    await bench.db.mail.deleteMany({ where: { subscriberId: never as string } });
    await set(waiting, "waiting");
    await set(deferred, "deferred");
    await set(logged, "logged");
    await bench.db.mail.updateMany({ where: { subscriberId: failed as string }, data: { state: "failed" } });
    await bench.db.mail.updateMany({
      where: { subscriberId: live as string },
      data: { linkExpiresAt: new Date(Date.now() + HOUR_MS) },
    });
    await bench.db
      .$executeRaw`UPDATE subscribers SET unsubscribed_at = now() - interval '50 days' WHERE id = ${left}::uuid`;
    await bench.db.$executeRaw`UPDATE subscribers SET status = 'active' WHERE id = ${active}::uuid`;
    await save({ reminder: false, days: 7 });
    await followUpPending(ctx());
    expect(await onTheList()).toEqual(
      [...names.filter((name) => name !== "failed"), "again"].map((name) => `${name}@list.example`).sort(),
    );
  });

  test("works in chunks, with several processes and after a crash, and counts each person once", async () => {
    await asked(people(230), 31 * DAY_MS);
    await save({ reminder: false, days: 30 });
    const newsletter = await getNewsletter(bench.db, weekly);
    const wouldGo = async () => (await getPendingRules(ctx(), { newsletter, days: 30 })).wouldGo;
    expect(await wouldGo()).toEqual({ days: 30, people: 230, isMore: false });
    await followUpPending(ctx(), closingAfter(1));
    expect(await bench.db.subscriber.count()).toBe(30);
    await Promise.all([followUpPending(ctx()), followUpPending(ctx())]);
    expect(await bench.db.subscriber.count()).toBe(0);
    expect(await wouldGo()).toEqual({ days: 30, people: 0, isMore: false });
    const counted = (await audit("people.expired")).map(
      ({ detail }) => (detail as { people: number }).people,
    );
    expect(counted.reduce((sum, n) => sum + n, 0)).toBe(230);
  });

  test("defaults to 30 days, accepts staff's limit within bounds, and records the change", async () => {
    const { accountId } = await getNewsletter(bench.db, weekly);
    expect(await createNewsletter(operator(), { accountId, name: "New" })).toMatchObject({
      pendingDays: 30,
      pendingReminder: false,
    });
    for (const days of [6, 366, 7.5, Number.NaN])
      await expect(save({ reminder: false, days })).rejects.toMatchObject({
        errors: { days: ["Enter a whole number of days from 7 to 365."] },
      });
    await save({ reminder: true, days: null });
    expect(await getNewsletter(bench.db, weekly)).toMatchObject({ pendingDays: null, pendingReminder: true });
    expect((await audit("newsletter.pending_changed")).map(({ detail }) => detail)).toEqual([
      { reminder: true, days: null, changed: ["pendingReminder", "pendingDays"] },
    ]);
    await asked(["old@list.example"], 400 * DAY_MS);
    await followUpPending(ctx());
    expect(await onTheList()).toEqual(["old@list.example"]);
  });
});
