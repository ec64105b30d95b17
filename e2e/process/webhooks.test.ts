import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, SUBSCRIBERS } from "../contract/client";
import { outboxIsEmpty } from "./mails";
import { mountOf, openSite, until } from "./site";

const SECRET = `whsec_${Buffer.from("what Resend shows once, by us").toString("base64")}`;

let site: Awaited<ReturnType<typeof openSite>>;
let endpoint: string;

beforeAll(async () => {
  site = await openSite({ database: "shared", settings: { RESEND_WEBHOOK_SECRET: SECRET } });
  endpoint = `${site.first.url}/api/webhooks/resend`;
  site.fake.webhook({ url: endpoint, secret: SECRET });
});
afterAll(() => site?.close());

/** Adds a pending person and waits until Resend has their mail. */
async function mailed(email: string) {
  const json = { email, status: "pending" };
  const answer = await ask(mountOf(site.first), { key: site.key, path: SUBSCRIBERS, json });
  expect(answer.status).toBe(201);
  await outboxIsEmpty(site);
  const mail = site.fake.mails.find((one) => [one.to].flat().includes(email));
  return mail as { id: string };
}

const rowOf = async (email: string) =>
  (
    await site.sql("SELECT state, delivered_at, bounced_at, bounce_reason FROM mails WHERE to_email = $1", [
      email,
    ])
  )[0];

it("a mail that Resend reports as delivered says so", async () => {
  const mail = await mailed("ada@lovelace.org");
  const sent = await site.fake.report(mail, "email.delivered");
  expect([sent.status, JSON.parse(sent.text)]).toEqual([200, { success: true, data: {} }]);
  expect(await rowOf("ada@lovelace.org")).toMatchObject({
    state: "sent",
    delivered_at: expect.any(Date),
    bounced_at: null,
  });
  expect((await site.fake.report(mail, "email.delivered", {}, { id: sent.id })).status).toBe(200);
});

it("an address that bounced for good is not mailed again", async () => {
  const bounce = { type: "Permanent", subType: "General", message: "550 no such user" };
  const mail = await mailed("grace@navy.mil");
  expect((await site.fake.report(mail, "email.bounced", { bounce })).status).toBe(200);
  expect(await rowOf("grace@navy.mil")).toMatchObject({ bounce_reason: "550 no such user" });
  const [person] = await site.sql<{ id: string }>(
    "SELECT id FROM subscribers WHERE email = 'grace@navy.mil'",
  );
  const path = `${SUBSCRIBERS}/${person?.id}`;
  const headers = { authorization: `Bearer ${site.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ status: "pending" });
  expect((await fetch(site.first.url + path, { method: "DELETE", headers })).ok).toBe(true);
  const asked = await fetch(site.first.url + path, { method: "PUT", headers, body });
  expect([asked.status, Object.keys((await asked.json()).errors)]).toEqual([422, ["status"]]);
  expect(site.fake.mails.filter((one) => [one.to].flat().includes("grace@navy.mil"))).toHaveLength(1);
});

it("reports of all new mails by themselves, in any order, leave each delivered", async () => {
  site.fake.webhook({ url: endpoint, secret: SECRET }, true);
  await Promise.all(Array.from({ length: 20 }, (_, i) => mailed(`auto${i}@lovelace.org`)));
  await until("all delivered", async () => {
    const rows = await site.sql(
      "SELECT 1 FROM mails WHERE to_email LIKE 'auto%' AND delivered_at IS NOT NULL",
    );
    return rows.length === 20;
  });
  site.fake.webhook({ url: endpoint, secret: SECRET });
});

it("what is not Resend's, too old or too large is rejected with an envelope; a mail that is not ours is taken", async () => {
  const { fake } = site;
  expect((await fake.report({ id: "unknown" }, "email.bounced")).status).toBe(200);
  const late = await fake.report(
    { id: "x" },
    "email.bounced",
    {},
    { at: Math.floor(Date.now() / 1000) - 3600 },
  );
  expect([late.status, JSON.parse(late.text)]).toMatchObject([401, { success: false, code: "unauthorized" }]);
  const unsigned = await fetch(endpoint, { method: "POST", body: "{}" });
  expect([unsigned.status, await unsigned.json()]).toMatchObject([
    401,
    { success: false, code: "unauthorized" },
  ]);
  const large = await fetch(endpoint, { method: "POST", body: "x".repeat(1024 * 1024 + 1) });
  expect([large.status, await large.json()]).toMatchObject([
    413,
    { success: false, code: "payload_too_large" },
  ]);
  const get = await fetch(endpoint);
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
});
