import { beforeEach, expect, test } from "vitest";
import { type OfNewsletter, ofNewsletter } from "../accounts/context";
import { getNewsletter } from "../accounts/newsletters";
import { findSuppressed } from "../suppressions/queries/suppressions";
import { suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { until } from "../test/mail-fixture";
import type { Ctx } from "./context";
import { allowMail, askAgain, changePerson, exportPerson, getPerson, saveNote } from "./person";
import { deleteSubscribers } from "./queries/subscribers";

openBenchForTests({ reset: false });
let weekly: { id: string; accountId: string; name: string };
let of: OfNewsletter;
let ctx: Ctx;
beforeEach(async () => {
  ({ weekly, ctx } = await openEditor());
  of = ofNewsletter(weekly);
});

const add = async (email: string) => (await bench.add(weekly.id, [email]))[0] as string;

test("one person receives one confirmation email a minute from all newsletters", async () => {
  const id = await add("alan@list.example");
  const asking = async () => (await getPerson(bench, { ...of, id })).person.asking;
  expect(await asking()).toBe("on_its_way");
  await bench.db.$executeRaw`UPDATE mails SET state = 'logged' WHERE subscriber_id = ${id}::uuid`;
  expect(await asking()).toBe(null);
  // Another newsletter has just emailed the same person.
  const other = await bench.newsletter();
  await bench.add(other, ["alan@list.example"]);
  await bench.deliver();
  await until(() => bench.fake.mails.length > 0, "the mail");
  expect(await asking()).toBe("asked_lately");
  await expect(askAgain(ctx, { ...of, id })).rejects.toThrow(/requested less than a minute ago/);
  await bench.stopDeliveries();
});

test("a bounced address gets no email until staff allow it or it changes; an opt-out stays", async () => {
  const id = await add("grace@list.example");
  await bench.db.$executeRaw`UPDATE mails SET state = 'failed' WHERE subscriber_id = ${id}::uuid`;
  await suppressAddress(bench.db, weekly.id, { email: "grace@list.example", reason: "bounced" });
  const other = await add("other@list.example");
  await suppressAddress(bench.db, weekly.id, { email: "other@list.example", reason: "bounced" });
  expect((await getPerson(bench, { ...of, id })).person.suppression).toMatchObject({ reason: "bounced" });
  await expect(askAgain(ctx, { ...of, id })).rejects.toThrow(/bounces permanently/);
  await allowMail(ctx, { ...of, id });
  expect((await getPerson(bench, { ...of, id: other })).person.suppression).toMatchObject({
    reason: "bounced",
  });
  await askAgain(ctx, { ...of, id });
  expect((await getPerson(bench, { ...of, id })).person.suppression).toBe(null);
  await expect(allowMail(ctx, { ...of, id })).rejects.toMatchObject({ code: "validation_error" });
  await suppressAddress(bench.db, weekly.id, { email: "grace@list.example", reason: "complained" });
  await expect(allowMail(ctx, { ...of, id })).rejects.toMatchObject({ code: "validation_error" });
});

test("the export has all data about a person, and erasing leaves only their opt-out", async () => {
  const [id, other] = [await add("alan@list.example"), await add("kurt@list.example")];
  await bench.deliver({ key: false });
  await suppressAddress(bench.db, weekly.id, { email: "alan@list.example", reason: "bounced" });
  await suppressAddress(bench.db, weekly.id, { email: "kurt@list.example", reason: "denied" });
  await saveNote(ctx, { ...of, id, text: "Met at the fair", version: 0 });
  const everything = await exportPerson(ctx, { newsletter: weekly, id });
  expect(everything).toMatchObject({
    newsletter: "Weekly",
    person: { id, email: "alan@list.example", status: "pending", emailCanonical: "alan@list.example" },
    suppression: { reason: "bounced" },
    note: { text: "Met at the fair", changedBy: "Robin" },
    mails: [{ toEmail: "alan@list.example", kind: "confirmation" }],
  });
  await bench.db.$transaction((tx) => deleteSubscribers(tx, weekly.id, [id, other], {}));
  await expect(exportPerson(ctx, { newsletter: weekly, id })).rejects.toMatchObject({ code: "not_found" });
  await expect(getPerson(ctx, { ...of, id })).rejects.toMatchObject({ code: "not_found" });
  await expect(changePerson(ctx, { ...of, id, patch: { status: "pending" } })).rejects.toThrow(
    "This person is no longer on the list.",
  );
  expect(await bench.db.personNote.count({ where: { newsletterId: weekly.id } })).toBe(0);
  const suppressed = await findSuppressed(bench.db, weekly.id, ["alan@list.example", "kurt@list.example"]);
  expect([...suppressed.keys()]).toEqual(["kurt@list.example"]);
  const digests = await bench.db.suppression.findMany({ where: { newsletterId: weekly.id } });
  expect(digests).toMatchObject([{ email: null, reason: "denied" }]);
});

test("a note can be replaced only by staff who read its latest version, and the audit log records the change", async () => {
  const [id, other] = [await add("ada@list.example"), await add("grace@list.example")];
  const noteOf = async (one: string) => (await getPerson(bench, { ...of, id: one })).note;
  expect(await noteOf(id)).toBe(null);
  await saveNote(ctx, { ...of, id, text: "Likes\nmails in French", version: 0 });
  expect(await noteOf(id)).toMatchObject({
    text: "Likes\nmails in French",
    version: 1,
    changedBy: "Robin",
    changedAt: expect.any(Date),
  });
  for (const version of [0, 2])
    await expect(saveNote(ctx, { ...of, id, text: "Mine", version })).rejects.toMatchObject({
      code: "validation_error",
      errors: { version: [expect.any(String)] },
    });
  await saveNote(ctx, { ...of, id, text: "", version: 1 });
  expect(await noteOf(id)).toMatchObject({ text: "", version: 2 });
  expect(await noteOf(other)).toBe(null);
  const elsewhere = await getNewsletter(bench.db, await bench.newsletter());
  const stolen = saveNote(ctx, { ...ofNewsletter(elsewhere), id, text: "Stolen", version: 2 });
  await expect(stolen).rejects.toMatchObject({ code: "not_found" });
  const noted = { subjectId: id, action: "subscriber.note_changed" };
  // The note's text is erased with the person; the log only says that it changed.
  expect(await bench.db.auditEntry.findMany({ where: noted })).toMatchObject([
    { detail: null },
    { detail: null },
  ]);
});
