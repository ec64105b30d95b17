import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ActivityRecord } from "../contract/activities";
import { CopyInput } from "../contract/copy-people";
import { type BulkActionRow, endBulkAction, findBulkAction } from "../db/bulk-actions";
import { type Database, openDatabase } from "../db/client";
import { openInsertQueue } from "../db/insert-queue";
import { peopleWith } from "../db/people-filter";
import { deleteSubscribers } from "../db/subscribers";
import { newId } from "../domain/ids";
import { openJobs } from "../jobs/jobs";
import { openOutbox } from "../mail/outbox";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addNewsletter, suppressAddress } from "../test/linked-person";
import { continueBulkAction, undoBulkAction as undo } from "./bulk-actions";
import { archiveNewsletter } from "./close-newsletter";
import type { Ctx } from "./context";
import { planCopy, startCopy } from "./copy-plans";
import { cancelMailing, listMailings } from "./mailings";
import { listAuditLog } from "./overview";
import { getPerson } from "./person";
import { setStatus } from "./set-status";
import { unsubscribe } from "./subscribers";
import { createSuppressions } from "./suppressions";
import { listActivities } from "./timeline";
import { pauseByPerson, unsubscribeFromAll } from "./unsubscribe-links";

let base: TestDatabase;
let database: Database;
let ctx: Ctx;
type Newsletter = { id: string; accountId: string; name: string };
let weekly: Newsletter;
let monthly: Newsletter;
const log = { warn() {}, error() {} };

beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 4, onError: () => {} });
});

afterAll(async () => {
  await database.close();
  await base.drop();
});

beforeEach(async () => {
  const { db } = database;
  weekly = { ...(await addNewsletter(db)), name: "Weekly" };
  const { accountId } = weekly;
  monthly = { ...(await addNewsletter(db, { name: "Monthly", accountId })), name: "Monthly" };
  const id = newId();
  await db.staffMember.create({
    data: { id, accountId, email: `${id}@x.org`, name: "Robin", role: "editor" },
  });
  const actor = { kind: "staff", id, accountId, role: "editor", address: "192.0.2.7" } as const;
  const jobs = openJobs({ databaseUrl: base.url, log });
  ctx = { db, queue: openInsertQueue(db), jobs, outbox: openOutbox(jobs), actor, requestId: "test" };
});

type Row = { status?: string; at?: Newsletter; left?: boolean; fields?: object; tags?: number[] };
/** @returns the id */
async function add(name: string, { status = "active", at = weekly, left, fields, tags = [] }: Row = {}) {
  const id = newId();
  await database.db.subscriber.create({
    data: {
      ...{ newsletterId: at.id, id, status, source: "api", firstName: name, lastName: "Doe", tags },
      ...{ email: `${name}@Lovelace.org`, emailCanonical: `${name}@lovelace.org` },
      ...(fields && { fields }),
      unsubscribedAt: status === "unsubscribed" || left ? new Date("2026-01-01") : null,
    },
  });
  return id;
}

const everybody = () => ({ filter: peopleWith(weekly.id) });
const consent = (people: number) => ({ source: "The spring fair", wording: "Yes, Monthly too", people });
const copy = (
  given: Partial<CopyInput> = {},
  target: Parameters<typeof startCopy>[2]["target"] = everybody(),
) => startCopy(ctx, weekly, { kind: "copy", to: monthly.id, consent: null, target, ...given });
const plan = () => planCopy(ctx, weekly, { to: monthly.id, target: everybody() });
const listOf = async ({ id }: Newsletter) =>
  Object.fromEntries(
    (await database.db.subscriber.findMany({ where: { newsletterId: id } })).map((row) => [
      row.firstName,
      row.status,
    ]),
  );
const find = (name: string, { id }: Newsletter = monthly) =>
  database.db.subscriber.findFirstOrThrow({ where: { newsletterId: id, firstName: name } });
const mailsOf = ({ id }: Newsletter) =>
  database.db.mail.findMany({ where: { newsletterId: id }, orderBy: { id: "asc" } });
