import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ofNewsletter } from "../accounts/context";
import type { AppContext } from "../app";
import { LOWEST_ID, newId } from "../kernel/ids";
import { receiveReport } from "../mail-log/reports";
import { deleteExpired } from "../operations/queries/housekeeping";
import { Prisma, type Tx } from "../platform/db/client";
import { eraseSubscriber } from "../subscribers/erase-subscriber";
import { exportPerson } from "../subscribers/person";
import { addLinkedPerson, addNewsletter, addPeople } from "../test/linked-person";
import { type Answer, openWebhookStage, type Told } from "../test/webhook-stage";
import { listChanges } from "./changes";
import { insertEvent } from "./queries/changes";
import { noteFailed } from "./queries/webhook-endpoints";
import { type WebhookEvent, webhookEvents } from "./schema/webhooks";
import { runWebhooks } from "./webhook-delivery";
import { getMessage, listMessages, repeat, retryMessage, skip } from "./webhook-messages";
import {
  createEndpoint,
  listEndpoints,
  patchEndpoint,
  removeEndpoint,
  rotateSecret,
  saveEndpoint,
  switchEndpoint,
  testEndpoint,
  type WebhookCtx,
} from "./webhooks";

let stage: Awaited<ReturnType<typeof openWebhookStage>>;
let app: AppContext;
let url: string;
/** What the endpoint was sent, and with what it answers next; 204 where nothing is said. */
let told: Told[] = [];
let answers: Answer[] = [];
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  stage = await openWebhookStage((message) => {
    told.push(message);
    return answers.shift() ?? { status: 204 };
  });
  ({ app, url } = stage);
}, 120_000);
beforeEach(async () => {
  newsletter = await addNewsletter(app.db);
});
afterEach(async () => {
  told = [];
  answers = [];
  await app.db.webhookEndpoint.deleteMany();
});
afterAll(() => stage.close());

const ctx = (): WebhookCtx => ({ ...app, actor: { kind: "operator" }, requestId: "test" });
const of = () => ({ newsletterId: newsletter.id, accountId: newsletter.accountId });
const make = (events: readonly WebhookEvent[] = webhookEvents) =>
  createEndpoint(ctx(), { ...of(), endpoint: { url, description: "Shop", events: [...events] } });
/** Tells all that there is to tell now. */
const deliver = () => runWebhooks(app, { closing: new AbortController().signal, stays: false });
/** As if its wait were over. */
const hurry = () => app.db.webhookEndpoint.updateMany({ data: { nextTryAt: new Date(Date.now() - 1_000) } });
const state = async () => (await listEndpoints(ctx(), of()))[0];
/** For how many seconds after the last try the endpoint is left alone. */
const waited = async () => {
  const [message] = await app.db.webhookMessage.findMany({
    where: { endpoint: { newsletterId: newsletter.id }, triedAt: { not: null } },
    orderBy: { triedAt: "desc" },
  });
  return (Number((await state())?.nextTryAt) - Number(message?.triedAt)) / 1000;
};
const parsed = () => told.map(({ body }) => JSON.parse(body));
const numbers = () => parsed().map(({ number }) => number);
const types = () => parsed().map(({ type }) => type);
const add = (email: string) => addLinkedPerson(app.db, newsletter.id, { email, mailed: false });
const change = (id: string, data: object) =>
  app.db.subscriber.updateMany({ where: { id }, data: { ...data, version: { increment: 1 } } });
const erase = (id: string) =>
  eraseSubscriber({ ...app, ...ctx() }, { ...ofNewsletter(newsletter), id, include: undefined });
const addMany = (count: number, tx: Tx | AppContext["db"] = app.db) =>
  addPeople(tx, newsletter.id, count, { source: "import" });
/** Adds an event to the log that is no change of a subscriber. */
const happen = (
  tx: Tx | AppContext["db"],
  kind: "bounced" | "import.finished",
  subscriberId: string | null,
  detail = {},
) => insertEvent(tx, { newsletterId: newsletter.id, kind, subscriberId, detail });
/** The events in the log. */
const events = () =>
  app.db.change.findMany({ where: { newsletterId: newsletter.id, detail: { not: Prisma.DbNull } } });
