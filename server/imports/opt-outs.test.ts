import { beforeEach, describe, expect, it } from "vitest";
import { ofNewsletter } from "../accounts/context";
import { startBulkAction, undoBulkAction } from "../bulk-actions/bulk-actions";
import { DAY_MS } from "../kernel/time";
import { createSubscriber } from "../subscribers/create-subscribers";
import { countMatching } from "../subscribers/people";
import { exportPerson } from "../subscribers/person";
import { countByStatus } from "../subscribers/queries/people-counts";
import { peopleWith } from "../subscribers/queries/people-filter";
import { NewSubscriber, SubscriberPatch } from "../subscribers/schema/subscriber";
import { unsubscribe, updateSubscriber } from "../subscribers/subscribers";
import { listActivities } from "../subscribers/timeline";
import { findSuppressed } from "../suppressions/queries/suppressions";
import { NewSuppression } from "../suppressions/schema/suppressions";
import { createSuppressions } from "../suppressions/suppressions";
import {
  commit,
  ended,
  fixture,
  holdTransaction,
  idOf,
  imported,
  newsletter,
  openFixtureForTests,
  planned,
  storedPeople,
  undone,
  waitForLock,
} from "../test/import-fixture";
import { suppressAddress } from "../test/linked-person";
import { beginImport, getActiveDespiteOptOut, getImport } from "./imports";
import { UploadHead } from "./schema/imports";
import { planImportUndo } from "./undo";

openFixtureForTests();

type Row = Parameters<typeof planned>[0][number];
const at = "2024-03-02T09:30:00Z";
const left = (email: string, reason: "unsubscribed" | "bounced" | "complained" = "unsubscribed"): Row => ({
  email,
  leaving: { reason, at },
});
const three = [
  left("gone@list.org"),
  left("bounced@list.org", "bounced"),
  left("spam@list.org", "complained"),
];

const find = (email: string) =>
  fixture.db.subscriber.findFirst({ where: { newsletterId: newsletter.id, email } });
const people = async () =>
  (await storedPeople()).map(({ email, status, version }) => `${email} ${status} ${version}`);
const suppressions = async (...emails: string[]) => {
  const found = await findSuppressed(fixture.db, newsletter.id, emails);
  return Object.fromEntries([...found].map(([email, { reason, source }]) => [email, `${reason} ${source}`]));
};
const post = async (email: string, status: "active" | "pending") => {
  const origin = { newsletterId: newsletter.id, source: "api", sourceId: null } as const;
  return (await createSubscriber(fixture.ctx, { origin, input: NewSubscriber.parse({ email, status }) }))
    .record;
};
const put = async (email: string, status: "active" | "pending") =>
  updateSubscriber(fixture.ctx, {
    newsletterId: newsletter.id,
    id: await idOf(email),
    patch: SubscriberPatch.parse({ status }),
  });
const erase = async (email: string) =>
  startBulkAction(fixture.ctx, {
    newsletterId: newsletter.id,
    kind: "erase",
    target: { ids: [await idOf(email)] },
  });