const row = async (id: string) => (await findBulkAction(database.db, weekly.id, id)) as BulkActionRow;
const timelineOf = async (name: string, at: Newsletter = monthly) =>
  (await getPerson(ctx, at.id, (await find(name, at)).id)).activities;

/** Chunk by chunk to its end, by this process. */
async function workOff(id: string): Promise<number> {
  for (let chunks = 1; ; chunks++) {
    expect(await continueBulkAction(ctx, await row(id))).toBe(true);
    if (!["running", "undoing"].includes((await row(id)).state)) return chunks;
  }
}

describe("a copy", () => {
  it("adds who is active or pending as pending, asks them by mail there, and leaves this newsletter as it is", async () => {
    await add("ada");
    await add("bob", { status: "pending" });
    expect(await plan()).toMatchObject({ active: 1, pending: 1, skipped: {} });
    const done = await copy();
    expect(done).toMatchObject({ kind: "copy", to: "Monthly", state: "done", done: 2, skipped: {} });
    expect(await listOf(weekly)).toEqual({ ada: "active", bob: "pending" });
    expect(await listOf(monthly)).toEqual({ ada: "pending", bob: "pending" });
    expect(await find("ada")).toMatchObject({
      ...{ email: "ada@Lovelace.org", emailCanonical: "ada@lovelace.org", lastName: "Doe" },
      ...{ source: "dashboard", confirmedAt: null },
    });
    const mails = await mailsOf(monthly);
    expect(mails.map(({ kind, state, errorCode }) => [kind, state, errorCode])).toEqual([
      ["confirmation", "deferred", "mailing"],
      ["confirmation", "deferred", "mailing"],
    ]);
    expect(await mailsOf(weekly)).toEqual([]);
    const [waiting] = await listMailings(ctx, { newsletterId: monthly.id });
    expect(waiting).toMatchObject({ kind: "copy", mails: 2, by: "Robin" });
  });

  it("makes who is active here active there where staff state it, and keeps what they stated; who is pending is asked", async () => {
    await add("ada");
    await add("bob", { status: "pending" });
    await database.db.subscriber.update({
      where: { newsletterId_id: { newsletterId: weekly.id, id: (await find("ada", weekly)).id } },
      data: { confirmedAt: new Date("2026-02-03T04:05:06Z") },
    });
    await copy({ consent: consent(1) });
    expect(await listOf(monthly)).toEqual({ ada: "active", bob: "pending" });
    expect((await mailsOf(monthly)).map(({ toEmail }) => toEmail)).toEqual(["bob@Lovelace.org"]);
    const [added] = await timelineOf("ada");
    expect(added).toMatchObject({
      type: "created",
      by: { kind: "staff", name: "Robin" },
      address: "192.0.2.7",
      through: { kind: "bulk_action" },
      consent: { source: "The spring fair", wording: "Yes, Monthly too" },
      evidence: {
        copied: { newsletter: "Weekly", moved: false, confirmedAt: "2026-02-03T04:05:06.000Z" },
      },
    });
    const asked = (await timelineOf("bob")).find(({ type }) => type === "created");
    expect(asked).toMatchObject({
      consent: null,
      evidence: { copied: { newsletter: "Weekly", consent: null } },
    });
    const [noted] = await timelineOf("ada", weekly);
    expect(noted).toMatchObject({ type: "copied", evidence: { copiedTo: "Monthly" }, consent: null });
  });

  it("tells the API and the person's own file where they came from, and keeps a statement whatever is typed", async () => {
    await add("ada");
    const typed = { source: "The\0fair", wording: "Yes\ud800\nMonthly", people: 1 };
    await copy(CopyInput.parse({ kind: "copy", to: monthly.id, consent: typed }));
    const activitiesOf = async (at: Newsletter) => {
      const place = { newsletterId: at.id, id: (await find("ada", at)).id };
      return (await listActivities(ctx, place, { limit: 5, after: null })).records.map((one) =>
        ActivityRecord.parse(one),
      );
    };
    const [added] = await activitiesOf(monthly);
    expect(added?.detail).toEqual({
      through: { kind: "bulk_action", id: expect.any(String) },
      consent: { source: "The fair", wording: "Yes \nMonthly" },
      copied_from: {
        newsletter: "Weekly",
        moved: false,
        added_at: expect.stringMatching(/\+00:00$/),
        confirmed_at: null,
      },
    });
    expect((await activitiesOf(weekly))[0]).toMatchObject({
      type: "copied",
      by: { kind: "staff", name: "Robin" },
      detail: { copied_to: { newsletter: "Monthly" } },
    });
  });

  it("keeps the names of then", async () => {
    await add("ada");
    await copy();
    for (const { id } of [weekly, monthly])
      await database.db.newsletter.update({ where: { id }, data: { name: "Another" } });
    expect((await timelineOf("ada")).at(-1)?.evidence).toMatchObject({ copied: { newsletter: "Weekly" } });
    expect((await timelineOf("ada", weekly))[0]?.evidence).toEqual({ copiedTo: "Monthly" });
  });

  it("is rejected where staff stated another number than would become active, and copies nobody", async () => {
    await add("ada");
    await add("bob");
    const of = { errors: { people: [expect.stringContaining("2 people would become active there")] } };
    await expect(copy({ consent: consent(1) })).rejects.toMatchObject(of);
    expect(await listOf(monthly)).toEqual({});
  });
});

