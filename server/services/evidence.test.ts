import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openLinks } from "../auth/signed-links";
import { newId } from "../domain/ids";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../test/linked-person";
import { type MailBench, openMailBench } from "../test/mail-fixture";
import { activateByLink, confirmByLink, denyByLink, renewLink, showConfirmation } from "./confirmations";
import { getMail, readLink } from "./mails";
import { exportPerson, getPerson } from "./person";

const links = openLinks({ secret: "s".repeat(32), appUrl: "https://list.example" });
const TOKEN = /confirm\/[\w-]{92}/;

let bench: MailBench;
let weekly: { id: string; accountId: string; name: string };
let staffId: string;
beforeAll(async () => {
  bench = await openMailBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  weekly = { ...(await addNewsletter(bench.db)), name: "Weekly" };
  staffId = newId();
  const { accountId } = weekly;
  const member = { id: staffId, accountId, email: `${staffId}@x.org`, name: "Robin", role: "editor" };
  await bench.db.staffMember.create({ data: member });
});

const add = (options?: Parameters<typeof addLinkedPerson>[2]) =>
  addLinkedPerson(bench.db, weekly.id, options);
const staff = () => ({
  db: bench.db,
  links,
  sends: false,
  actor: {
    kind: "staff",
    id: staffId,
    accountId: weekly.accountId,
    role: "editor",
    address: "192.0.2.7",
  } as const,
  requestId: "test",
});
const reader = () => ({
  db: bench.db,
  outbox: bench.outbox,
  actor: { kind: "link", address: "203.0.113.7" } as const,
  requestId: "test",
});
const rowOf = ({ subscriberId: id }: { subscriberId: string }) =>
  bench.db.subscriber.findFirst({ where: { newsletterId: weekly.id, id } });
const eventsOf = ({ subscriberId }: { subscriberId: string }) =>
  bench.db.subscriberEvent.findMany({ where: { subscriberId }, orderBy: { id: "asc" } });
const claimsOf = (url: string) => {
  const reading = links.readConfirmation(url.slice(url.lastIndexOf("/") + 1));
  if (!reading.ok) throw new Error(reading.reason);
  return reading.claims;
};

describe("a link that was only logged", () => {
  test("a staff member who reads it is written down as the actor, and nobody has confirmed", async () => {
    const person = await add({ mailed: false });
    const { url } = await readLink(staff(), { newsletter: weekly, id: person.mailId });
    const claims = claimsOf(url);
    expect(await confirmByLink(reader(), claims)).toMatchObject({ done: false, mailed: false });
    expect(await activateByLink(reader(), claims)).toMatchObject({
      done: true,
      linkStatus: "active",
      confirmedAt: null,
    });
    expect(await rowOf(person)).toMatchObject({ status: "active", confirmedAt: null });
    expect(await eventsOf(person)).toMatchObject([
      {
        kind: "status.active",
        actorKind: "staff",
        actorId: staffId,
        address: "203.0.113.7",
        cause: "mail",
        causeId: person.mailId,
      },
    ]);
    expect(await bench.db.auditEntry.findMany({ where: { subjectId: person.subscriberId } })).toMatchObject([
      {
        action: "people.link_read",
        actorId: staffId,
        address: "192.0.2.7",
        detail: { mail: person.mailId },
      },
    ]);
  });

  test("the operator is the actor where no staff member has read it", async () => {
    const person = await add({ mailed: false });
    await activateByLink(reader(), person);
    expect(await eventsOf(person)).toMatchObject([
      { kind: "status.active", actorKind: "operator", actorId: null },
    ]);
  });

  test("brings back nobody who left or whose address is suppressed, and says so", async () => {
    const left = await add({ mailed: false });
    const where = { newsletterId_id: { newsletterId: weekly.id, id: left.subscriberId } };
    await bench.db.subscriber.update({ where, data: { unsubscribedAt: new Date(0) } });
    const bounced = await add({ mailed: false });
    await suppressAddress(bench.db, weekly.id, { email: bounced.email, reason: "bounced" });
    const old = await add({ mailed: false, expiresInMs: -2_000 });
    for (const person of [left, bounced, old]) {
      expect(await showConfirmation(bench, person)).toMatchObject({ linkStatus: "void" });
      for (const press of [activateByLink, confirmByLink, renewLink, denyByLink])
        expect(await press(reader(), person)).toMatchObject({ done: false, linkStatus: "void" });
      expect(await rowOf(person)).toMatchObject({ status: "pending", version: 1 });
    }
  });

  test("speaks for nobody: it neither denies nor unsubscribes", async () => {
    const person = await add({ mailed: false });
    expect(await denyByLink(reader(), person)).toMatchObject({ done: false, linkStatus: "pending" });
    expect(await bench.db.suppression.count({ where: { newsletterId: weekly.id } })).toBe(0);
  });

  test("is handed to staff only while no mail leaves; that of a mail which left never is", async () => {
    const [logged, sent, waiting] = [
      await add({ mailed: false }),
      await add(),
      await add({ mailed: false, state: "waiting" }),
    ];
    const read = (id: string, sends = false) =>
      readLink({ ...staff(), sends }, { newsletter: weekly, id }).then(({ url }) => url);
    const refused = { code: "validation_error" };
    await expect(read(logged.mailId, true)).rejects.toMatchObject(refused);
    await expect(read(sent.mailId)).rejects.toMatchObject(refused);
    await expect(read(waiting.mailId)).rejects.toMatchObject(refused);
    expect(await read(logged.mailId)).toMatch(TOKEN);
    expect(await bench.db.auditEntry.count({ where: { newsletterId: weekly.id } })).toBe(1);
  });
});

test("a mail, its person and their export are shown to staff without what makes its link work", async () => {
  const person = await add();
  const link = links.confirmationUrl(person);
  await bench.db.mail.update({
    where: { id: person.mailId },
    data: { html: `<a href="${link}">Confirm</a>`, text: `Open ${link} now` },
  });
  const mail = await getMail(staff(), { newsletterId: weekly.id, id: person.mailId });
  expect(mail.html).toBe('<a href="https://list.example/confirm/hidden">Confirm</a>');
  expect(mail.text).toBe("Open https://list.example/confirm/hidden now");
  const shown = [
    await getPerson(bench, weekly.id, person.subscriberId),
    await exportPerson(staff(), weekly, person.subscriberId),
  ];
  expect(JSON.stringify(shown)).not.toMatch(TOKEN);
  expect(shown[0]).toMatchObject({ asked: { id: person.mailId, state: "sent" } });
});

test("a link that was mailed confirms, from the address that pressed it and by the mail that it came with", async () => {
  const person = await add();
  expect(await activateByLink(reader(), person)).toMatchObject({ done: false, linkStatus: "pending" });
  expect(await confirmByLink(reader(), person)).toMatchObject({ done: true, confirmedAt: expect.any(Date) });
  expect(await eventsOf(person)).toMatchObject([
    { kind: "confirmed", actorKind: "link", address: "203.0.113.7", cause: "mail", causeId: person.mailId },
  ]);
});