/** A person with an email that the provider reports on. */
async function reported(kind: "bounced" | "complained", detail: string | null = null): Promise<void> {
  const { mailId } = await addLinkedPerson(app.db, newsletter.id, { email: `${kind}@lovelace.org` });
  await app.db.mail.update({ where: { id: mailId }, data: { providerId: mailId } });
  await receiveReport(app, { id: newId(), providerId: mailId, kind, at: new Date(), detail });
}

test("delivers changes of a person in order, numbered, signed and as the API shows them", async () => {
  await add("earlier@lovelace.org");
  const { secret } = await make();
  const { subscriberId: id } = await add("ada@lovelace.org");
  await deliver();
  await change(id, { status: "active", confirmedAt: new Date() });
  await deliver();
  await change(id, { firstName: "Ada" });
  await deliver();
  await change(id, { status: "unsubscribed", unsubscribedAt: new Date() });
  await deliver();
  await erase(id);
  await deliver();

  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
  const changes = ["created", "confirmed", "updated", "unsubscribed", "erased"];
  expect(types()).toEqual(changes.map((change) => `subscriber.${change}`));
  expect(parsed()[2]).toEqual({
    type: "subscriber.updated",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    number: 3,
    data: {
      subscriber: {
        ...{ id, email: "ada@lovelace.org", name: "Ada", status: "active" },
        created_at: expect.any(String),
        ...{ fields: {}, tags: [], subscribed_at: expect.any(String), external_id: null },
      },
    },
  });
  expect(parsed()[4].data).toEqual({ subscriber_id: id });
  for (const { body, headers } of told) new Webhook(secret).verify(body, headers);
  expect(() => new Webhook(secret).verify(`${told[0]?.body} `, told[0]?.headers ?? {})).toThrow();
  expect(new Set(told.map((one) => one.id)).size).toBe(5);
  expect(await state()).toMatchObject({ waiting: 0, failingSince: null, deliveredAt: expect.any(Date) });
});

test("begins after a position of the change feed", async () => {
  await add("read@lovelace.org");
  const { next: after } = await listChanges(app, { newsletterId: newsletter.id, after: null, limit: 100 });
  const { subscriberId } = await add("missed@lovelace.org");
  await change(subscriberId, { status: "active", confirmedAt: new Date() });
  const endpoint = { url, description: "", events: ["subscriber.created" as const] };
  await createEndpoint(ctx(), { ...of(), endpoint, after });
  await add("later@lovelace.org");
  await deliver();
  expect(parsed().map(({ data }) => data.subscriber.email)).toEqual([
    "missed@lovelace.org",
    "later@lovelace.org",
  ]);
  expect(numbers()).toEqual([1, 2]);
});

test("a retry delivers a message again, and ends the wait of one that failed", async () => {
  const { id } = await make();
  await add("a@lovelace.org");
  await deliver();
  await retryMessage(ctx(), { ...of(), id, number: 1 });
  answers = [{ status: 500 }];
  await deliver();
  expect(numbers()).toEqual([1, 1]);
  await app.db.webhookEndpoint.updateMany({ data: { nextTryAt: new Date(Date.now() + 3_600_000) } });
  await deliver();
  expect(numbers()).toEqual([1, 1]);
  await retryMessage(ctx(), { ...of(), id, number: 1 });
  await deliver();
  expect(numbers()).toEqual([1, 1, 1]);
  expect(new Set(told.map((one) => one.id + one.body)).size).toBe(1);
});

test("delivers only the chosen events: a bounce and a complaint with their person, an import with its figures", async () => {
  await make(["subscriber.bounced", "subscriber.complained", "import.finished"]);
  for (const kind of ["bounced", "complained"] as const) await reported(kind, "No such user");
  const done = { id: newId(), number: 7, added: 300, unsubscribed: 2 };
  await happen(app.db, "import.finished", null, { import: done });
  await deliver();
  // The people were created, which this endpoint does not receive.
  expect(numbers()).toEqual([1, 2, 3]);
  expect(
    parsed().map(({ type, data }) => [type, data.subscriber?.email ?? data.import, data.reason]),
  ).toEqual([
    ["subscriber.bounced", "bounced@lovelace.org", "No such user"],
    ["subscriber.complained", "complained@lovelace.org", undefined],
    ["import.finished", done, undefined],
  ]);
});

