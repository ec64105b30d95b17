import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { payloadOf, type WebhookType } from "../../e2e/fixtures/fake-resend-webhooks";
import { newId } from "../kernel/ids";
import { confirmByLink, renewLink } from "../subscribers/confirmations";
import { app, openHttpAppForTests } from "../test/http-app";
import { addLinkedPerson, addNewsletter } from "../test/linked-person";
import { handleResendWebhook, maxWebhookBytes } from "./resend-webhook";

const KEY = Buffer.from("a key for webhooks, of our own");

openHttpAppForTests({ RESEND_WEBHOOK_SECRET: `whsec_${KEY.toString("base64")}` });
let newsletterId: string;

beforeEach(async () => {
  newsletterId = (await addNewsletter(app.db)).id;
});

/** Adds a person with a confirmation email that the provider has accepted. */
async function mailed(email?: string) {
  const person = await addLinkedPerson(app.db, newsletterId, { ...(email && { email }) });
  const providerId = newId();
  const sent = { state: "sent", providerId, batchId: newId(), batchPosition: 0, finishedAt: new Date() };
  const text = { html: "<p>", text: "t", subject: "s" };
  await app.db.mail.update({ where: { id: person.mailId }, data: { ...sent, ...text } });
  return { ...person, providerId };
}

type Signing = { id?: string; key?: Buffer };

async function post(body: string, { id = newId(), key = KEY }: Signing = {}, at = app) {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64")}`;
  const headers = { "svix-id": id, "svix-timestamp": time, "svix-signature": signature };
  const request = new Request("http://localhost/api/webhooks/resend", { method: "POST", body, headers });
  const response = await handleResendWebhook(at, request, null);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const bodyOf = (id: string, type: WebhookType, more: Record<string, unknown> = {}) => {
  const mail = { id, to: "x@list.example", from: "y@list.example", subject: "s", at: "2026-11-20T00:00:00Z" };
  return JSON.stringify(payloadOf(mail, type, more));
};
const report = (providerId: string, type: WebhookType, more?: Record<string, unknown>) =>
  post(bodyOf(providerId, type, more));

const mailOf = (id: string) => app.db.mail.findUniqueOrThrow({ where: { id } });
const countReports = (providerId: string) => app.db.mailReport.count({ where: { providerId } });
const suppressions = () =>
  app.db.suppression.findMany({ where: { newsletterId }, select: { email: true, reason: true } });

describe("a request", () => {
  test("with a wrong signature is rejected, and nothing is changed", async () => {
    const { providerId, mailId } = await mailed();
    const key = Buffer.from("another key that is long");
    const answer = await post(bodyOf(providerId, "email.bounced"), { key });
    expect([answer.status, answer.body.success, answer.body.code]).toEqual([401, false, "unauthorized"]);
    expect(answer.headers.get("www-authenticate")).toBeNull();
    expect(await mailOf(mailId)).toMatchObject({ bouncedAt: null });
    expect(await countReports(providerId)).toBe(0);
  });

  test("over 1 MB is rejected", async () => {
    const large = await post(`{"a":"${"x".repeat(maxWebhookBytes)}"}`);
    expect([large.status, large.body.code]).toEqual([413, "payload_too_large"]);
    expect((await post(`{"a":"${"x".repeat(maxWebhookBytes - 100)}"}`)).status).toBe(200);
  });

  test("with another method, or without a secret of ours, is rejected", async () => {
    const get = await handleResendWebhook(app, new Request("http://localhost/api/webhooks/resend"), null);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const answer = await post("{}", {}, { ...app, webhookSecrets: async () => null });
    expect([answer.status, answer.body.message]).toEqual([
      404,
      expect.stringContaining("RESEND_WEBHOOK_SECRET"),
    ]);
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
  test("of a delivery that arrives 20 times at once is written to its mail once", async () => {
    const { providerId, mailId } = await mailed();
    const body = bodyOf(providerId, "email.delivered");
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body, { id: "msg_same" })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(await mailOf(mailId)).toMatchObject({
      state: "sent",
      bouncedAt: null,
      deliveredAt: new Date(JSON.parse(body).created_at),
    });
    expect(await countReports(providerId)).toBe(1);
    expect(await app.db.mailReport.count({ where: { providerId, appliedAt: null } })).toBe(0);
  });

  test("of an unknown mail is accepted and not stored", async () => {
    const providerId = newId();
    expect((await report(providerId, "email.bounced")).status).toBe(200);
    expect(await countReports(providerId)).toBe(0);
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

describe("a bounce", () => {
  const bounce = (type: string, message: string) => ({ bounce: { type, subType: "General", message } });

  test("suppresses the address, and only the mail keeps the reason", async () => {
    const { providerId, mailId } = await mailed("Ada@Lovelace.org");
    const message = "550 5.1.1\r\n ada@lovelace.org:  user unknown";
    await report(providerId, "email.bounced", bounce("Permanent", message));
    expect(await mailOf(mailId)).toMatchObject({
      state: "sent",
      bounceReason: "550 5.1.1 ada@lovelace.org: user unknown",
    });
    expect(await suppressions()).toEqual([{ email: "Ada@Lovelace.org", reason: "bounced" }]);
    expect(await app.db.mailReport.findMany({ where: { providerId } })).toMatchObject([{ detail: null }]);
  });

  test.each(["Transient", "Undetermined"])("of the type %s suppresses nothing", async (type) => {
    const { providerId, mailId } = await mailed();
    await report(providerId, "email.bounced", bounce(type, "full"));
    expect(await mailOf(mailId)).toMatchObject({ bounceReason: "full" });
    expect(await suppressions()).toEqual([]);
  });

  test("is assumed for an address that Resend suppresses", async () => {
    const { providerId } = await mailed();
    await report(providerId, "email.suppressed");
    expect(await suppressions()).toMatchObject([{ reason: "bounced" }]);
  });

  test("ends when the person confirms by the link, or asks for a new link", async () => {
    const ctx = { ...app, actor: { kind: "link", address: null } as const, requestId: "t" };
    const [confirming, asking] = [await mailed(), await mailed()];
    for (const { providerId } of [confirming, asking]) await report(providerId, "email.bounced");
    expect(await suppressions()).toHaveLength(2);
    expect(await confirmByLink(ctx, confirming)).toMatchObject({ done: true, linkStatus: "active" });
    const expiresAt = new Date(Date.now() - 1000);
    await app.db.mail.update({ where: { id: asking.mailId }, data: { linkExpiresAt: expiresAt } });
    expect(await renewLink(ctx, { ...asking, expiresAt })).toMatchObject({ done: true });
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
  for (const type of ["email.bounced", "email.complained", "email.bounced"] as const)
    await report(providerId, type);
  expect(await suppressions()).toEqual([{ email: "ada@lovelace.org", reason: "complained" }]);
  await app.db.suppression.updateMany({ where: { newsletterId }, data: { reason: "denied" } });
  await report(providerId, "email.complained");
  expect(await suppressions()).toMatchObject([{ reason: "denied" }]);
});