describe("planning opt-outs", () => {
  it("counts opted-out people separately and changes no subscriber", async () => {
    await fixture.add(newsletter.id, "active@list.org");
    await fixture.add(newsletter.id, "pending@list.org", { status: "pending" });
    await fixture.add(newsletter.id, "left@list.org", { status: "unsubscribed" });
    await suppressAddress(fixture.db, newsletter.id, { email: "never@list.org", reason: "denied" });
    const made = await planned([
      "new@list.org",
      ...three,
      left("pending@list.org", "bounced"),
      left("active@list.org"),
      left("left@list.org", "complained"),
      left("never@list.org"),
    ]);
    expect(made.counts).toEqual({
      new_active: 1,
      new_pending: 0,
      new_unsubscribed: 3,
      already_active: 1,
      already_pending: 1,
      unsubscribed: 1,
      suppressed: 1,
    });
    expect(made.activeDespiteOptOut).toBe(2);
  });

  it("keeps an opt-out whatever its date", async () => {
    const dates = [
      null,
      "yesterday",
      "1970-01-01T00:00:00Z",
      new Date(Date.now() + 400 * DAY_MS).toISOString(),
      new Date(Date.now() + DAY_MS / 2).toISOString(),
    ];
    const before = Date.now();
    const run = await imported(
      dates.map((date, i) => ({ email: `p${i}@list.org`, leaving: { reason: "unsubscribed", at: date } })),
    );
    expect(run).toMatchObject({ state: "done", consent: null, counts: { new_unsubscribed: dates.length } });
    for (const i of dates.keys()) {
      const person = await find(`p${i}@list.org`);
      expect(person?.status).toBe("unsubscribed");
      // The current time, so that a link in a later email can resubscribe the person.
      expect(Math.abs(Number(person?.unsubscribedAt) - before)).toBeLessThan(60_000);
    }
  });

  it("stores answers to questions about the list, within limits", async () => {
    const answersOf = (answers: object) =>
      UploadHead.parse({ fileName: null, statusRule: "active", answers }).answers;
    const answers = answersOf({ "column:State": { "can\0celled\ud800": "unsubscribed", open: "active" } });
    const { importId } = await planned(["a@list.org"], { answers });
    expect((await getImport(fixture.ctx, { newsletterId: newsletter.id, importId })).answers).toEqual({
      "column:State": { "can celled": "unsubscribed", open: "active" },
    });
    const many = <T>(n: number, answer: T) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`w${i}`, answer]));
    expect(() => answersOf({ "column:State": many(201, "active") })).toThrow(/at most 200 answers/);
    expect(() => answersOf(many(101, { open: "active" }))).toThrow(/at most 100 questions/);
    expect(() => answersOf({ "column:State": { open: "perhaps" } })).toThrow();
  });
});