describe.each(["copy", "move"] as const)("a %s", (kind) => {
  it.each(["active", "pending"])(
    "that makes people %s writes to nobody who said no there, nor here",
    async (status) => {
      const { db } = database;
      await add("ada");
      await add("already");
      const there = await add("already", { status: "pending", at: monthly });
      await add("returned", { status: "pending", left: true, at: monthly });
      for (const name of [
        "left",
        "returned",
        "bounced",
        "complained",
        "denied",
        "manual",
        "erased",
        "left-erased",
        "forgotten",
      ])
        await add(name);
      await unsubscribe(ctx, monthly.id, await add("left", { at: monthly }));
      for (const reason of ["bounced", "complained", "denied", "manual"] as const)
        await suppressAddress(db, monthly.id, { email: `${reason}@lovelace.org`, reason });
      const erase = async (name: string, by?: "dashboard") => {
        const id = await add(name, { at: monthly });
        await db.$transaction((tx) => deleteSubscribers(tx, monthly.id, [id], by ? { by } : {}));
      };
      await erase("erased", "dashboard");
      const leaving = await add("left-erased", { at: monthly });
      await unsubscribe(ctx, monthly.id, leaving);
      await db.$transaction((tx) => deleteSubscribers(tx, monthly.id, [leaving], {}));
      await erase("forgotten");
      await unsubscribe(ctx, weekly.id, await add("left-here"));
      await add("returning-here", { status: "pending", left: true });
      await add("bounced-here", { status: "pending" });
      await suppressAddress(db, weekly.id, { email: "bounced-here@lovelace.org", reason: "bounced" });
      const [before, here, suppressions] = [
        await listOf(monthly),
        await listOf(weekly),
        await db.suppression.findMany({ orderBy: { id: "asc" } }),
      ];
      const expected = {
        ...{ already: 1, unsubscribed_there: 2, suppressed_there: 6 },
        ...{ unsubscribed: 2, not_to_be_mailed: 1 },
      };
      expect(await plan()).toMatchObject({ active: 2, pending: 0, skipped: expected });
      const stated = status === "active" ? consent(2) : null;
      expect(await copy({ kind, consent: stated })).toMatchObject({ done: 2, skipped: expected });
      expect(await listOf(monthly)).toEqual({ ...before, ada: status, forgotten: status });
      const mailed = (await mailsOf(monthly)).map(({ toEmail }) => toEmail).sort();
      expect(mailed).toEqual(status === "active" ? [] : ["ada@Lovelace.org", "forgotten@Lovelace.org"]);
      expect((await find("already")).id).toBe(there);
      // Their no stays where it is, and nobody was asked once more.
      expect(await db.suppression.findMany({ orderBy: { id: "asc" } })).toEqual(suppressions);
      const { ada, forgotten, ...staying } = here;
      expect(await listOf(weekly)).toEqual(kind === "move" ? staying : here);
    },
  );

  it("adds nobody who takes a break here, or has unsubscribed from all newsletters", async () => {
    const [ada, bob] = [await add("ada"), await add("bob")];
    const link = { ...ctx, actor: { kind: "link", address: null } } as const;
    await pauseByPerson(link, { newsletterId: weekly.id, subscriberId: ada }, 30);
    await unsubscribeFromAll(link, { newsletterId: weekly.id, subscriberId: bob });
    expect(await copy({ kind })).toMatchObject({ done: 0, skipped: { unsubscribed: 2 } });
    expect(await listOf(monthly)).toEqual({});
  });

  it("takes along tags by name, and fields by key where there is one of the same type that takes the value", async () => {
    const { db } = database;
    const field = (at: Newsletter, number: number, key: string, type: string, choices: string[] = []) =>
      db.field.create({
        data: { newsletterId: at.id, number, key, label: key.toUpperCase(), type, position: number, choices },
      });
    await field(weekly, 1, "company", "text");
    await field(weekly, 2, "seats", "number");
    await field(weekly, 3, "plan", "choice", ["Print", "Digital"]);
    await field(weekly, 4, "only_here", "text");
    await field(monthly, 7, "plan", "choice", ["print"]);
    await field(monthly, 8, "company", "text");
    await field(monthly, 9, "seats", "text");
    const tag = (at: Newsletter, number: number, name: string) =>
      db.tag.create({ data: { newsletterId: at.id, number, name, canonical: name.toLowerCase() } });
    await tag(weekly, 5, "VIP");
    await tag(weekly, 6, "Fair");
    await tag(weekly, 7, "Of somebody who is skipped");
    await tag(monthly, 1, "vip");
    for (const { id } of [weekly, monthly])
      await db.newsletter.update({ where: { id }, data: { lastNumber: 9 } });
    await add("ada", { fields: { 1: "Engines", 2: 3, 3: "Print", 4: "x" }, tags: [5, 6] });
    await add("bob", { fields: { 3: "Digital" } });
    await add("gone", { status: "unsubscribed", tags: [7] });
    expect(await plan()).toMatchObject({
      fieldsLeftOut: ["SEATS", "ONLY_HERE"],
      choicesLeftOut: ["PLAN"],
    });
    await copy({ kind });
    const tags = await db.tag.findMany({ where: { newsletterId: monthly.id }, orderBy: { number: "asc" } });
    expect(tags.map(({ name, number }) => [name, number])).toEqual([
      ["vip", 1],
      ["Fair", 10],
    ]);
    expect(await find("ada")).toMatchObject({ fields: { 7: "print", 8: "Engines" }, tags: [1, 10] });
    expect(await find("bob")).toMatchObject({ fields: null, tags: [] });
  });

  it("finds no newsletter of another account, and not its own", async () => {
    const theirs = await addNewsletter(database.db);
    await add("ada");
    for (const to of [theirs.id, newId()])
      await expect(copy({ kind, to })).rejects.toMatchObject({ code: "not_found" });
    await expect(copy({ kind, to: weekly.id })).rejects.toMatchObject({ code: "validation_error" });
    expect(await listOf(weekly)).toEqual({ ada: "active" });
  });

  it("takes no more people than it counts before", async () => {
    await database.db.subscriberCount.create({
      data: { newsletterId: weekly.id, status: "active", shard: 0, people: 200_001 },
    });
    const of = { errors: { target: [expect.stringContaining("At most 200,000 people are copied")] } };
    await expect(plan()).rejects.toMatchObject(of);
    await expect(copy({ kind })).rejects.toMatchObject(of);
  });

  it("writes an entry in the audit logs of both newsletters, whose number grows with the chunks", async () => {
    for (let i = 0; i < 450; i++) await add(`person-${String(i).padStart(3, "0")}`);
    const { id, state } = await copy({ kind });
    expect(state).toBe("running");
    expect(await workOff(id)).toBe(3);
    expect((await row(id)).done).toBe(450);
    const entries = await database.db.auditEntry.findMany({
      where: { action: `people.${kind}`, accountId: weekly.accountId },
    });
    const told = new Map(entries.map(({ newsletterId, detail }) => [newsletterId, detail]));
    expect(told.get(weekly.id)).toEqual({ to: "Monthly", people: 450 });
    expect(told.get(monthly.id)).toEqual({ from: "Weekly", people: 450 });
    expect(entries.length).toBe(2);
    expect(await database.db.subscriber.count({ where: { newsletterId: monthly.id } })).toBe(450);
    expect((await mailsOf(monthly)).length).toBe(450);
  });

  it("ends with a sentence where the other newsletter is gone meanwhile", async () => {
    for (let i = 0; i < 250; i++) await add(`person-${i}`);
    const { id } = await copy({ kind });
    expect(await continueBulkAction(ctx, await row(id))).toBe(true);
    const { id: elsewhere } = await database.db.account.create({ data: { id: newId(), name: "Sold to" } });
    await database.db.newsletter.update({ where: { id: monthly.id }, data: { accountId: elsewhere } });
    await expect(continueBulkAction(ctx, await row(id))).rejects.toMatchObject({
      message: expect.stringContaining("The newsletter Monthly is gone"),
    });
    expect(await database.db.subscriber.count({ where: { newsletterId: monthly.id } })).toBe(200);
    expect(await database.db.subscriber.count({ where: { newsletterId: weekly.id } })).toBe(
      kind === "move" ? 50 : 250,
    );
  });

  it("adds nobody to a newsletter that is archived, also from the chunk on at which it is", async () => {
    for (let i = 0; i < 250; i++) await add(`person-${i}`);
    const { id } = await copy({ kind });
    expect(await continueBulkAction(ctx, await row(id))).toBe(true);
    const archiving = archiveNewsletter(ctx, { accountId: monthly.accountId, newsletterId: monthly.id });
    const next = continueBulkAction(ctx, await row(id));
    const [archived, went] = await Promise.allSettled([archiving, next]);
    expect(archived.status).toBe("fulfilled");
    const added = await database.db.subscriber.count({ where: { newsletterId: monthly.id } });
    expect(added).toBe(went.status === "fulfilled" ? 250 : 200);
    expect((await mailsOf(monthly)).map(({ state }) => state)).toEqual(Array(added).fill("cancelled"));
    await expect(plan()).rejects.toMatchObject({ message: expect.stringContaining("Monthly is archived") });
    await expect(copy({ kind })).rejects.toMatchObject({
      message: expect.stringContaining("Monthly is archived"),
    });
    await endBulkAction(ctx.db, weekly.id, id);
    if (kind === "copy")
      await undo(ctx, weekly, id)
        .then(() => row(id))
        .then((undoing) => (undoing.state === "undoing" ? continueBulkAction(ctx, undoing) : null))
        .then(
          () => expect.unreachable(),
          ({ message }) =>
            expect(message).toBe("The newsletter Monthly is archived, so nobody else was changed."),
        );
    expect(await database.db.subscriber.count({ where: { newsletterId: monthly.id } })).toBe(added);
  });

  it("adds each once when two do it at the same moment", async () => {
    const names = Array.from({ length: 50 }, (_, i) => `person-${i}`);
    const ids: string[] = [];
    for (const name of names) ids.push(await add(name));
    const both = await Promise.all([copy({ kind }, { ids }), copy({ kind }, { ids: ids.toReversed() })]);
    expect(both.map(({ done }) => done).sort()).toEqual([0, 50]);
    expect(Object.keys(await listOf(monthly)).length).toBe(50);
  });

  it("adds nobody who is suppressed there at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const email = `race-${round}@lovelace.org`;
      await add(`race-${round}`);
      await Promise.all([
        copy({ kind }, { ids: [(await find(`race-${round}`, weekly)).id] }),
        createSuppressions(ctx, monthly, {
          items: [
            {
              index: 0,
              input: { email: { email, canonical: email }, reason: "complained" } as never,
            },
          ],
          faults: [],
        }),
      ]);
      const there = await database.db.subscriber.findFirst({
        where: { newsletterId: monthly.id, emailCanonical: email },
      });
      expect([undefined, "unsubscribed"]).toContain(there?.status);
      const mails = (await mailsOf(monthly)).filter(({ toEmail }) => toEmail.toLowerCase() === email);
      expect(mails.filter(({ state }) => state !== "cancelled")).toEqual([]);
    }
  });
});

