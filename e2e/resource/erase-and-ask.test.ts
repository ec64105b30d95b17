import { afterAll, beforeAll, expect, it } from "vitest";
import { recipientHash } from "../../server/mail/recipient-hash";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

const create = async (key: string, json: object) => {
  const answer = await api.ask(key, "POST", SUBSCRIBERS, { json });
  expect(answer.status).toBe(201);
  return answer.json.data as { id: string };
};
const audit = (newsletterId: string) =>
  api.at.sql(
    "SELECT action, actor_kind, subject_id FROM audit_entries WHERE newsletter_id = $1 AND action LIKE 'people.%'",
    [newsletterId],
  );

it("DELETE with erase=true erases a person: no row, no email, a suppressed digest, and an audit entry", async () => {
  const { key, newsletterId } = await api.at.tenant();
  const { id } = await create(key, {
    email: "ada@lovelace.org",
    name: "Ada",
    status: "pending",
    tags: ["vip"],
  });
  const path = `${SUBSCRIBERS}/${id}`;
  const erased = await api.ask(key, "DELETE", `${path}?erase=true&include=tags`);
  expect([erased.status, erased.json.data]).toEqual([
    200,
    {
      id,
      email: "ada@lovelace.org",
      name: "Ada",
      status: "unsubscribed",
      created_at: expect.any(String),
      tags: ["vip"],
    },
  ]);
  expect(await api.at.list(newsletterId)).toEqual([]);
  expect(await api.at.mails(newsletterId)).toEqual([]);
  const suppressions = await api.ask(key, "GET", "/api/v1/suppressions?email=ada@lovelace.org");
  expect(suppressions.json.data).toMatchObject([{ email: null, reason: "manual", source: "api" }]);
  expect((await api.ask(key, "POST", SUBSCRIBERS, { json: { email: "ada@lovelace.org" } })).json.code).toBe(
    "email_suppressed",
  );
  expect(await audit(newsletterId)).toEqual([{ action: "people.erase", actor_kind: "key", subject_id: id }]);
  expect((await api.ask(key, "DELETE", `${path}?erase=true`)).status).toBe(404);
});

it("erase takes true or false, and erase=false unsubscribes", async () => {
  const { key, newsletterId } = await api.at.tenant();
  const { id } = await create(key, { email: "ada@lovelace.org" });
  const erase = (value: string) => api.ask(key, "DELETE", `${SUBSCRIBERS}/${id}?erase=${value}`);
  expect((await erase("yes")).status).toBe(400);
  expect((await erase("false")).json.data.status).toBe("unsubscribed");
  expect(await api.at.list(newsletterId)).toMatchObject([{ id, status: "unsubscribed" }]);
});

it("sends another confirmation: queued, waiting, deferred within the minute, or an error for an active person", async () => {
  const { key, newsletterId } = await api.at.tenant();
  const ask = (id: string) => api.ask(key, "POST", `${SUBSCRIBERS}/${id}/confirmation`);
  const active = await create(key, { email: "active@example.org" });
  const rejected = await ask(active.id);
  expect([rejected.status, rejected.json.code, Object.keys(rejected.json.errors)]).toEqual([
    422,
    "validation_error",
    ["status"],
  ]);

  await api.ask(key, "DELETE", `${SUBSCRIBERS}/${active.id}`);
  const left = await ask(active.id);
  expect([left.status, left.json.data]).toEqual([200, { status: "queued", next_at: null }]);
  expect(await api.at.list(newsletterId)).toMatchObject([{ status: "pending" }]);
  expect((await ask(active.id)).json.data).toEqual({ status: "waiting", next_at: null });
  expect(await api.at.mails(newsletterId)).toHaveLength(1);

  // As if the email had been sent long ago.
  await api.at.sql("DELETE FROM mails WHERE newsletter_id = $1", [newsletterId]);
  await api.at.sql("DELETE FROM mail_throttle");
  expect((await ask(active.id)).json.data).toEqual({ status: "queued", next_at: null });
  await api.at.sql("DELETE FROM mails WHERE newsletter_id = $1", [newsletterId]);
  expect(await audit(newsletterId)).toEqual([
    { action: "people.confirm", actor_kind: "key", subject_id: active.id },
  ]);
  const before = Date.now();
  await api.at.sql(
    "INSERT INTO mail_throttle (recipient_hash, allowed_at) SELECT throttle_digest($1), ARRAY[now()] ON CONFLICT (recipient_hash) DO UPDATE SET allowed_at = ARRAY[now()]",
    [recipientHash("active@example.org")],
  );
  const deferred = (await ask(active.id)).json.data;
  expect(deferred.status).toBe("deferred");
  const nextAt = Date.parse(deferred.next_at);
  expect(nextAt).toBeGreaterThan(before + 50_000);
  expect(nextAt).toBeLessThan(before + 70_000);
  expect(await api.at.mails(newsletterId)).toEqual([]);

  expect((await ask("01a1fab8-221d-73cc-bf6f-88bbf811ce3c")).status).toBe(404);
});
