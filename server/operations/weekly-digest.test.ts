import { beforeEach, expect, test } from "vitest";
import { newId } from "../kernel/ids";
import { DAY_MS } from "../kernel/time";
import { openNotices } from "../mail/notices";
import { withClient } from "../platform/postgres/sessions";
import { indexNewest } from "../subscribers/queries/search-index";
import { bench, openBenchForTests } from "../test/mail-bench";
import { findDigest, updateDigest } from "./queries/digests";
import { sendWeeklyDigests } from "./weekly-digest";

openBenchForTests();
let newsletterId: string;
let reader: { id: string; accountId: string };
beforeEach(async () => {
  newsletterId = await bench.newsletter({ name: "Weekly" });
  const { accountId } = await bench.db.newsletter.findUniqueOrThrow({ where: { id: newsletterId } });
  reader = { id: newId(), accountId };
  await bench.db.staffMember.create({
    data: { ...reader, name: "Robin", role: "viewer", email: `${reader.id}@lovelace.org` },
  });
});

const context = () => ({ db: bench.db, notify: openNotices(bench.outbox, "https://list.example.org") });
const setDigest = (weekly: boolean) => updateDigest(bench.db, reader.id, weekly);
const wantsDigest = async () => (await findDigest(bench.db, reader.id)) !== null;
const write = () => sendWeeklyDigests(context());
const lastOneWas = (ms: number) =>
  bench.db.staffMember.update({ where: { id: reader.id }, data: { digestSince: new Date(Date.now() - ms) } });
const mails = () => bench.db.mail.findMany({ where: { staffId: reader.id }, orderBy: { id: "asc" } });

test("is sent once on the next Monday to staff members who want it, and stops when switched off", async () => {
  expect(await wantsDigest()).toBe(false);
  await write();
  await setDigest(true);
  await write();
  expect(await mails()).toEqual([]);
  // The last eight days include a Monday at seven in every time zone.
  await lastOneWas(8 * DAY_MS);
  await setDigest(true); // Changes nothing: it is on.
  await Promise.all([write(), write(), write()]);
  expect(await mails()).toHaveLength(1);
  await setDigest(false);
  expect(await wantsDigest()).toBe(false);
  await write();
  expect(await mails()).toHaveLength(1);
});

test("counts who joined, confirmed and left in 7 days, for each newsletter of the account only", async () => {
  const other = await bench.newsletter({ name: "Somebody else's" });
  await bench.add(other, ["x@lovelace.org"]);
  const second = { id: newId(), accountId: reader.accountId, name: "Monthly" };
  await bench.db.newsletter.create({ data: second });
  const ids = await bench.add(
    newsletterId,
    ["a", "b", "c", "d"].map((name) => `${name}@lovelace.org`),
  );
  await withClient(bench.url, (client) => indexNewest(client, newsletterId, 0));
  const active = { status: "active", confirmedAt: new Date(), version: { increment: 1 } };
  for (const id of ids.slice(0, 3)) await bench.db.subscriber.updateMany({ where: { id }, data: active });
  // A person who unsubscribes twice counts once.
  for (const status of ["unsubscribed", "pending", "unsubscribed"])
    await bench.db.subscriber.updateMany({
      where: { id: ids[0] as string },
      data: { status, unsubscribedAt: new Date(), version: { increment: 1 } },
    });
  await lastOneWas(8 * DAY_MS);
  await write();
  const [mail] = await mails();
  expect(mail?.subject).toBe("Your newsletters: 3 joined, 1 left");
  expect(mail?.text).toContain(
    "Weekly has 2 active people. In the last 7 days 3 joined, 3 confirmed and 1 unsubscribed.",
  );
  expect(mail?.text).toContain(
    "Monthly has 0 active people. In the last 7 days 0 joined, 0 confirmed and 0 unsubscribed.",
  );
  expect(mail?.text).not.toContain("Somebody else");
});

test("omits archived newsletters, and is not sent when there are no others", async () => {
  await setDigest(true);
  await bench.db.newsletter.update({ where: { id: newsletterId }, data: { archivedAt: new Date() } });
  await lastOneWas(8 * DAY_MS);
  await write();
  expect(await mails()).toEqual([]);
  await bench.db.newsletter.create({ data: { id: newId(), accountId: reader.accountId, name: "Monthly" } });
  await lastOneWas(8 * DAY_MS);
  await write();
  const [mail] = await mails();
  expect(mail?.subject).toMatch(/^Monthly: /);
});
