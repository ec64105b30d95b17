import { beforeEach, describe, expect, test } from "vitest";
import { ofNewsletter, staffIdOf } from "../accounts/context";
import { startBulkAction, undoBulkAction } from "../bulk-actions/bulk-actions";
import { newId } from "../kernel/ids";
import { openLinks } from "../mail/signed-links";
import { getMail, readLink } from "../mail-log/mails";
import { receiveReport } from "../mail-log/reports";
import { NewSuppression } from "../suppressions/schema/suppressions";
import { createSuppressions } from "../suppressions/suppressions";
import { addLinkedPerson, suppressAddress } from "../test/linked-person";
import { bench, openBenchForTests, openEditor } from "../test/mail-bench";
import { mailedBy } from "../test/mail-fixture-values";
import {
  activateByLink,
  confirmByLink,
  denyByLink,
  renewLink,
  showConfirmation,
  unsubscribeByLink,
} from "./confirmations";
import type { Ctx } from "./context";
import { createSubscriber } from "./create-subscribers";
import { exportPerson, getPerson } from "./person";
import { NewSubscriber, SubscriberPatch } from "./schema/subscriber";
import { unsubscribe, updateSubscriber } from "./subscribers";
import { listActivities } from "./timeline";

const links = openLinks({ secrets: ["s".repeat(32)], appUrl: "https://list.example" });
const TOKEN = /confirm\/[\w-]{92}/;

openBenchForTests({ reset: false });
let weekly: { id: string; accountId: string; name: string };
let ctx: Ctx;
let staffId: string;
beforeEach(async () => {
  ({ weekly, ctx } = await openEditor());
  staffId = staffIdOf(ctx) as string;
});

const add = (options?: Parameters<typeof addLinkedPerson>[2]) =>
  addLinkedPerson(bench.db, weekly.id, options);
const staff = () => ({ ...ctx, links, mailService: mailedBy(null) });
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
  const claims = links.readConfirmation(url.slice(url.lastIndexOf("/") + 1));
  if (!claims) throw new Error(`not our link: ${url}`);
  return claims;
};

