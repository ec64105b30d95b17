import { expect, it } from "vitest";
import { startBulkAction } from "../bulk-actions/bulk-actions";
import { newId } from "../kernel/ids";
import { confirmByLink } from "../subscribers/confirmations";
import { countByStatus } from "../subscribers/queries/people-counts";
import {
  fixture,
  holdTransaction,
  idOf,
  imported,
  newsletter,
  openFixtureForTests,
  openImportRunner,
  planned,
  storedPeople,
  undone,
  waitForLock,
} from "../test/import-fixture";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { getImport } from "./imports";
import { planImportUndo, undoImport } from "./undo";

openFixtureForTests();

const importOf = (importId: string) => getImport(fixture.ctx, { newsletterId: newsletter.id, importId });

const list = async () =>
  (await storedPeople()).map(({ email, firstName, status }) => `${email} ${status} ${firstName}`.trim());
const begin = (importId: string) =>
  undoImport(fixture.ctx, { newsletterId: newsletter.id, importId, removeOptOuts: false });
const mailsTo = (toEmail: string) =>
  fixture.db.mail.findMany({ where: { newsletterId: newsletter.id, toEmail }, orderBy: { id: "asc" } });

it("deletes imported people without changes and keeps those who confirmed, unsubscribed or were changed", async () => {
  await fixture.add(newsletter.id, "before@list.org");
  const run = await imported([
    "idle@list.org",
    "left@list.org",
    "before@list.org",
    { email: "waiting@list.org", status: "pending" },
    { email: "mailed@list.org", status: "pending" },
    { email: "confirmed@list.org", status: "pending" },
    { email: "renamed@list.org", status: "pending" },
  ]);
  const newsletterId = newsletter.id;
  await startBulkAction(fixture.ctx, {
    newsletterId: newsletter.id,
    kind: "unsubscribe",
    target: { ids: [await idOf("left@list.org")] },
  });
  await fixture.db.mail.updateMany({
    where: { newsletterId, toEmail: "mailed@list.org" },
    data: { state: "logged", html: "", text: "" },
  });
  const mail = await fixture.db.mail.findFirstOrThrow({
    where: { newsletterId, toEmail: "confirmed@list.org" },
  });
  await fixture.db.mail.update({
    where: { id: mail.id },
    data: { state: "sent", batchId: newId(), batchPosition: 0, html: "", text: "" },
  });
  const reader = { ...fixture.ctx, actor: { kind: "link", address: null } as const };
  const { id: mailId, linkExpiresAt: expiresAt } = mail;
  const claims = { newsletterId, subscriberId: mail.subscriberId as string, mailId, expiresAt };
  expect((await confirmByLink(reader, claims)).done).toBe(true);
  await fixture.db.subscriber.updateMany({
    where: { newsletterId, email: "renamed@list.org" },
    data: { firstName: "Grace", version: 2 },
  });

  const expected = { people: 3, stayed: 3, mails: 2, optOuts: 0 };
  expect(await planImportUndo(fixture.ctx, { newsletterId, importId: run.id })).toEqual(expected);
  expect(await undone(run.id)).toMatchObject({
    state: "undone",
    undone: expected,
    undoUntil: null,
  });
  expect(await list()).toEqual([
    "before@list.org active",
    "confirmed@list.org active",
    "left@list.org unsubscribed",
    "renamed@list.org pending Grace",
  ]);
  expect((await mailsTo("renamed@list.org")).map((one) => one.state)).toEqual(["cancelled"]);
  expect(await mailsTo("waiting@list.org")).toEqual([]);
  const counts = await countByStatus(fixture.db, newsletterId);
  expect(counts).toEqual({ active: 2, pending: 1, unsubscribed: 1 });
  const [entry] = await fixture.db.auditEntry.findMany({ where: { newsletterId, action: "import.undone" } });
  expect(entry).toMatchObject({ subjectId: run.id, detail: { number: 1, people: 3 } });
});

it("can be undone once, when done, within seven days", async () => {
  const plan = await planned(["plan@list.org"]);
  await expect(begin(plan.importId)).rejects.toMatchObject({
    errors: { import: [expect.stringContaining("added no people")] },
  });
  const run = await imported(["ada@list.org"]);
  const twice = await Promise.allSettled([1, 2].map(() => undone(run.id)));
  expect(twice.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(begin(run.id)).rejects.toMatchObject({
    errors: { import: [expect.stringContaining("already been undone")] },
  });

  const old = await imported(["grace@list.org"]);
  const age = (interval: string) =>
    fixture.db
      .$executeRaw`UPDATE imports SET ended_at = now() - ${interval}::interval WHERE id = ${old.id}::uuid`;
  await age("6 days 23 hours 59 minutes");
  expect((await importOf(old.id)).undoUntil).toBeInstanceOf(Date);
  await age("7 days 1 second");
  expect((await importOf(old.id)).undoUntil).toBe(null);
  await expect(begin(old.id)).rejects.toMatchObject({
    errors: { import: [expect.stringContaining("more than 7 days old")] },
  });
  expect(await list()).toEqual(["grace@list.org active"]);
});

/** Holds a person's row in another transaction, so that an undo has to wait. */
const holdPerson = (email: string) =>
  holdTransaction(
    (tx) =>
      tx.$executeRaw`SELECT FROM subscribers WHERE newsletter_id = ${newsletter.id}::uuid AND email = ${email} FOR UPDATE`,
  );

const people = (count: number) => Array.from({ length: count }, (_, i) => `p${10_000 + i}@list.org`);

it("shows the progress of an undo", async () => {
  const run = await imported(people(6_000));
  // The last person, so that the earlier batches are finished.
  const release = await holdPerson("p15999@list.org");
  await begin(run.id);
  fixture.runner.start(fixture.ctx, run.id);
  const progress = async () => (await importOf(run.id)).progress;
  await expect.poll(progress, { timeout: 10_000 }).toEqual({ done: 4_000, total: 6_000 });
  await release();
  await fixture.runner.idle();
  expect(await progress()).toEqual({ done: 6_000, total: 6_000 });
  expect(await list()).toEqual([]);
});

it("removes no one when its server stops, and the next server starts the undo again", async () => {
  const run = await imported(people(3_000));
  const release = await holdPerson("p12999@list.org");
  const runner = openImportRunner();
  expect(await begin(run.id)).toMatchObject({ state: "undoing", undoUntil: null });
  runner.start(fixture.ctx, run.id);
  await waitForLock();
  const stopped = runner.stop();
  await release();
  await stopped;
  expect((await importOf(run.id)).state).toBe("undoing");
  expect(await list()).toHaveLength(3_000);
  fixture.runner.start(fixture.ctx, run.id);
  await fixture.runner.idle();
  expect(await importOf(run.id)).toMatchObject({ state: "undone", undone: { people: 3_000, stayed: 0 } });
  expect(await list()).toEqual([]);
});

it("fails after too many attempts, removes no one, and can be started again", async () => {
  const run = await imported(people(10));
  await begin(run.id);
  const job = workJob(fixture.ctx, { id: run.id, removeOptOuts: false });
  await runWork(fixture.ctx, { job, closing: new AbortController().signal, retries: 8 });
  expect(await importOf(run.id)).toMatchObject({
    state: "done",
    progress: { done: 10, total: 10 },
    undoUntil: expect.any(Date),
    error: expect.stringContaining("No people were removed"),
  });
  expect(await list()).toHaveLength(10);
  expect(await undone(run.id)).toMatchObject({ state: "undone", error: null });
  expect(await list()).toEqual([]);
});