test("sends a failed message again unchanged, before the next ones", async () => {
  const { secret } = await make();
  await add("a@lovelace.org");
  await add("b@lovelace.org");
  answers = [{ status: 500, body: "out of order" }];
  await deliver();
  expect(told).toHaveLength(1);
  expect(await state()).toMatchObject({ failure: "It answered 500.", waiting: 2, offReason: null });
  expect(await waited()).toBe(1);
  // However slow the machine is, its time has not come.
  await app.db.webhookEndpoint.updateMany({ data: { nextTryAt: new Date(Date.now() + 3_600_000) } });
  await deliver();
  expect(told).toHaveLength(1);
  await hurry();
  await deliver();
  expect(numbers()).toEqual([1, 1, 2]);
  expect(told[1]?.body).toBe(told[0]?.body);
  expect(told[1]?.id).toBe(told[0]?.id);
  for (const { body, headers } of told) new Webhook(secret).verify(body, headers);
  expect(await state()).toMatchObject({ failure: null, failingSince: null, nextTryAt: null, waiting: 0 });
  const [{ id } = { id: "" }] = await listEndpoints(ctx(), of());
  expect(await getMessage(ctx(), { ...of(), id, number: 1 })).toMatchObject({
    ...{ state: "delivered", attempts: 2, answerStatus: 204 },
  });
});

test("waits as long as Retry-After asks, an hour at most", async () => {
  await make();
  await add("a@lovelace.org");
  for (const [seconds, expected] of [
    [90, 90],
    [86_400, 3_600],
  ] as const) {
    answers = [{ status: 429, headers: { "Retry-After": String(seconds) } }];
    await hurry();
    await deliver();
    expect(await waited()).toBe(expected);
  }
});

describe("switches an endpoint off", () => {
  test("after three days of failures, notifies owners, and continues where it stopped", async () => {
    const { id } = await make();
    const { accountId } = newsletter;
    const owner = { id: newId(), accountId, name: "Owner", role: "owner", email: `${newId()}@lovelace.org` };
    await app.db.staffMember.create({ data: owner });
    await add("a@lovelace.org");
    answers = [{ status: 500 }, { status: 500 }];
    await deliver();
    await app.db.webhookEndpoint.updateMany({
      data: { failingSince: new Date(Date.now() - 3.01 * 86_400_000), nextTryAt: null },
    });
    await deliver();
    expect(await state()).toMatchObject({ offReason: "failing", waiting: 1 });
    const [mail] = await app.db.mail.findMany({ where: { staffId: owner.id } });
    expect(mail?.subject).toBe(`Rollcall turned off the webhook to ${new URL(url).host}`);
    expect(mail?.text).toContain("It answered 500.");
    const entries = await app.db.auditEntry.findMany({ where: { action: "webhook.failed", subjectId: id } });
    expect(entries).toHaveLength(1);

    await add("b@lovelace.org");
    await deliver();
    expect(told).toHaveLength(2);
    expect(await switchEndpoint(ctx(), { ...of(), id, on: true })).toEqual({ missed: false });
    await deliver();
    expect(numbers()).toEqual([1, 1, 1, 2]);
  });

  test("at once after a 410", async () => {
    await make();
    await add("a@lovelace.org");
    answers = [{ status: 410 }];
    await deliver();
    expect(await state()).toMatchObject({ offReason: "gone", failure: "It answered 410." });
  });

  test("for staff, and reports missed events when it is switched on too late", async () => {
    const { id } = await make();
    await switchEndpoint(ctx(), { ...of(), id, on: false });
    await add("a@lovelace.org");
    await deliver();
    expect(told).toEqual([]);
    await app.db.webhookEndpoint.updateMany({ data: { epoch: newId() } });
    expect(await switchEndpoint(ctx(), { ...of(), id, on: true })).toEqual({ missed: true });
    await add("b@lovelace.org");
    await deliver();
    expect(parsed().map(({ data }) => data.subscriber.email)).toEqual(["b@lovelace.org"]);
  });
});

test("removes erased people from messages and events", async () => {
  const { id } = await make();
  const { subscriberId } = await add("ada@lovelace.org");
  await deliver();
  answers = [{ status: 500, body: "ada@lovelace.org is unknown here" }];
  await change(subscriberId, { firstName: "Ada" });
  await deliver();
  await happen(app.db, "bounced", subscriberId, { reason: "<ada@lovelace.org> is unknown" });
  await erase(subscriberId);
  expect((await events()).map(({ about, detail }) => [about, detail])).toEqual([[subscriberId, {}]]);
  const kept = await app.db.webhookMessage.findMany({ where: { endpointId: id } });
  expect(kept).toHaveLength(2);
  // Whole words, because an id may have the letters "ada".
  expect(JSON.stringify(kept)).not.toMatch(/\bada\b|lovelace/i);
  await hurry();
  await deliver();
  const about = { data: { subscriber_id: subscriberId } };
  expect(parsed().at(-3)).toMatchObject({ number: 2, ...about });
  expect(types().slice(-2).sort()).toEqual(["subscriber.bounced", "subscriber.erased"]);
});