describe("a link that was only logged", () => {
  test("a staff member who read it is recorded as the actor, and no confirmation is recorded", async () => {
    const person = await add({ mailed: false });
    const { url } = await readLink(staff(), { ...ofNewsletter(weekly), id: person.mailId });
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
    const { activities } = await getPerson(bench, { newsletterId: weekly.id, id: person.subscriberId });
    expect(activities.filter(({ type }) => type !== "created" && type !== "asked")).toMatchObject([
      { type: "status_changed", status: "active", through: { kind: "link", id: person.mailId } },
      { type: "kept", by: null },
    ]);
    expect(await bench.db.auditEntry.findMany({ where: { subjectId: person.subscriberId } })).toMatchObject([
      { action: "people.link_read", actorId: staffId, address: "192.0.2.7", detail: { mail: person.mailId } },
    ]);
  });

  test("the operator is recorded when no staff member has read it", async () => {
    const person = await add({ mailed: false });
    await activateByLink(reader(), person);
    expect(await eventsOf(person)).toMatchObject([
      { kind: "status.active", actorKind: "operator", actorId: null },
    ]);
  });

  test("does not reactivate opted-out or suppressed people, and says so", async () => {
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

  test("can neither deny nor unsubscribe", async () => {
    const person = await add({ mailed: false });
    expect(await denyByLink(reader(), person)).toMatchObject({ done: false, linkStatus: "pending" });
    expect(await bench.db.suppression.count({ where: { newsletterId: weekly.id } })).toBe(0);
  });

  test("is shown to staff only while email can't be sent; the link of a sent email never is", async () => {
    const [logged, sent, waiting] = [
      await add({ mailed: false }),
      await add(),
      await add({ mailed: false, state: "waiting" }),
    ];
    const resend = mailedBy({ kind: "resend", apiKey: "re_test" });
    const read = (id: string, sends = false) =>
      readLink({ ...staff(), ...(sends && { mailService: resend }) }, { ...ofNewsletter(weekly), id }).then(
        ({ url }) => url,
      );
    const refused = { code: "validation_error" };
    await expect(read(logged.mailId, true)).rejects.toMatchObject(refused);
    await expect(read(sent.mailId)).rejects.toMatchObject(refused);
    await expect(read(waiting.mailId)).rejects.toMatchObject(refused);
    expect(await read(logged.mailId)).toMatch(TOKEN);
    expect(await bench.db.auditEntry.count({ where: { newsletterId: weekly.id } })).toBe(1);
  });
});

test("staff see an email, its person and their export without working links", async () => {
  const person = await add();
  const link = links.confirmationUrl(person);
  await bench.db.mail.update({
    where: { id: person.mailId },
    data: {
      html: `<a href="${link}">Confirm</a>`,
      text: `Open ${link} now, or ${links.unsubscribeUrl(person)}`,
    },
  });
  const mail = await getMail(staff(), { newsletterId: weekly.id, id: person.mailId });
  expect(mail.html).toBe('<a href="https://list.example/confirm/hidden">Confirm</a>');
  expect(mail.text).toBe(
    "Open https://list.example/confirm/hidden now, or https://list.example/unsubscribe/hidden",
  );
  const shown = [
    await getPerson(bench, { newsletterId: weekly.id, id: person.subscriberId }),
    await exportPerson(staff(), { newsletter: weekly, id: person.subscriberId }),
  ];
  expect(JSON.stringify(shown)).not.toMatch(TOKEN);
  expect(shown[0]).toMatchObject({ asked: { id: person.mailId, state: "sent" } });
});

describe("timeline, export and API show how a person was added and left:", () => {
  const active = (email: string) => NewSubscriber.parse({ email, status: "active" });
  /** The entry of all three, by type. */
  async function evidenceOf(id: string) {
    const { activities } = await getPerson(bench, { newsletterId: weekly.id, id });
    const exported = await exportPerson(staff(), { newsletter: weekly, id });
    expect(exported.activities).toEqual(activities.toReversed());
    const { items: records } = await listActivities(bench, {
      newsletterId: weekly.id,
      id,
      limit: 100,
      after: null,
    });
    expect(records.map((one) => [one.id, one.type, one.by, one.address])).toEqual(
      activities.map((one) => [one.id, one.type, one.by, one.address]),
    );
    return Object.fromEntries(records.map((one) => [one.type, one]));
  }
  async function key() {
    const id = newId();
    const secretSha256 = crypto.getRandomValues(new Uint8Array(32));
    const permissions = ["subscribers:write"];
    await bench.db.apiKey.create({
      data: { id, newsletterId: weekly.id, name: "Website", prefix: "sk_abc", permissions, secretSha256 },
    });
    const by = { kind: "api_key", id, name: "Website" };
    return { by, keyCtx: { ...ctx, actor: { kind: "key", id, newsletterId: weekly.id } } as Ctx };
  }
  const robin = () => ({ kind: "staff", id: staffId, name: "Robin" });
  const origin = (source: "api" | "dashboard", sourceId: string) => ({
    newsletterId: weekly.id,
    source,
    sourceId,
  });

  test("added by an API key, without a row for it", async () => {
    const { by, keyCtx } = await key();
    const created = await createSubscriber(keyCtx, {
      origin: origin("api", by.id),
      input: active("ada@list.example"),
    });
    const { id } = created.record;
    expect(await bench.db.subscriberEvent.count({ where: { subscriberId: id } })).toBe(0);
    expect(await evidenceOf(id)).toMatchObject({ created: { id, by, address: null, detail: {} } });
    await unsubscribe(keyCtx, { newsletterId: weekly.id, id });
    expect(await evidenceOf(id)).toMatchObject({ unsubscribed: { by, address: null, detail: {} } });
  });

  test("added, changed and unsubscribed by a staff member, with the IP address", async () => {
    const created = await createSubscriber(ctx, {
      origin: origin("dashboard", staffId),
      input: active("ada@list.example"),
    });
    const { id } = created.record;
    await updateSubscriber(ctx, {
      newsletterId: weekly.id,
      id,
      patch: SubscriberPatch.parse({ name: "Ada Lovelace" }),
    });
    await unsubscribe(ctx, { newsletterId: weekly.id, id });
    const by = { by: robin(), address: "192.0.2.7" };
    expect(await evidenceOf(id)).toMatchObject({
      created: by,
      updated: { ...by, detail: { changes: { name: { from: "", to: "Ada Lovelace" } } } },
      unsubscribed: by,
    });
  });

  test("confirmed by the emailed link, and unsubscribed by that link", async () => {
    const { subscriberId: id, email, mailId, ...claims } = await add();
    const link = { ...claims, subscriberId: id, mailId };
    await confirmByLink(reader(), link);
    const mail = { id: mailId, to: email, subject: "Confirm your subscription" };
    const by = { by: { kind: "person", id: null, name: null }, address: "203.0.113.7", detail: { mail } };
    expect(await evidenceOf(id)).toMatchObject({ asked: { by: null, detail: { mail } }, confirmed: by });
    await unsubscribeByLink(reader(), link);
    expect(await evidenceOf(id)).toMatchObject({ confirmed: by, unsubscribed: by });
  });

  test("unsubscribed by a complaint, a bulk action and a suppression; restored by the undo", async () => {
    const complained = await add({ status: "active" });
    await bench.db.mail.update({ where: { id: complained.mailId }, data: { providerId: complained.mailId } });
    const report = {
      id: newId(),
      providerId: complained.mailId,
      kind: "complained",
      at: new Date(),
      detail: null,
    } as const;
    expect(await receiveReport(bench, report)).toBe("applied");
    expect(await evidenceOf(complained.subscriberId)).toMatchObject({
      complained: {},
      unsubscribed: {
        by: { kind: "person" },
        detail: { through: { kind: "complaint", id: complained.mailId } },
      },
    });

    const { subscriberId: id } = await add({ status: "active" });
    const action = await startBulkAction(ctx, {
      newsletterId: weekly.id,
      kind: "unsubscribe",
      target: { ids: [id] },
    });
    const through = { kind: "bulk_action", id: action.id };
    expect(await evidenceOf(id)).toMatchObject({ unsubscribed: { by: robin(), detail: { through } } });
    await undoBulkAction(ctx, { newsletterId: weekly.id, id: action.id });
    expect(await evidenceOf(id)).toMatchObject({ restored: { by: robin(), detail: { through } } });

    const suppressed = await add({ status: "active" });
    const input = NewSuppression.parse({ email: suppressed.email, reason: "manual" });
    await createSuppressions(ctx, { ...ofNewsletter(weekly), items: [{ index: 0, input }], faults: [] });
    expect(await evidenceOf(suppressed.subscriberId)).toMatchObject({
      unsubscribed: { by: robin(), detail: { through: { kind: "suppression", id: null } } },
    });
  });
});
