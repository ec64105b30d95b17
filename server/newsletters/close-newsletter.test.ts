import { beforeEach, describe, expect, test } from "vitest";
import { findLiveKey } from "../api-keys/queries/api-keys";
import { newId } from "../kernel/ids";
import { openNotices } from "../mail/notices";
import { listOpenMailings } from "../mail/queries/mailings";
import { Prisma } from "../platform/db/client";
import { findOpenSignUpPage } from "../sign-up/sign-up-page";
import { showSubscription } from "../subscribers/unsubscribe-links";
import { waitForLock } from "../test/import-fixture";
import { addLinkedPerson, addNewsletter, silentEndpoint, suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { archiveNewsletter, deleteNewsletter, removeNewsletters, reopen } from "./close-newsletter";

openBenchForTests();
let weekly: { id: string; accountId: string };
beforeEach(async () => {
  const id = await bench.newsletter();
  weekly = await bench.db.newsletter.findUniqueOrThrow({ where: { id } });
});

const ctx = () => ({
  db: bench.db,
  notify: openNotices(bench.outbox, "https://list.example.org"),
  actor: { kind: "operator" } as const,
  requestId: "test",
});
const of = () => ({ newsletterId: weekly.id, accountId: weekly.accountId });
const stored = () => bench.db.newsletter.findUniqueOrThrow({ where: { id: weekly.id } });
const another = () => addNewsletter(bench.db, { name: "Monthly", accountId: weekly.accountId });
const remove = (name = "Weekly", newsletterId = weekly.id) =>
  deleteNewsletter(ctx(), { newsletterId, accountId: weekly.accountId, name });
const audited = async () =>
  (await bench.db.auditEntry.findMany({ where: { newsletterId: weekly.id }, orderBy: { id: "asc" } })).map(
    ({ action, detail }) => `${action} ${(detail as { name: string }).name}`,
  );
const passTime = () =>
  bench.db.newsletter.update({ where: { id: weekly.id }, data: { removeAt: new Date(Date.now() - 1_000) } });

async function addKey(newsletterId: string): Promise<Uint8Array<ArrayBuffer>> {
  const secretSha256 = crypto.getRandomValues(new Uint8Array(32));
  const key = { id: newId(), newsletterId, name: "Shop", prefix: "sk_abc", permissions: [] };
  await bench.db.apiKey.create({ data: { ...key, secretSha256 } });
  return secretSha256;
}

describe("archiving", () => {
  test("cancels waiting and new emails, which stay cancelled after reopening", async () => {
    await bench.add(weekly.id, people(3));
    const dueAt = new Date(Date.now() + 60_000);
    await bench.db.mailing.create({ data: { id: newId(), newsletterId: weekly.id, kind: "confirm", dueAt } });
    await archiveNewsletter(ctx(), of());
    const waiting = async () => (await bench.mails()).map(({ state, error_code }) => [state, error_code]);
    expect(await waiting()).toEqual(Array(3).fill(["cancelled", "archived"]));
    expect(await listOpenMailings(bench.db, weekly.id)).toEqual([]);
    // Simulates a reminder, or a welcome email after an earlier link.
    await bench.add(weekly.id, ["late@list.example"]);
    await bench.deliver();
    await until(async () => (await waiting()).every(([state]) => state === "cancelled"), "the late one");
    await reopen(ctx(), of());
    await bench.add(weekly.id, ["later@list.example"]);
    await until(async () => (await bench.mails()).some(({ state }) => state === "sent"), "a mail");
    expect(bench.fake.mails).toHaveLength(1);
  });

  test("closes keys, the sign-up page and resubscription until the newsletter is reopened", async () => {
    const digest = Buffer.from(await addKey(weekly.id));
    await bench.db.signUpWording.create({ data: { newsletterId: weekly.id, version: 1, text: "I agree." } });
    await bench.db.signUpPage.create({
      data: {
        ...{ newsletterId: weekly.id, isOn: true, title: "", introduction: "", asksName: true, fields: [] },
        ...{ wordingVersion: 1, version: 1 },
      },
    });
    const gone = await addLinkedPerson(bench.db, weekly.id, { status: "unsubscribed" });
    const seen = async () => [
      (await findLiveKey(bench.db, digest, null))?.isArchived,
      (await findOpenSignUpPage(bench, { newsletterId: weekly.id })) !== null,
      (await showSubscription(bench, gone)).mayReturn,
    ];
    expect(await seen()).toEqual([false, true, true]);
    await archiveNewsletter(ctx(), of());
    expect(await seen()).toEqual([true, false, false]);
    await reopen(ctx(), of());
    expect(await seen()).toEqual([false, true, true]);
    expect(await audited()).toEqual(["newsletter.archived Weekly", "newsletter.reopened Weekly"]);
  });

  test("is refused while an import is running", async () => {
    const importId = newId();
    await bench.db.import.create({
      data: { id: importId, newsletterId: weekly.id, state: "running", number: 1, startedAt: new Date() },
    });
    await expect(archiveNewsletter(ctx(), of())).rejects.toMatchObject({ code: "validation_error" });
    expect((await stored()).archivedAt).toBeNull();
    await bench.db.import.update({ where: { id: importId }, data: { state: "done", endedAt: new Date() } });
    await archiveNewsletter(ctx(), of());
    expect((await stored()).archivedAt).not.toBeNull();
  });
});

describe("deleting", () => {
  const addOwner = () => {
    const owner = { id: newId(), accountId: weekly.accountId, name: "Robin", role: "owner" };
    return bench.db.staffMember.create({ data: { ...owner, email: `${owner.id}@lovelace.org` } });
  };

  test("requires the name, keeps the account's last newsletter, and sends an email to the owners", async () => {
    const owner = await addOwner();
    await expect(remove()).rejects.toThrow("An account needs at least one newsletter.");
    const { id: otherId } = await another();
    await expect(remove("Monthly")).rejects.toThrow("Enter the name of the newsletter: Weekly");
    const { removeAt } = await remove();
    expect(Math.round((removeAt.getTime() - Date.now()) / 86_400_000)).toBe(30);
    const [mail] = await bench.db.mail.findMany({ where: { staffId: owner.id } });
    expect(mail?.subject).toBe("Weekly was deleted");
    expect(mail?.text).toContain(`https://list.example.org/n/${weekly.id}/settings`);
    // The other newsletter is the last one now.
    await expect(remove("Monthly", otherId)).rejects.toThrow("An account needs at least one newsletter.");
  });

  test("keeps one of two newsletters that are deleted at once", async () => {
    const { id: otherId } = await another();
    const results = await Promise.allSettled([remove(), remove("Monthly", otherId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("sends one email and keeps the date when it is repeated", async () => {
    const owner = await addOwner();
    await another();
    await Promise.all([archiveNewsletter(ctx(), of()), archiveNewsletter(ctx(), of())]);
    const [one, two] = await Promise.all([remove(), remove()]);
    expect(one).toEqual(two);
    expect(await bench.db.mail.count({ where: { staffId: owner.id } })).toBe(1);
    expect(await audited()).toEqual(["newsletter.archived Weekly", "newsletter.deleted Weekly"]);
  });

  test("can be undone until the removal date", async () => {
    await another();
    await remove();
    await removeNewsletters(bench);
    await reopen(ctx(), of());
    expect(await stored()).toMatchObject({ archivedAt: null, removeAt: null });
    await remove();
    await passTime();
    await expect(reopen(ctx(), of())).rejects.toThrow("30 days are over");
  });
});

/** Counts a newsletter's rows in each table. The audit log keeps its entries. */
async function rowsOf(newsletterId: string): Promise<Record<string, number>> {
  const { db } = bench;
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND c.column_name = 'newsletter_id' AND t.table_type = 'BASE TABLE'
      AND c.table_name <> 'audit_entries' ORDER BY 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db.$queryRaw<{ rows: number }[]>`
      SELECT count(*)::int AS rows FROM ${Prisma.raw(name)} WHERE newsletter_id = ${newsletterId}::uuid`;
    counts[name] = row?.rows ?? 0;
  }
  return counts;
}

/** Adds a row to every table that a newsletter has rows in. */
async function furnish(newsletterId: string): Promise<void> {
  const { db } = bench;
  await db.webhookEndpoint.create({
    data: {
      ...silentEndpoint(newsletterId),
      messages: {
        create: { number: 1, id: newId(), type: "import.finished", body: "{}", createdAt: new Date() },
      },
    },
  });
  await bench.add(newsletterId, people(1_200));
  const left = await addLinkedPerson(db, newsletterId, {
    status: "unsubscribed",
    email: "left@lovelace.org",
  });
  await suppressAddress(db, newsletterId, { email: left.email, reason: "unsubscribed" });
  await suppressAddress(db, newsletterId, { email: "denied@lovelace.org", reason: "denied" });
  const { subscriberId } = left;
  await db.personNote.create({ data: { newsletterId, subscriberId, text: "Called." } });
  await db.change.create({ data: { newsletterId, xid: 7, subscriberId, kind: "erased" } });
  await addKey(newsletterId);
  const [{ id: apiKeyId } = { id: "" }] = await db.apiKey.findMany({ where: { newsletterId } });
  await db.idempotentAnswer.create({
    data: {
      apiKeyId,
      method: "POST",
      path: "/",
      key: "k",
      requestHash: new Uint8Array(32),
      status: 201,
      body: "",
    },
  });
}

describe("removing", () => {
  test("deletes all rows of one newsletter, also after an interruption", async () => {
    const other = await another();
    await furnish(weekly.id);
    await furnish(other.id);
    const before = await rowsOf(other.id);
    expect(await rowsOf(weekly.id)).toEqual(before);
    await remove();
    await passTime();
    const closing = new AbortController();
    setTimeout(() => closing.abort(), 30);
    await removeNewsletters(bench, closing.signal);
    await Promise.all([removeNewsletters(bench), removeNewsletters(bench)]);
    expect(await bench.db.newsletter.findUnique({ where: { id: weekly.id } })).toBeNull();
    const after = await rowsOf(weekly.id);
    expect(after).toEqual(Object.fromEntries(Object.keys(after).map((table) => [table, 0])));
    expect(await rowsOf(other.id)).toEqual(before);
    expect(await audited()).toEqual(["newsletter.deleted Weekly", "newsletter.removed Weekly"]);
  });

  test("starts again after a deadlock", async () => {
    const [first, second] = [newId(), newId()];
    for (const id of [first, second])
      await bench.db.mailing.create({
        data: { id, newsletterId: weekly.id, kind: "confirm", dueAt: new Date() },
      });
    await another();
    await remove();
    await passTime();
    const letFirstGo = await holdMailing(first);
    const letSecondGo = await holdMailing(second, weekly.id);
    const removal = removeNewsletters(bench);
    await waitForLock(bench.db);
    letSecondGo();
    // PostgreSQL looks for a deadlock once, after a session has waited one second. The removal must be the last to look.
    await expect.poll(waitsOver(1.5), { timeout: 20_000 }).toBe(2);
    letFirstGo();
    await removal;
    expect(await bench.db.newsletter.findUnique({ where: { id: weekly.id } })).toBeNull();
  });
});

/** Counts the sessions of this database that have waited this long for a lock. */
const waitsOver = (seconds: number) => async () => {
  const [row] = await bench.db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE datname = current_database() AND waitstart < clock_timestamp() - make_interval(secs => ${seconds})`;
  return row?.count;
};

/** Locks a row in its own transaction. @returns a function that locks the newsletter too, if there is one, and ends it */
function holdMailing(id: string, newsletterId?: string): Promise<() => void> {
  return new Promise((held, failed) => {
    bench.db
      .$transaction(
        async (tx) => {
          await tx.$executeRaw`SELECT FROM mailings WHERE id = ${id}::uuid FOR UPDATE`;
          await new Promise<void>((resolve) => held(resolve));
          if (newsletterId)
            await tx.$executeRaw`SELECT FROM newsletters WHERE id = ${newsletterId}::uuid FOR KEY SHARE`;
        },
        { timeout: 60_000 },
      )
      .catch(failed);
  });
}