test("delivers an import's end after its people, and a bounce after its person", async () => {
  await make(["subscriber.created", "subscriber.bounced", "import.finished"]);
  // More people than are read at a time.
  await app.db.$transaction(async (tx) => {
    await addMany(110, tx);
    await happen(tx, "import.finished", null);
  });
  await app.db.$transaction(async (tx) => {
    const [person] = await addMany(1, tx);
    await happen(tx, "bounced", person as string);
  });
  await deliver();
  expect(numbers()).toEqual(Array.from({ length: 113 }, (_, i) => i + 1));
  const created = "subscriber.created";
  const later = ["import.finished", created, "subscriber.bounced"];
  expect(types()).toEqual([...Array(110).fill(created), ...later]);
});

test("leaves events that are not changes out of the change feed", async () => {
  await make();
  const { subscriberId } = await add("ada@lovelace.org");
  const { id } = newsletter;
  const { next } = await listChanges(app, { newsletterId: id, after: "now", limit: 1 });
  await happen(app.db, "bounced", subscriberId);
  expect((await listChanges(app, { newsletterId: id, after: next, limit: 10 })).records).toEqual([]);
  await change(subscriberId, { firstName: "Ada" });
  expect((await listChanges(app, { newsletterId: id, after: next, limit: 1 })).records).toMatchObject([
    { type: "updated" },
  ]);
  await deliver();
  expect(types()).toEqual(["subscriber.created", "subscriber.bounced", "subscriber.updated"]);
});

test("continues in a restored database whose transactions count from the beginning", async () => {
  await make();
  await app.db.webhookEndpoint.updateMany({ data: { epoch: newId(), xid: 2n ** 40n } });
  await add("a@lovelace.org");
  await deliver();
  const { subscriberId } = await add("b@lovelace.org");
  await happen(app.db, "bounced", subscriberId);
  await deliver();
  expect(parsed().map(({ type, data }) => [type, data.subscriber.email])).toEqual([
    ["subscriber.created", "b@lovelace.org"],
    ["subscriber.bounced", "b@lovelace.org"],
  ]);
});

test("ignores late attempts after a skip, a new URL or a switch-off", async () => {
  const { id } = await make();
  await add("a@lovelace.org");
  answers = [{ status: 500 }];
  await deliver();
  const late = { number: 1, answerStatus: 410, answer: "late", failure: "Late", waitSeconds: 3_600 };
  const known = { id, url };
  expect(await noteFailed(app.db, { ...known, url: "https://former.example/" }, late)).toBeNull();
  await skip(ctx(), { ...of(), id, number: 1 });
  expect(await noteFailed(app.db, known, late)).toBeNull();
  await switchEndpoint(ctx(), { ...of(), id, on: false });
  await repeat(ctx(), { ...of(), id, from: 1, to: 1 });
  expect(await noteFailed(app.db, known, late)).toBeNull();
  expect(await state()).toMatchObject({ offReason: "staff", nextTryAt: null, failure: "It answered 500." });
  expect(await getMessage(ctx(), { ...of(), id, number: 1 })).toMatchObject({
    attempts: 1,
    answerStatus: 500,
  });
});

test("lists messages about a person in their export", async () => {
  await make();
  const { subscriberId } = await add("ada@lovelace.org");
  await deliver();
  const exported = await exportPerson(ctx(), {
    newsletter: { ...newsletter, name: "Weekly" },
    id: subscriberId,
  });
  expect(exported.webhooks).toEqual([
    {
      ...{ to: new URL(url).host, type: "subscriber.created", state: "delivered" },
      ...{ createdAt: expect.any(Date), body: told[0]?.body },
    },
  ]);
});