describe("committing opt-outs", () => {
  it("stores opted-out people as unsubscribed with their date, suppresses bounces and complaints, and sends no email", async () => {
    const run = await imported([...three, "new@list.org"], { statusRule: "active" });
    expect(run).toMatchObject({
      state: "done",
      progress: { done: 4, total: 4 },
      consent: { source: "the fair" },
      counts: { new_active: 1, new_unsubscribed: 3 },
    });
    expect(await people()).toEqual([
      "bounced@list.org unsubscribed 1",
      "gone@list.org unsubscribed 1",
      "new@list.org active 1",
      "spam@list.org unsubscribed 1",
    ]);
    for (const email of ["bounced@list.org", "gone@list.org", "spam@list.org"])
      expect(await find(email)).toMatchObject({
        unsubscribedAt: new Date(at),
        source: "import",
        sourceId: run.id,
        confirmedAt: null,
      });
    expect(await suppressions("bounced@list.org", "gone@list.org", "spam@list.org", "new@list.org")).toEqual({
      "bounced@list.org": "bounced import",
      "spam@list.org": "complained import",
    });
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    expect(await fixture.db.auditEntry.findMany({ where: { subjectId: run.id } })).toMatchObject([
      { action: "import.done", detail: { people: 1, unsubscribed: 3 } },
    ]);
  });

  it("requires consent only for people added as active or pending", async () => {
    const only = await planned(three);
    const both = await planned([...three, "new@list.org"]);
    const begin = (plan: typeof only, consent: Parameters<typeof beginImport>[1]["consent"]) =>
      beginImport(fixture.ctx, { newsletterId: newsletter.id, ...plan, consent });
    await expect(begin(both, null)).rejects.toMatchObject({
      errors: { people: [expect.stringContaining("adds 1 people")] },
    });
    const consent = { source: "the fair", wording: "", people: 4 };
    await expect(begin(both, consent)).rejects.toMatchObject({
      errors: { people: [expect.stringContaining("adds 1 people")] },
    });
    expect((await begin(only, null)).begun).toBe(true);
    expect((await begin(both, { ...consent, people: 1 })).begun).toBe(true);
  });

  it("imports and undoes several batches completely: people, emails, suppressions and counts", async () => {
    const reasons = [undefined, "bounced", undefined, "unsubscribed"] as const;
    const rows = Array.from({ length: 4_300 }, (_, i): Row => {
      const [email, reason] = [`p${i}@list.org`, reasons[i % 4]];
      return reason ? left(email, reason) : { email, status: i % 4 ? "pending" : "active" };
    });
    const run = await imported(rows);
    expect(run.counts).toMatchObject({ new_active: 1_075, new_pending: 1_075, new_unsubscribed: 2_150 });
    const added = await countByStatus(fixture.db, newsletter.id);
    expect(added).toEqual({ active: 1_075, pending: 1_075, unsubscribed: 2_150 });
    const bySource = { newsletterId: newsletter.id, source: "import", sourceId: run.id };
    expect(await fixture.db.suppression.count({ where: bySource })).toBe(1_075);
    expect((await undone(run.id)).undone).toEqual({
      ...{ people: 4_300, stayed: 0, mails: 1_075 },
      optOuts: 2_150,
    });
    expect(await fixture.db.suppression.count({ where: bySource })).toBe(2_150);
    expect(await people()).toEqual([]);
    expect(await fixture.db.mail.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    const counted = await countByStatus(fixture.db, newsletter.id);
    expect(counted).toEqual({ active: 0, pending: 0, unsubscribed: 0 });
  });
});

const emails = ["gone@list.org", "bounced@list.org", "spam@list.org"];

describe("people imported as unsubscribed", () => {
  beforeEach(async () => {
    await imported(three);
  });

  it("can be asked to resubscribe by email, unless they bounced or complained", async () => {
    await put("gone@list.org", "pending");
    await expect(put("bounced@list.org", "pending")).rejects.toMatchObject({ code: "validation_error" });
    await expect(put("spam@list.org", "pending")).rejects.toMatchObject({ code: "validation_error" });
    const mails = await fixture.db.mail.findMany({ where: { newsletterId: newsletter.id } });
    expect(mails.map(({ toEmail }) => toEmail)).toEqual(["gone@list.org"]);
  });

  it("stay suppressed when erased: one confirmation is allowed, none after a complaint", async () => {
    for (const email of emails) {
      await erase(email);
      await expect(post(email, "active")).rejects.toMatchObject({ code: "email_suppressed" });
    }
    expect(await suppressions(...emails)).toEqual({
      "gone@list.org": "unsubscribed person",
      "bounced@list.org": "unsubscribed person",
      "spam@list.org": "complained person",
    });
    await expect(post("spam@list.org", "pending")).rejects.toMatchObject({ code: "email_suppressed" });
    expect((await post("gone@list.org", "pending")).status).toBe("pending");
    await erase("gone@list.org");
    await expect(post("gone@list.org", "pending")).rejects.toMatchObject({ code: "email_suppressed" });
  });
});

describe("undoing opt-outs", () => {
  const undoEntryOf = async (importId: string) =>
    (await fixture.db.auditEntry.findFirst({ where: { subjectId: importId, action: "import.undone" } }))
      ?.detail;

  it("removes people imported as unsubscribed and keeps their opt-outs as suppressions", async () => {
    const run = await imported([...three, "new@list.org"]);
    const expected = { people: 4, stayed: 0, mails: 0, optOuts: 3 };
    expect(await planImportUndo(fixture.ctx, { newsletterId: newsletter.id, importId: run.id })).toEqual(
      expected,
    );
    expect((await undone(run.id)).undone).toEqual(expected);
    expect(await people()).toEqual([]);
    expect(await undoEntryOf(run.id)).toEqual({ number: 1, people: 4, optOutsKept: 3 });
    expect(await suppressions(...emails)).toEqual({
      "gone@list.org": "unsubscribed import",
      "bounced@list.org": "bounced import",
      "spam@list.org": "complained import",
    });
    const kept = await fixture.db.suppression.findMany({ where: { newsletterId: newsletter.id } });
    expect(kept.map(({ email }) => email).sort()).toEqual(emails.toSorted());
    for (const one of kept) expect(one).toMatchObject({ sourceId: run.id, createdAt: new Date(at) });
    for (const email of emails)
      await expect(post(email, "active")).rejects.toMatchObject({ code: "email_suppressed" });
    expect((await post("new@list.org", "active")).status).toBe("active");
  });

  it("can also remove the opt-outs; these people can then be added", async () => {
    const run = await imported(three);
    const removed = { people: 3, stayed: 0, mails: 0, optOuts: 0 };
    expect((await undone(run.id, { removeOptOuts: true })).undone).toEqual(removed);
    expect(await people()).toEqual([]);
    expect(await undoEntryOf(run.id)).toEqual({ number: 1, people: 3, optOutsRemoved: 3 });
    expect(await fixture.db.suppression.count({ where: { newsletterId: newsletter.id } })).toBe(0);
    for (const email of emails) expect((await post(email, "active")).status).toBe("active");
  });

  it("keeps people who have changed since, and their suppressions", async () => {
    const names = ["asked", "again", "bulk", "stronger", "weaker", "list", "erased", "readdressed"];
    const run = await imported([
      ...names.map((name) => left(`${name}@list.org`)),
      left("weaker.spam@list.org", "complained"),
      left("idle@list.org", "bounced"),
    ]);
    await put("asked@list.org", "pending");
    await unsubscribe(fixture.ctx, { newsletterId: newsletter.id, id: await idOf("again@list.org") });
    await startBulkAction(fixture.ctx, {
      newsletterId: newsletter.id,
      kind: "unsubscribe",
      target: { ids: [await idOf("bulk@list.org")] },
    });
    const reasons = { stronger: "complained", weaker: "manual", "weaker.spam": "unsubscribed" };
    const items = Object.entries(reasons).map(([name, reason], index) => {
      return { index, input: NewSuppression.parse({ email: `${name}@list.org`, reason }) };
    });
    await createSuppressions(fixture.ctx, { ...ofNewsletter(newsletter), items, faults: [] });
    await imported([left("list@list.org"), "other@list.org"]);
    await erase("erased@list.org");
    await updateSubscriber(fixture.ctx, {
      newsletterId: newsletter.id,
      id: await idOf("readdressed@list.org"),
      patch: SubscriberPatch.parse({ email: "elsewhere@list.org" }),
    });

    const expected = { people: 1, stayed: 8, mails: 0, optOuts: 1 };
    expect((await undone(run.id)).undone).toEqual(expected);
    expect(await people()).toEqual([
      "again@list.org unsubscribed 2",
      "asked@list.org pending 2",
      "bulk@list.org unsubscribed 2",
      "elsewhere@list.org unsubscribed 2",
      "list@list.org unsubscribed 2",
      "other@list.org active 1",
      "stronger@list.org unsubscribed 2",
      "weaker.spam@list.org unsubscribed 2",
      "weaker@list.org unsubscribed 2",
    ]);
    const addresses = [...names, "weaker.spam", "idle"].map((name) => `${name}@list.org`);
    expect(await suppressions(...addresses)).toEqual({
      "stronger@list.org": "complained dashboard",
      "weaker@list.org": "manual dashboard",
      "weaker.spam@list.org": "complained import",
      "idle@list.org": "bounced import",
      "erased@list.org": "unsubscribed person",
      "readdressed@list.org": "unsubscribed person",
    });
  });
});

it("lists subscribers that the list reports as opted out, on the import's page and in the list of people, unchanged", async () => {
  await fixture.add(newsletter.id, "active@list.org");
  await fixture.add(newsletter.id, "pending@list.org", { status: "pending" });
  await fixture.add(newsletter.id, "here@list.org");
  const run = await imported([
    "new@list.org",
    "here@list.org",
    left("active@list.org", "complained"),
    { email: "pending@list.org", leaving: { reason: "unsubscribed", at: null } },
  ]);
  expect(run).toMatchObject({ state: "done", activeDespiteOptOut: 2 });
  const still = () => getActiveDespiteOptOut(fixture.ctx, { newsletterId: newsletter.id, importId: run.id });
  const [active, pending] = ["active@list.org", "pending@list.org"];
  expect(await still()).toEqual([
    { id: await idOf(active), email: active, status: "active", reason: "complained", at: new Date(at) },
    { id: await idOf(pending), email: pending, status: "pending", reason: "unsubscribed", at: null },
  ]);
  const countOf = async (part: "still_here" | "unchanged") =>
    (await countMatching(fixture.ctx, peopleWith(newsletter.id, { about: "import", id: run.id, part })))
      .people;
  expect([await countOf("still_here"), await countOf("unchanged")]).toEqual([2, 3]);
  await erase("active@list.org");
  expect(await still()).toMatchObject([{ email: "pending@list.org" }]);
});

it("is outdated when an undo of staff's unsubscribe ends during the commit", async () => {
  const id = await fixture.add(newsletter.id, "undone@list.org");
  const action = await startBulkAction(fixture.ctx, {
    newsletterId: newsletter.id,
    kind: "unsubscribe",
    target: { ids: [id] },
  });
  const made = await planned(["new@list.org", left("undone@list.org")]);
  // The undo holds the person's row and ends late.
  const release = await holdTransaction(async (tx) => {
    await undoBulkAction({ ...fixture.ctx, tx }, { newsletterId: newsletter.id, id: action.id });
  });
  const committing = commit(made);
  await waitForLock();
  await release();
  await committing;
  const { state } = await ended(made.importId);
  expect([state, (await find("undone@list.org"))?.status]).toEqual(["outdated", "active"]);
});

it("stores evidence of consent and opt-out in the timeline, the API and the export until the person is erased", async () => {
  const agreed = {
    optedInAt: "2024-01-01T10:00:00+02:00",
    confirmedAt: "tomorrow",
    ip: "1.2.3.4",
    source: `Foo\0ter\ud800${"x".repeat(300)}`,
  };
  const run = await imported([
    { email: "ada@list.org", evidence: agreed },
    { email: "gone@list.org", leaving: { reason: "bounced", at }, evidence: { ip: "5.6.7.8" } },
    { email: "empty@list.org", evidence: {} },
  ]);
  const source = `Foo ter ${"x".repeat(192)}`;
  const createdOf = async (email: string) => {
    const { items: records } = await listActivities(fixture.ctx, {
      newsletterId: newsletter.id,
      id: await idOf(email),
      limit: 100,
      after: null,
    });
    expect(records.map(({ type }) => type)).toEqual(["created"]);
    return records[0];
  };
  expect(await createdOf("ada@list.org")).toMatchObject({
    by: { kind: "import", id: run.id, name: "Import #1" },
    address: "192.0.2.7",
    detail: {
      imported_by: "Robin",
      consent: { source: "the fair", wording: "yes" },
      evidence: { opted_in_at: "2024-01-01T08:00:00+00:00", ip: "1.2.3.4", source },
    },
  });
  const brought = await createdOf("gone@list.org");
  expect(brought?.detail.evidence).toEqual({
    ip: "5.6.7.8",
    left: { reason: "bounced", at: "2024-03-02T09:30:00+00:00" },
  });
  // Opted-out people have no consent.
  expect(brought?.detail).not.toHaveProperty("consent");
  expect((await createdOf("empty@list.org"))?.detail).not.toHaveProperty("evidence");

  const id = await idOf("ada@list.org");
  const { person, activities } = await exportPerson(fixture.ctx, {
    newsletter: { ...newsletter, name: "Weekly" },
    id,
  });
  expect(person).toMatchObject({ sourceName: "Import #1" });
  expect(activities).toMatchObject([
    { type: "created", evidence: { optedInAt: "2024-01-01T08:00:00.000Z", ip: "1.2.3.4", source } },
  ]);
  expect(await fixture.db.subscriberEvent.count({ where: { subscriberId: id } })).toBe(1);
  await erase("ada@list.org");
  expect(await fixture.db.subscriberEvent.count({ where: { subscriberId: id } })).toBe(0);
});
