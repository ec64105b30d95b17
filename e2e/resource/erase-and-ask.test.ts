import { expect, it } from "vitest";
import { recipientHash } from "../../server/mail/recipient-hash";
import { api, ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

openApiForTests();

const create = async (json: object) => {
  const answer = await ask("POST", SUBSCRIBERS, json);
  expect(answer.status).toBe(201);
  return answer.json.data.id as string;
};
const rows = () => api.at.list(tenant.newsletterId);
const mails = () => api.at.mails(tenant.newsletterId);
const audit = () =>
  api.at.sql(
    "SELECT action, actor_kind, subject_id FROM audit_entries WHERE newsletter_id = $1 AND action LIKE 'people.%'",
    [tenant.newsletterId],
  );

it("DELETE with erase=true erases a person: no row, no email, a suppressed digest, and an audit entry", async () => {
  const ada = { email: "ada@lovelace.org", name: "Ada", tags: ["vip"] };
  const id = await create({ ...ada, status: "pending" });
  const path = `${SUBSCRIBERS}/${id}`;
  const erased = await ask("DELETE", `${path}?erase=true&include=tags`);
  expect([erased.status, erased.json.data]).toEqual([
    200,
    { id, ...ada, status: "unsubscribed", created_at: expect.any(String) },
  ]);
  expect([await rows(), await mails()]).toEqual([[], []]);
  const suppressions = await ask("GET", `${SUPPRESSIONS}?email=ada@lovelace.org`);
  expect(suppressions.json.data).toMatchObject([{ email: null, reason: "manual", source: "api" }]);
  expect((await ask("POST", SUBSCRIBERS, { email: "ada@lovelace.org" })).json.code).toBe("email_suppressed");
  expect(await audit()).toEqual([{ action: "people.erase", actor_kind: "key", subject_id: id }]);
  expect((await ask("DELETE", `${path}?erase=true`)).status).toBe(404);
});

it("erase takes true or false, and erase=false unsubscribes", async () => {
  const path = `${SUBSCRIBERS}/${await create({ email: "ada@lovelace.org" })}`;
  expect((await ask("DELETE", `${path}?erase=yes`)).status).toBe(400);
  expect((await ask("DELETE", `${path}?erase=false`)).json.data.status).toBe("unsubscribed");
  expect(await rows()).toMatchObject([{ status: "unsubscribed" }]);
});

it("sends another confirmation: queued, waiting, deferred within the minute, or an error for an active person", async () => {
  const id = await create({ email: "active@example.org" });
  const path = `${SUBSCRIBERS}/${id}`;
  const resend = async () => (await ask("POST", `${path}/confirmation`)).json;
  const rejected = await resend();
  expect([rejected.code, Object.keys(rejected.errors)]).toEqual(["validation_error", ["status"]]);

  await ask("DELETE", path);
  expect((await resend()).data).toEqual({ status: "queued", next_at: null });
  expect(await rows()).toMatchObject([{ status: "pending" }]);
  expect((await resend()).data).toEqual({ status: "waiting", next_at: null });
  expect(await mails()).toHaveLength(1);

  const deleteMails = () => api.at.sql("DELETE FROM mails WHERE newsletter_id = $1", [tenant.newsletterId]);
  // As if the email had been sent long ago.
  await deleteMails();
  await api.at.sql("DELETE FROM mail_throttle");
  expect((await resend()).data).toEqual({ status: "queued", next_at: null });
  // Asking a pending person again is audited.
  expect(await audit()).toEqual([{ action: "people.confirm", actor_kind: "key", subject_id: id }]);
  // As if the email had been sent just now.
  await deleteMails();
  await api.at.sql(
    "INSERT INTO mail_throttle (recipient_hash, allowed_at) SELECT throttle_digest($1), ARRAY[now()] ON CONFLICT (recipient_hash) DO UPDATE SET allowed_at = ARRAY[now()]",
    [recipientHash("active@example.org")],
  );
  const before = Date.now();
  const { status, next_at } = (await resend()).data;
  expect(status).toBe("deferred");
  expect(Math.abs(Date.parse(next_at) - before - 60_000)).toBeLessThan(10_000);
  expect(await mails()).toEqual([]);
});
