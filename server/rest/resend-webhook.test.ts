import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { payloadOf, type WebhookType } from "../../e2e/fixtures/fake-resend-webhooks";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import { confirmByLink, renewLink } from "../subscribers/confirmations";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { handleResendWebhook, maxWebhookBytes } from "./resend-webhook";

const KEY = Buffer.from("a key for webhooks, of our own");
const SECRET = `whsec_${KEY.toString("base64")}`;

let database: TestDatabase;
let app: AppContext;
/** The app under test; another one without a secret. */
let current: AppContext;
let newsletterId: string;

const open = (url: string, secret = SECRET) => {
  const config = loadConfig({ LOG_LEVEL: "silent", RESEND_WEBHOOK_SECRET: secret });
  return createApp(config, url, ["a secret for tests that is long enough"], makeLog(config));
};

beforeAll(async () => {
  database = await createTestDatabase();
  app = await open(database.url);
  current = app;
});
beforeEach(async () => {
  newsletterId = (await addNewsletter(app.db)).id;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Adds a person with a confirmation email that the provider has accepted. */
async function mailed(email?: string) {
  const person = await addLinkedPerson(app.db, newsletterId, { ...(email && { email }) });
  const providerId = newId();
  await app.db.mail.update({
    where: { id: person.mailId },
    data: {
      state: "sent",
      providerId,
      batchId: newId(),
      batchPosition: 0,
      html: "<p>",
      text: "t",
      subject: "s",
      finishedAt: new Date(),
    },
  });
  return { ...person, providerId };
}

type Signing = { id?: string; key?: Buffer };

async function post(body: string, { id = newId(), key = KEY }: Signing = {}) {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
  const signed = { "svix-id": id, "svix-timestamp": time, "svix-signature": signature };
  const response = await handleResendWebhook(
    current,
    new Request("http://localhost/api/webhooks/resend", { method: "POST", body, headers: signed }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function report(
  providerId: string,
  type: WebhookType,
  more: Record<string, unknown> = {},
  signing: Signing = {},
) {
  const mail = {
    id: providerId,
    to: "x@list.example",
    from: "y@list.example",
    subject: "s",
    at: "2026-11-20T00:00:00Z",
  };
  return post(JSON.stringify(payloadOf(mail, type, more)), signing);
}

const mailOf = (id: string) => app.db.mail.findUniqueOrThrow({ where: { id } });
const suppressions = () =>
  app.db.suppression.findMany({ where: { newsletterId }, select: { email: true, reason: true } });

describe("a request", () => {
  test("with a wrong signature is rejected, and nothing is changed", async () => {
    const { providerId, mailId } = await mailed();
    const answer = await report(
      providerId,
      "email.bounced",
      {},
      { key: Buffer.from("another key that is long") },
    );
    expect([answer.status, answer.body.success, answer.body.code]).toEqual([401, false, "unauthorized"]);
    expect(answer.headers.get("www-authenticate")).toBeNull();
    expect(await mailOf(mailId)).toMatchObject({ bouncedAt: null });
    expect(await app.db.mailReport.count({ where: { providerId } })).toBe(0);
  });

  test("over 1 MB is rejected", async () => {
    const large = await post(`{"a":"${"x".repeat(maxWebhookBytes)}"}`);
    expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
    expect((await post(`{"a":"${"x".repeat(maxWebhookBytes - 100)}"}`)).status).toBe(200);
  });

  test("with another method, or without a secret of ours, is rejected", async () => {
    const get = await handleResendWebhook(current, new Request("http://localhost/api/webhooks/resend"));
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const without = await open(database.url, "");
    current = without;
    const answer = await report(newId(), "email.delivered");
    expect([answer.status, answer.body.message]).toEqual([
      404,
      expect.stringContaining("RESEND_WEBHOOK_SECRET"),
    ]);
    current = app;
    await without.close();
  });

  test("with a valid signature and an unknown event is accepted and changes nothing", async () => {
    expect((await post("{")).status).toBe(400);
    const contact = { type: "contact.created", created_at: "x", data: { id: "1" } };
    for (const body of ["[]", "null", '{"type":"email.delivered"}', JSON.stringify(contact)])
      expect((await post(body)).status).toBe(200);
    const { providerId, mailId } = await mailed();
    const before = await mailOf(mailId);
    for (const type of ["email.sent", "email.opened"] as const)
      expect((await report(providerId, type)).status).toBe(200);
    expect(await mailOf(mailId)).toEqual(before);
  });
});

describe("a report", () => {
  test("of a delivery is written to its mail once, in any order of reports", async () => {
    const { providerId, mailId } = await mailed();
    const first = "2026-11-20T10:00:05.000Z";
    const id = newId();
    const delivered = JSON.stringify({ ...payloadOfDelivered(providerId), created_at: first });
    for (let i = 0; i < 3; i++) expect((await post(delivered, { id })).status).toBe(200);
    // A repeated report, and a late report of a delay.
    await report(providerId, "email.delivered");
    await report(providerId, "email.delivery_delayed");
    const mail = await mailOf(mailId);
    expect(mail).toMatchObject({ state: "sent", bouncedAt: null });
    expect(mail.deliveredAt?.toISOString()).toBe(first);
    expect(mail.delayedAt).not.toBeNull();
    expect(await app.db.mailReport.count({ where: { providerId, appliedAt: null } })).toBe(0);
    expect(await app.db.mailReport.count({ where: { providerId } })).toBe(3);
  });

  test("that arrives 20 times at once counts once", async () => {
    const { providerId, mailId } = await mailed();
    const body = JSON.stringify(payloadOfDelivered(providerId));
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body, { id: "msg_same" })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect((await mailOf(mailId)).deliveredAt).not.toBeNull();
    expect(await app.db.mailReport.count({ where: { providerId } })).toBe(1);
  });

  test("of an unknown mail is accepted and not stored", async () => {
    const providerId = newId();
    expect((await report(providerId, "email.bounced")).status).toBe(200);
    expect(await app.db.mailReport.count({ where: { providerId } })).toBe(0);
  });

  test("of a failure marks a mail as failed, unless it was delivered", async () => {
    const [failed, arrived] = [await mailed(), await mailed()];
    await report(failed.providerId, "email.failed");
    await report(arrived.providerId, "email.delivered");
    await report(arrived.providerId, "email.failed");
    expect(await mailOf(failed.mailId)).toMatchObject({
      state: "failed",
      errorCode: "provider_failed",
      errorMessage: expect.stringContaining("reached_daily_quota"),
    });
    expect(await mailOf(arrived.mailId)).toMatchObject({ state: "sent", errorCode: null });
  });
});

const payloadOfDelivered = (providerId: string) =>
  payloadOf(
    { id: providerId, to: "x@y.org", from: "a@b.org", subject: "s", at: "2026-11-20T00:00:00Z" },
    "email.delivered",
  );

describe("a bounce", () => {
  const ctx = () => ({
    db: app.db,
    outbox: app.outbox,
    actor: { kind: "link", address: null } as const,
    requestId: "t",
  });

  test("suppresses the address, and only the mail keeps the reason", async () => {
    const { providerId, mailId } = await mailed("Ada@Lovelace.org");
    await report(providerId, "email.bounced", {
      bounce: {
        type: "Permanent",
        subType: "General",
        message: "550 5.1.1\r\n ada@lovelace.org:  user unknown",
      },
    });
    expect(await mailOf(mailId)).toMatchObject({
      state: "sent",
      bounceReason: "550 5.1.1 ada@lovelace.org: user unknown",
    });
    expect(await suppressions()).toEqual([{ email: "Ada@Lovelace.org", reason: "bounced" }]);
    expect(await app.db.mailReport.findMany({ where: { providerId }, select: { detail: true } })).toEqual([
      { detail: null },
    ]);
  });

  test.each(["Transient", "Undetermined"])("of the type %s suppresses nothing", async (type) => {
    const { providerId, mailId } = await mailed();
    await report(providerId, "email.bounced", { bounce: { type, subType: "MailboxFull", message: "full" } });
    expect(await mailOf(mailId)).toMatchObject({ bounceReason: "full" });
    expect(await suppressions()).toEqual([]);
  });

  test("is assumed for an address that Resend suppresses", async () => {
    const { providerId } = await mailed();
    await report(providerId, "email.suppressed");
    expect(await suppressions()).toMatchObject([{ reason: "bounced" }]);
  });

  test("ends when the person confirms by the link", async () => {
    const claims = await mailed();
    await report(claims.providerId, "email.bounced");
    expect(await confirmByLink(ctx(), claims)).toMatchObject({ done: true, linkStatus: "active" });
    expect(await suppressions()).toEqual([]);
  });

  test("ends when the person asks for a new link", async () => {
    const person = await mailed();
    await report(person.providerId, "email.bounced");
    const past = new Date(Date.now() - 1000);
    await app.db.mail.update({ where: { id: person.mailId }, data: { linkExpiresAt: past } });
    expect(await renewLink(ctx(), { ...person, expiresAt: past })).toMatchObject({ done: true });
    expect(await suppressions()).toEqual([]);
  });

  test("suppresses the address of the mail, not the person's new address", async () => {
    const { providerId, subscriberId } = await mailed("old@lovelace.org");
    await app.db.subscriber.updateMany({
      where: { id: subscriberId },
      data: { email: "new@lovelace.org", emailCanonical: "new@lovelace.org" },
    });
    await report(providerId, "email.bounced");
    expect(await suppressions()).toEqual([{ email: "old@lovelace.org", reason: "bounced" }]);
  });
});

test("a complaint outranks a bounce, and a denial outranks both", async () => {
  const { providerId } = await mailed("ada@lovelace.org");
  await report(providerId, "email.bounced");
  await report(providerId, "email.complained");
  expect(await suppressions()).toEqual([{ email: "ada@lovelace.org", reason: "complained" }]);
  await report(providerId, "email.bounced");
  expect(await suppressions()).toMatchObject([{ reason: "complained" }]);
  await app.db.suppression.updateMany({ where: { newsletterId }, data: { reason: "denied" } });
  await report(providerId, "email.complained");
  expect(await suppressions()).toMatchObject([{ reason: "denied" }]);
});