describe("many endpoints", () => {
  const makeMany = async (count: number, to: string) => {
    for (let i = 0; i < count; i++) {
      if (i % 10 === 0) newsletter = await addNewsletter(app.db);
      await createEndpoint(ctx(), {
        ...of(),
        endpoint: { url: `${to}?${i}`, description: "", events: [...webhookEvents] },
      });
      if (i % 10 === 9) await addMany(30);
    }
  };

  test("move on while nothing happens", async () => {
    await makeMany(20, url);
    await app.db.subscriber.deleteMany();
    await app.db.$executeRaw`DELETE FROM changes`;
    // As if so many transactions had passed.
    const behind = { xid: -20_000n, subscriberId: LOWEST_ID };
    await app.db.webhookEndpoint.updateMany({ data: behind });
    await deliver();
    expect(await app.db.webhookEndpoint.count({ where: behind })).toBe(0);
  });

  test("the first one is served while the job already runs", async () => {
    const closing = new AbortController();
    const running = runWebhooks(app, { closing: closing.signal, stays: true });
    await make();
    await add("ada@example.com");
    await expect.poll(types, { timeout: 30_000 }).toEqual(["subscriber.created"]);
    closing.abort();
    await running;
  });

  test("all get a turn while others are busy", async () => {
    const asked = new Set<string>();
    const slow = createServer((request, response) => {
      request.resume();
      asked.add(request.url as string);
      setTimeout(() => response.writeHead(204).end(), 1_000);
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    await makeMany(20, `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`);
    const closing = new AbortController();
    const running = runWebhooks(app, { closing: closing.signal, stays: true });
    await expect.poll(() => asked.size, { timeout: 15_000 }).toBe(20);
    closing.abort();
    await running;
    slow.close();
  });
});

test("signs with both secrets for a day after a rotation", async () => {
  const { id, secret: old } = await make();
  const { secret: fresh } = await rotateSecret(ctx(), { ...of(), id });
  await add("a@lovelace.org");
  await deliver();
  const [{ body, headers } = { body: "", headers: {} }] = told;
  for (const secret of [old, fresh]) new Webhook(secret).verify(body, headers);
  await app.db.webhookEndpoint.updateMany({ data: { oldSecretUntil: new Date(Date.now() - 1_000) } });
  await add("b@lovelace.org");
  await deliver();
  const last = told.at(-1) as Told;
  new Webhook(fresh).verify(last.body, last.headers);
  expect(() => new Webhook(old).verify(last.body, last.headers)).toThrow();
});

test("stores secrets encrypted, and encrypts them again after a rotation of AUTH_SECRET", async () => {
  const { id, secret } = await make();
  const stored = await app.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  expect(stored.secret).not.toContain(secret.slice(6, 20));
  const deliverWith = (...authSecrets: [string, ...string[]]) =>
    runWebhooks({ ...app, authSecrets }, { closing: new AbortController().signal, stays: false });
  await add("a@lovelace.org");
  await deliverWith("quite another secret");
  expect(told).toEqual([]);
  expect((await state())?.failure).toMatch(/AUTH_SECRET.*Create a new secret/);
  await hurry();
  await deliverWith("quite another secret", app.authSecrets[0]);
  new Webhook(secret).verify((told[0] as Told).body, (told[0] as Told).headers);
  // Encrypted anew by then: the older one may go.
  await add("b@lovelace.org");
  await deliverWith("quite another secret");
  new Webhook(secret).verify((told[1] as Told).body, (told[1] as Told).headers);
});

test("skips the first message, and sends others again with their numbers and ids", async () => {
  const { id } = await make();
  for (const name of ["a", "b", "c"]) await add(`${name}@lovelace.org`);
  answers = [{ status: 500 }];
  await deliver();
  await expect(skip(ctx(), { ...of(), id, number: 2 })).rejects.toMatchObject({ code: "validation_error" });
  await skip(ctx(), { ...of(), id, number: 1 });
  await deliver();
  expect(numbers()).toEqual([1, 2, 3]);
  expect(await repeat(ctx(), { ...of(), id, from: 1, to: 2 })).toEqual({ count: 2 });
  await deliver();
  expect(numbers()).toEqual([1, 2, 3, 1, 2]);
  expect(told[3]?.id).toBe(told[0]?.id);
  const { items: messages, next: before } = await listMessages(ctx(), { ...of(), id, state: "delivered" });
  expect(messages.map(({ number }) => number)).toEqual([3, 2, 1]);
  expect(before).toBeNull();
});

test("sends a test at once, also while the endpoint is off, and reports its result", async () => {
  const { id, secret } = await make();
  await switchEndpoint(ctx(), { ...of(), id, on: false });
  answers = [{ status: 200, body: "fine" }, { status: 404 }];
  for (const [delivered, status, says] of [
    [true, 200, "The test was delivered: It answered 200."],
    [false, 404, "The test failed. It answered 404."],
  ])
    expect(await testEndpoint(ctx(), { ...of(), id })).toEqual({ delivered, status, says });
  new Webhook(secret).verify((told[0] as Told).body, (told[0] as Told).headers);
  expect(parsed()[0]).toMatchObject({ type: "test", number: 0 });
  expect((await listMessages(ctx(), { ...of(), id, state: null })).items).toEqual([]);
});

describe("staff", () => {
  test("do not overwrite each other's changes", async () => {
    const { id } = await make();
    const save = (description: string) =>
      saveEndpoint(ctx(), {
        ...of(),
        id,
        version: 1,
        endpoint: { url, description, events: [...webhookEvents] },
      });
    await save("First");
    await expect(save("Late")).rejects.toMatchObject({ errors: { version: [expect.any(String)] } });
    expect(await state()).toMatchObject({ description: "First", version: 2 });
  });

  test("reach no endpoint of another newsletter", async () => {
    const { id } = await make();
    const elsewhere = { newsletterId: (await addNewsletter(app.db)).id, accountId: newsletter.accountId, id };
    const endpoint = { url, description: "", events: [...webhookEvents] };
    for (const tried of [
      () => saveEndpoint(ctx(), { ...elsewhere, version: 1, endpoint }),
      () => switchEndpoint(ctx(), { ...elsewhere, on: false }),
      () => rotateSecret(ctx(), elsewhere),
      () => removeEndpoint(ctx(), elsewhere),
      () => testEndpoint(ctx(), elsewhere),
      () => repeat(ctx(), { ...elsewhere, from: 1, to: 9 }),
      () => retryMessage(ctx(), { ...elsewhere, number: 1 }),
      () => patchEndpoint(ctx(), { ...elsewhere, patch: { enabled: false } }),
      () => skip(ctx(), { ...elsewhere, number: 1 }),
      () => getMessage(ctx(), { ...elsewhere, number: 1 }),
    ])
      await expect(tried()).rejects.toMatchObject({ code: "not_found" });
    const message = { number: 1, id: newId(), type: "import.finished", body: "{}", createdAt: new Date() };
    await app.db.webhookMessage.create({ data: { endpointId: id, ...message } });
    expect((await listMessages(ctx(), { ...of(), id, state: null })).items).toHaveLength(1);
    expect((await listMessages(ctx(), { ...elsewhere, state: null })).items).toEqual([]);
    expect(await state()).toMatchObject({ offReason: null, version: 1 });
  });

  test("remove an endpoint with its log", async () => {
    const { id } = await make();
    await add("a@lovelace.org");
    await deliver();
    await removeEndpoint(ctx(), { ...of(), id });
    expect(await app.db.webhookMessage.count({ where: { endpointId: id } })).toBe(0);
    const entries = await app.db.auditEntry.findMany({ where: { subjectId: id } });
    expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
      ["webhook.created", { name: new URL(url).host }],
      ["webhook.removed", { name: new URL(url).host }],
    ]);
  });
});

test("stores no events without an endpoint, and deletes old messages unless they are queued", async () => {
  await reported("bounced");
  expect(await events()).toEqual([]);
  const { id } = await make();
  await add("a@lovelace.org");
  await deliver();
  answers = [{ status: 500 }];
  await add("b@lovelace.org");
  await deliver();
  const long = new Date(Date.now() - 31 * 86_400_000);
  await app.db.webhookMessage.updateMany({ where: { endpointId: id }, data: { createdAt: long } });
  await happen(app.db, "import.finished", null);
  await app.db.change.updateMany({ data: { at: long } });
  await deleteExpired(app.db);
  const kept = await app.db.webhookMessage.findMany({ where: { endpointId: id } });
  expect(kept.map(({ number }) => number)).toEqual([2]);
  await switchEndpoint(ctx(), { ...of(), id, on: false });
  await deleteExpired(app.db);
  expect(await app.db.webhookMessage.count({ where: { endpointId: id } })).toBe(0);
  expect(await events()).toEqual([]);
});
