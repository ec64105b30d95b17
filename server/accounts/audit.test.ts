import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { saveNewsletterSettings } from "../newsletters/settings";
import { listAuditLog } from "../operations/overview";
import { addNewsletter } from "../test/linked-person";
import { bench, openBenchForTests } from "../test/mail-bench";
import { record } from "./audit";
import { createNewsletter } from "./newsletters";

openBenchForTests({ reset: false });
let weekly: { id: string; accountId: string };
let robin: { kind: "staff"; id: string; accountId: string; role: "owner"; address: string };
beforeEach(async () => {
  weekly = await addNewsletter(bench.db);
  const { accountId } = weekly;
  robin = { kind: "staff", id: newId(), accountId, role: "owner", address: "192.0.2.7" };
  const { id, role } = robin;
  await bench.db.staffMember.create({
    data: { id, accountId, role, name: "Robin", email: `${id}@lovelace.org` },
  });
});

const ctx = () => ({ db: bench.db, outbox: bench.outbox, actor: robin, requestId: "test" });
const log = async (view: Partial<Parameters<typeof listAuditLog>[1]> = {}) =>
  (await listAuditLog({ db: bench.db }, { accountId: weekly.accountId, limit: 100, ...view })).items;
const settings = {
  ...{ name: "Weekly", sender: null, replyTo: null, language: "en" as const, timeZone: "UTC" },
  ...{ domainMailsPerDay: 50, mailsPerDay: 5_000, sendDelaySeconds: 30 },
};
const save = (changes: Partial<typeof settings>) =>
  saveNewsletterSettings(ctx(), { newsletterId: weekly.id, settings: { ...settings, ...changes } });

describe("the audit log", () => {
  test("keeps the former names of the staff member and the newsletter after both are gone", async () => {
    await save({ mailsPerDay: 100 });
    await save({ name: "Daily", mailsPerDay: 100 });
    await bench.db.staffMember.update({ where: { id: robin.id }, data: { name: "Robin Calder" } });
    await save({ name: "Hourly", mailsPerDay: 100 });
    await bench.db.staffMember.delete({ where: { id: robin.id } });
    expect((await log()).map(({ by, newsletter, detail }) => [by.name, newsletter, detail])).toEqual([
      ["Robin Calder", "Hourly", { changed: ["name"], was: { name: "Daily" }, now: { name: "Hourly" } }],
      ["Robin", "Daily", { changed: ["name"], was: { name: "Weekly" }, now: { name: "Daily" } }],
      [
        ...["Robin", "Weekly"],
        { changed: ["mailsPerDay"], was: { mailsPerDay: "5000" }, now: { mailsPerDay: "100" } },
      ],
    ]);
  });

  test("filters by newsletter and by area", async () => {
    const { id: monthly } = await createNewsletter(ctx(), { accountId: weekly.accountId, name: "Monthly" });
    await save({ mailsPerDay: 100 });
    await record(ctx(), bench.db as never, {
      accountId: weekly.accountId,
      action: "staff.signed_in",
      subjectId: null,
    });
    const actions = async (view: Parameters<typeof log>[0]) => (await log(view)).map(({ action }) => action);
    expect(await actions({})).toEqual(["staff.signed_in", "newsletter.changed", "newsletter.created"]);
    expect(await actions({ newsletterId: monthly })).toEqual(["newsletter.created"]);
    expect(await actions({ area: "staff" })).toEqual(["staff.signed_in"]);
    expect(await actions({ area: "newsletter", newsletterId: weekly.id })).toEqual(["newsletter.changed"]);
    expect(await actions({ area: "people" })).toEqual([]);
  });

  test("refuses changes, except a growing number of people", async () => {
    await save({ mailsPerDay: 100 });
    const where = { id: (await log())[0]?.id as string };
    const refused = "the audit log is not changed";
    await expect(bench.db.auditEntry.delete({ where })).rejects.toThrow(refused);
    await expect(bench.db.auditEntry.update({ where, data: { actorName: "Eve" } })).rejects.toThrow(refused);
    await expect(bench.db.auditEntry.update({ where, data: { detail: {} } })).rejects.toThrow(refused);
    const detail = { people: 3 };
    const entry = { id: newId(), accountId: weekly.accountId, actorKind: "staff", actorId: robin.id };
    await bench.db.auditEntry.create({ data: { ...entry, action: "people.exported", detail } });
    const change = (people: number) =>
      bench.db.auditEntry.update({ where: { id: entry.id }, data: { detail: { people } } });
    await change(5);
    await expect(change(4)).rejects.toThrow(refused);
  });
});
