import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, SUBSCRIBERS } from "../contract/client";
import { outboxIsEmpty } from "./mails";
import { mountOf, openSite } from "./site";

const SECRET = `whsec_${Buffer.from("what Resend shows once, by us").toString("base64")}`;

let site: Awaited<ReturnType<typeof openSite>>;

beforeAll(async () => {
  site = await openSite({ database: "shared", settings: { RESEND_WEBHOOK_SECRET: SECRET } });
  site.fake.webhook({ url: `${site.first.url}/api/webhooks/resend`, secret: SECRET });
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

it("an email that Resend reports as delivered is shown as delivered", async () => {
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