describe("the mails of a copy", () => {
  it("can be cancelled there at once, and then nobody else is copied", async () => {
    for (let i = 0; i < 250; i++) await add(`person-${i}`);
    const { id } = await copy();
    expect(await continueBulkAction(ctx, await row(id))).toBe(true);
    const underWay = await row(id);
    expect(await cancelMailing(ctx, monthly, id)).toEqual({ kind: "copy", mails: 200 });
    expect((await mailsOf(monthly)).every(({ state }) => state === "cancelled")).toBe(true);
    expect(await row(id)).toMatchObject({ state: "cancelled", done: 200 });
    expect(await continueBulkAction(ctx, underWay)).toBe(false);
  });

  it("do not wait where there is one alone, nor where the newsletter has no delay", async () => {
    await add("ada");
    await copy();
    expect((await mailsOf(monthly)).map(({ state, urgent }) => [state, urgent])).toEqual([["waiting", true]]);
    await database.db.newsletter.update({ where: { id: monthly.id }, data: { sendDelaySeconds: 0 } });
    await add("bob");
    await add("eve");
    await copy();
    expect((await mailsOf(monthly)).map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting"]);
    expect(await listMailings(ctx, { newsletterId: monthly.id })).toEqual([]);
  });
});

describe("the undo of a copy", () => {
  it("removes whom it added and who has done nothing since, with their mails; the others stay", async () => {
    for (const name of ["ada", "bob", "confirmed", "left"]) await add(name);
    await add("already");
    await add("already", { at: monthly });
    const { id, undoUntil } = await copy();
    expect(undoUntil).not.toBe(null);
    const { db } = database;
    const subscriber = await find("confirmed");
    await db.$transaction((tx) =>
      setStatus(tx, { subscribers: [subscriber as never], to: "active", actor: ctx.actor }),
    );
    await unsubscribe(ctx, monthly.id, (await find("left")).id);
    await db.subscriber.update({
      where: { newsletterId_id: { newsletterId: weekly.id, id: (await find("bob", weekly)).id } },
      data: { email: "robert@lovelace.org", emailCanonical: "robert@lovelace.org", version: 2 },
    });
    expect(await undo(ctx, weekly, id)).toMatchObject({ state: "undone", done: 4, undone: 2 });
    expect(await listOf(monthly)).toEqual({ already: "active", confirmed: "active", left: "unsubscribed" });
    expect((await mailsOf(monthly)).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
    expect((await timelineOf("ada", weekly)).map(({ type, evidence }) => [type, evidence?.copiedTo])).toEqual(
      [
        ["restored", "Monthly"],
        ["copied", "Monthly"],
        ["created", undefined],
      ],
    );
    expect((await timelineOf("bob", weekly))[0]?.type).toBe("copied");
    const [here, there] = await Promise.all(
      [weekly, monthly].map(({ id: newsletterId }) =>
        db.auditEntry.findFirst({ where: { newsletterId, action: "people.undone" } }),
      ),
    );
    expect(here?.detail).toEqual({ kind: "copy", to: "Monthly", people: 2 });
    expect(there?.detail).toEqual({ kind: "copy", from: "Weekly", people: 2 });
    await expect(undo(ctx, weekly, id)).rejects.toMatchObject({ message: "This is undone already." });
  });

  it("works through many chunk by chunk, and cancels what waits for those who stay", async () => {
    for (let i = 0; i < 250; i++) await add(`person-${i}`);
    const { id } = await copy();
    await workOff(id);
    const { id: changed } = await find("person-7");
    await database.db.subscriber.update({
      where: { newsletterId_id: { newsletterId: monthly.id, id: changed } },
      data: { version: { increment: 1 } },
    });
    expect((await undo(ctx, weekly, id)).state).toBe("undoing");
    expect(await workOff(id)).toBe(2);
    expect(await row(id)).toMatchObject({ state: "undone", done: 250, undone: 249 });
    expect(await listOf(monthly)).toEqual({ "person-7": "pending" });
    expect((await mailsOf(monthly)).map(({ state }) => state)).toEqual(["cancelled"]);
  });
});

describe("a move", () => {
  it("removes here who was added there, without a digest and with their waiting mails, and no undo is offered", async () => {
    const id = await add("ada", { status: "pending" });
    await add("already");
    await add("already", { at: monthly });
    await ctx.db.$transaction((tx) =>
      ctx.outbox.post(tx, [
        {
          newsletterId: weekly.id,
          subscriberId: id,
          toEmail: "ada@lovelace.org",
          canonical: "ada@lovelace.org",
        },
      ]),
    );
    const moved = await copy({ kind: "move" });
    expect(moved).toMatchObject({ done: 1, skipped: { already: 1 }, to: "Monthly", undoUntil: null });
    expect(await listOf(weekly)).toEqual({ already: "active" });
    expect(await listOf(monthly)).toEqual({ ada: "pending", already: "active" });
    expect(await mailsOf(weekly)).toEqual([]);
    expect((await mailsOf(monthly)).map(({ state }) => state)).toEqual(["deferred"]);
    expect(await database.db.suppression.count({ where: { newsletterId: weekly.id } })).toBe(0);
    const lastChange = (at: Newsletter) =>
      database.db.change.findFirst({ where: { newsletterId: at.id }, orderBy: { xid: "desc" } });
    expect(await lastChange(weekly)).toMatchObject({ subscriberId: id, kind: "erased" });
    expect(await lastChange(monthly)).toMatchObject({
      subscriberId: (await find("ada")).id,
      kind: "created",
    });
    expect((await timelineOf("ada")).find(({ type }) => type === "created")?.evidence).toMatchObject({
      copied: { newsletter: "Weekly", moved: true },
    });
    await expect(undo(ctx, weekly, moved.id)).rejects.toMatchObject({
      message: expect.stringContaining("A move cannot be undone"),
    });
    const undoIn = (await listAuditLog(ctx, { accountId: weekly.accountId, limit: 5 })).map(
      (act) => act.undoIn,
    );
    expect(undoIn).toEqual([null, null]);
    // Back again.
    await startCopy(ctx, monthly, {
      ...{ kind: "move", to: weekly.id, consent: null },
      target: { ids: [(await find("ada")).id] },
    });
    expect(await listOf(weekly)).toEqual({ ada: "pending", already: "active" });
  });
});

describe("a process that is killed in the middle of a move", () => {
  it("leaves each person on one of the two newsletters, and the next one goes on", async () => {
    const people = 3_000;
    await database.db.$executeRaw`
      INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
      SELECT ${weekly.id}::uuid, new_id(now(), n), n || '@lovelace.org', n || '@lovelace.org', 'active', 'api'
      FROM generate_series(1, ${people}::int) AS n`;
    const fixture = join(import.meta.dirname, "../test/bulk-action-process-fixture.ts");
    const begin = async () => {
      const child = spawn(process.execPath, ["--import", "tsx", fixture, base.url], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      return child;
    };
    const on = ({ id }: Newsletter) => database.db.subscriber.count({ where: { newsletterId: id } });
    const first = await begin();
    const { id } = await copy({ kind: "move" });
    await expect.poll(async () => (await row(id)).done, { timeout: 15_000, interval: 5 }).toBeGreaterThan(0);
    first.kill("SIGKILL");
    await once(first, "exit");
    expect((await row(id)).state).toBe("running");
    // What the server had begun and not committed is rolled back in a moment.
    await expect
      .poll(async () => (await on(monthly)) === (await row(id)).done, { timeout: 5_000 })
      .toBe(true);
    expect((await on(weekly)) + (await on(monthly))).toBe(people);
    const second = await begin();
    await expect.poll(async () => (await row(id)).state, { timeout: 45_000 }).toBe("done");
    expect(await row(id)).toMatchObject({ done: people, skipped: {} });
    expect([await on(weekly), await on(monthly)]).toEqual([0, people]);
    expect((await mailsOf(monthly)).length).toBe(people);
    second.kill("SIGKILL");
    await once(second, "exit");
    // The job of a worker that died is noticed after 10 s of silence.
  }, 90_000);
});
