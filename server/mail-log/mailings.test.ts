import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { type OfNewsletter, ofNewsletter } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { getBulkAction, startBulkAction, undoBulkAction } from "../bulk-actions/bulk-actions";
import { continueBulkAction } from "../bulk-actions/chunks";
import { findBulkAction } from "../bulk-actions/queries/bulk-actions";
import { planImport } from "../imports/plan";
import { newId } from "../kernel/ids";
import { listOpenMailings } from "../mail/queries/mailings";
import { maxPreviewed } from "../mail/schema/mailings";
import type { Ctx } from "../subscribers/context";
import { peopleWith } from "../subscribers/queries/people-filter";
import { commit, ended, listOf, openImportRunner } from "../test/import-fixture";
import { suppressAddress } from "../test/linked-person";
import { arrived, bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { people, until } from "../test/mail-fixture";
import { previewMailing } from "./mailing-previews";
import { cancelMailing } from "./mailings";
import { groupIssues } from "./queries/mails";
import { retryMailsOfReason } from "./retries";

openBenchForTests();
let ctx: Ctx;
let weekly: Awaited<ReturnType<typeof getNewsletter>>;
let of: OfNewsletter;

beforeEach(() => furnish(600));

/** A newsletter whose mailings wait so long, and an editor who asks for them. */
async function furnish(sendDelaySeconds: number) {
  ({ weekly, ctx } = await openEditor({ sendDelaySeconds, domainMailsPerDay: 5_000 }));
  of = ofNewsletter(weekly);
}

/** Pending people without a mail. @returns ids, lowest first */
async function addPending(emails: string[], more: object = {}): Promise<string[]> {
  const rows = emails.map((email) => ({ id: newId(), email, emailCanonical: email }));
  const common = { newsletterId: weekly.id, status: "pending", source: "api", ...more };
  await bench.db.subscriber.createMany({ data: rows.map((row) => ({ ...common, ...row })) });
  return rows.map(({ id }) => id);
}

const everybody = () => ({ filter: peopleWith(weekly.id) });
const confirm = (target: Parameters<typeof startBulkAction>[1]["target"]) =>
  startBulkAction(ctx, { ...of, kind: "confirm", target });
const open = () => listOpenMailings(bench.db, weekly.id);
const states = async () => [...new Set((await bench.mails()).map((mail) => mail.state))];
const pending = () => bench.db.subscriber.count({ where: { newsletterId: weekly.id, status: "pending" } });
const preview = (target: Parameters<typeof previewMailing>[1]["target"]) =>
  previewMailing(ctx, { newsletter: weekly, target });

/** Does the next chunk of a bulk action. @returns whether there was one */
async function nextChunk(id: string): Promise<boolean> {
  const action = await findBulkAction(bench.db, weekly.id, id);
  if (action?.state !== "running") return false;
  await continueBulkAction(ctx, action);
  return true;
}

/** Lets the delay of every mailing be over. */
async function passDelay(): Promise<void> {
  await bench.db.$executeRaw`UPDATE mailings SET due_at = now()`;
  await bench.db.$executeRaw`UPDATE mails SET deferred_until = now() WHERE state = 'deferred'`;
  await bench.hurry();
}

/** Lets a delivery do all there is to do now. */
async function settle(): Promise<void> {
  await bench.jobs.add(bench.db, "mail-batch", [{ data: null }]);
  await until(async () => {
    const [row] = await bench.db.$queryRaw<{ jobs: number }[]>`
      SELECT count(*)::int AS jobs FROM pgboss.job WHERE state <= 'active' AND start_after <= now() AND name LIKE 'mail-%'`;
    return row?.jobs === 0;
  }, "all due jobs done");
}

/** Lets the delay of every mailing be over, and fails if a mail is sent. */
async function expectNoMail(): Promise<void> {
  await passDelay();
  await bench.deliver();
  await settle();
  expect(arrived()).toEqual([]);
}

describe("mails to many people", () => {
  test("wait for the newsletter's delay, and then are sent once each", async () => {
    const emails = people(201);
    await addPending(emails);
    const action = await confirm(everybody());
    while (await nextChunk(action.id));
    await bench.deliver();
    await settle();
    expect(arrived()).toEqual([]);
    expect(await states()).toEqual(["deferred"]);
    const [mailing] = await open();
    expect(mailing).toMatchObject({ id: action.id, kind: "confirm", by: "Robin", mails: 201 });
    expect(mailing?.dueInMs).toBeGreaterThan(550_000);
    expect(mailing?.dueInMs).toBeLessThanOrEqual(600_000);
    // It is no issue: the shell shows it.
    expect(await groupIssues(bench.db, weekly.id)).toEqual([]);
    await passDelay();
    await bench.finished();
    expect(arrived()).toEqual([...emails].sort());
    expect(await open()).toEqual([]);
  });

  test("are not sent after a cancel, and people stay unchanged", async () => {
    const ids = await addPending(people(5));
    const action = await confirm({ ids });
    expect(await cancelMailing(ctx, { ...of, id: action.id })).toEqual({ kind: "confirm", mails: 5 });
    await expectNoMail();
    expect(await states()).toEqual(["cancelled"]);
    expect((await bench.mails())[0]).toMatchObject({ error_code: "taken_back" });
    expect(await pending()).toBe(5);
    const undone = { state: "undone", done: 5, undone: 5 };
    expect(await getBulkAction(ctx, { ...of, id: action.id })).toMatchObject(undone);
    const [entry] = await bench.db.auditEntry.findMany({ where: { action: "mails.taken_back" } });
    expect(entry).toMatchObject({ subjectId: action.id, detail: { kind: "confirm", mails: 5 } });
    await expect(cancelMailing(ctx, { ...of, id: action.id })).rejects.toThrow("already cancelled");
    // They can be asked at once: nothing of it counts as asked.
    expect(await preview({ ids })).toMatchObject({ mails: 5, skipped: {} });
  });

  test("end a running action when they are cancelled", async () => {
    await addPending(people(450));
    const action = await confirm(everybody());
    expect(await nextChunk(action.id)).toBe(true);
    expect(await open()).toMatchObject([{ mails: 200 }]);
    const before = await findBulkAction(bench.db, weekly.id, action.id);
    expect(await cancelMailing(ctx, { ...of, id: action.id })).toMatchObject({ mails: 200 });
    // Also by a process that has read the action before.
    await continueBulkAction(ctx, before as NonNullable<typeof before>);
    expect(await bench.mails()).toHaveLength(200);
    expect(await states()).toEqual(["cancelled"]);
  });

  test("can't be cancelled after the delay, and the error says how many were sent", async () => {
    const action = await confirm({ ids: await addPending(people(3)) });
    await passDelay();
    await bench.deliver();
    await bench.finished();
    const late = cancelMailing(ctx, { ...of, id: action.id });
    await expect(late).rejects.toMatchObject({ code: "validation_error" });
    await expect(late).rejects.toThrow("3 of 3 emails were already sent");
    expect(await getBulkAction(ctx, { ...of, id: action.id })).toMatchObject({ state: "done" });
    const other = await getNewsletter(bench.db, await bench.newsletter());
    await expect(cancelMailing(ctx, { ...ofNewsletter(other), id: action.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("are all sent once or not at all when cancelled at the moment they are due", async () => {
    await Promise.all([bench.deliver(), bench.deliver()]);
    let cancelledRounds = 0;
    const wanted: string[] = [];
    // How many ms the cancel follows the moment (below 0: goes before it). Each round moves it towards the other end,
    // in larger steps while the end stays the same, so that both are met on a machine of any speed.
    let offset = 0;
    let step = 4;
    let wasCancelled: boolean | null = null;
    for (let round = 0; round < 16; round++) {
      const emails = people(120, `round${round}-`);
      const action = await confirm({ ids: await addPending(emails) });
      const [result] = await Promise.all([
        sleep(Math.max(0, offset)).then(() => cancelMailing(ctx, { ...of, id: action.id }).catch(() => null)),
        sleep(Math.max(0, -offset)).then(passDelay).then(settle),
      ]);
      if (result) {
        expect(result.mails).toBe(120);
        cancelledRounds++;
      } else wanted.push(...emails);
      const isCancelled = result !== null;
      step = isCancelled === wasCancelled ? step * 2 : Math.max(1, step / 2);
      offset += isCancelled ? step : -step;
      wasCancelled = isCancelled;
    }
    await bench.finished();
    expect(arrived()).toEqual(wanted.sort());
    // Both ends were met.
    expect(cancelledRounds).toBeGreaterThan(0);
    expect(cancelledRounds).toBeLessThan(16);
  });

  test("are sent at once with a delay of 0, as is a mail to one person", async () => {
    const [id] = await addPending(["one@list.example"]);
    await confirm({ ids: [id as string] });
    expect(await open()).toEqual([]);
    expect(await states()).toEqual(["waiting"]);
    await furnish(0);
    const action = await confirm({ ids: await addPending(people(3)) });
    expect(await states()).toEqual(["waiting"]);
    await expect(cancelMailing(ctx, { ...of, id: action.id })).rejects.toMatchObject({ code: "not_found" });
    await bench.deliver();
    await bench.finished();
    expect(arrived()).toEqual(["one@list.example", ...people(3)]);
  });

  test("stay cancelled after the undo of a later unsubscribe", async () => {
    const ids = await addPending(people(2));
    const asked = await confirm({ ids });
    const left = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids } });
    await cancelMailing(ctx, { ...of, id: asked.id });
    expect(await undoBulkAction(ctx, { ...of, id: left.id })).toMatchObject({ undone: 2 });
    expect(await states()).toEqual(["cancelled"]);
  });
});

describe("failed mails that are sent again", () => {
  const reason = { state: "failed", code: "validation_error" } as const;
  async function failed(emails: string[]) {
    await bench.add(weekly.id, emails);
    await bench.db.$executeRaw`
      UPDATE mails SET state = 'failed', error_code = 'validation_error', error_message = 'Because.', finished_at = now()
      WHERE state = 'waiting'`;
  }

  test("wait together, and are failed again after a cancel", async () => {
    await failed(people(230));
    expect(await preview(reason)).toMatchObject({ mails: 230, skipped: {} });
    const retry = () => retryMailsOfReason(ctx, { ...of, ...reason });
    expect(await retry()).toEqual({ sent: 230, closed: 0 });
    const [mailing] = await open();
    expect(mailing).toMatchObject({ kind: "retry", mails: 230 });
    expect(await groupIssues(bench.db, weekly.id)).toEqual([]);
    expect(await cancelMailing(ctx, { ...of, id: mailing?.id as string })).toEqual({
      kind: "retry",
      mails: 230,
    });
    expect(await groupIssues(bench.db, weekly.id)).toMatchObject([{ state: "failed", mails: 230 }]);
    await expectNoMail();
    await retry();
    await passDelay();
    await until(() => arrived().length === 230, "all mails");
    await settle();
    expect(arrived()).toEqual(people(230).sort());
  });

  test("are previewed without people who must not be emailed", async () => {
    await failed(people(4));
    const set = (email: string, data: object) => bench.db.subscriber.updateMany({ where: { email }, data });
    await set("person0@list.example", { status: "active" });
    await set("person1@list.example", { firstName: "Grace" });
    await suppressAddress(bench.db, weekly.id, { email: "person2@list.example", reason: "denied" });
    const [asked] = await bench.db.subscriber.findMany({ where: { email: "person3@list.example" } });
    await startBulkAction(ctx, { ...of, kind: "confirm", target: { ids: [asked?.id as string] } });
    expect(await preview(reason)).toEqual({
      mails: 1,
      atMost: false,
      names: ["Grace"],
      skipped: { not_pending: 1, not_to_be_mailed: 1, asked_since: 1 },
      delaySeconds: 600,
    });
  });
});

describe("mails of an import", () => {
  async function imported(rows: { email: string; name?: string; status?: "active" | "pending" }[]) {
    const plan = await planImport(ctx, { ...of, list: listOf(rows, { statusRule: "pending" }) });
    const shown = await preview({ importId: plan.importId });
    await commit(plan, { ctx, to: weekly, runner: openImportRunner() });
    return { shown, record: await ended(plan.importId, { ctx, to: weekly }) };
  }

  test("wait after the import; a cancel leaves the people pending without an email", async () => {
    const rows = people(3).map((email) => ({ email }));
    const { shown, record } = await imported([
      ...rows,
      { email: "grace@navy.mil", name: "Grace Hopper" },
      { email: "active@navy.mil", status: "active" },
    ]);
    expect(shown).toEqual({
      mails: 4,
      atMost: false,
      names: ["person0@list.example", "person1@list.example", "person2@list.example"],
      skipped: {},
      delaySeconds: 600,
    });
    expect(record).toMatchObject({ state: "done", mailing: "waiting" });
    expect(await open()).toMatchObject([{ id: record.id, kind: "import", mails: 4 }]);
    expect(await cancelMailing(ctx, { ...of, id: record.id })).toEqual({ kind: "import", mails: 4 });
    await expectNoMail();
    expect(await pending()).toBe(4);
    expect(await states()).toEqual(["cancelled"]);
    // A single mail has no delay.
    const alone = await imported([{ email: "alone@list.example" }]);
    expect(alone.record.mailing).toBe(null);
    await until(() => arrived().includes("alone@list.example"), "the mail");
  });
});

describe("the preview of confirmations", () => {
  test("counts recipients, names a few, and counts the others by reason", async () => {
    const ids = await addPending(people(4));
    const active = await addPending(["active@list.example"], { status: "active" });
    const named = await addPending(["ada@list.example"], { firstName: "Ada" });
    await suppressAddress(bench.db, weekly.id, { email: "person0@list.example", reason: "complained" });
    await startBulkAction(ctx, { ...of, kind: "confirm", target: { ids: [ids[1] as string] } });
    const expected = {
      mails: 3,
      atMost: false,
      skipped: { not_pending: 1, not_to_be_mailed: 1, on_its_way: 1 },
      delaySeconds: 600,
    };
    const names = ["Ada", "person2@list.example", "person3@list.example"];
    expect(await preview(everybody())).toEqual({ ...expected, names });
    const gone = newId();
    expect(await preview({ ids: [...ids, ...active, ...named, gone] })).toEqual({
      ...expected,
      names,
      skipped: { ...expected.skipped, changed_meanwhile: 1 },
    });
    expect(await preview({ filter: peopleWith(weekly.id, { about: "status", is: ["active"] }) })).toEqual({
      ...expected,
      mails: 0,
      names: [],
      skipped: { not_pending: 1 },
    });
    // Nothing was changed, and nobody asked.
    expect(await bench.mails()).toHaveLength(1);
  });

  test("shows an upper limit for very many people", async () => {
    await bench.db.$executeRaw`
      INSERT INTO subscribers (newsletter_id, id, source, email, email_canonical, first_name, last_name, status)
      SELECT ${weekly.id}::uuid, new_id(now(), n), 'api', 'many' || n || '@x.org', 'many' || n || '@x.org', 'N', '', 'pending'
      FROM generate_series(1, ${maxPreviewed + 1}::int) AS n`;
    expect(await preview(everybody())).toMatchObject({
      mails: maxPreviewed + 1,
      atMost: true,
      names: ["N", "N", "N"],
    });
  });
});
