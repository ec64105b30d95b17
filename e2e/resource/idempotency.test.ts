import { Client } from "pg";
import { expect, it } from "vitest";
import { api, ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

const BULK = `${SUBSCRIBERS}/bulk`;
const ADA = { email: "ada@lovelace.org", status: "pending" };

openApiForTests();

const send = (idempotencyKey: string, json: unknown, path = SUBSCRIBERS, key = tenant.key) =>
  api.ask(key, "POST", path, { json, headers: { "Idempotency-Key": idempotencyKey } });
const outcome = async (answer: ReturnType<typeof send>) => {
  const { status, text, headers } = await answer;
  return [status, text, headers["idempotency-replayed"]];
};
const emails = async () => (await api.at.list(tenant.newsletterId)).map(({ email }) => email);

it.each<[string, string, unknown, number]>([
  ["a create", SUBSCRIBERS, ADA, 201],
  ["an update", `${SUBSCRIBERS}?on_duplicate=update`, ADA, 201],
  ["a bulk and what it skipped", `${BULK}?on_duplicate=skip`, [ADA, { email: "ADA@lovelace.org" }], 201],
  ["opt-outs", SUPPRESSIONS, [{ email: "out@lovelace.org", reason: "manual" }], 201],
])("repeats the answer of %s byte for byte, and changes nothing", async (_, path, json, status) => {
  const first = await send("one", json, path);
  expect([first.status, first.headers["idempotency-replayed"]]).toEqual([status, undefined]);
  const tables = ["subscribers", "suppressions", "mails", "subscriber_events"];
  for (const table of tables)
    await api.at.sql(`DELETE FROM ${table} WHERE newsletter_id = $1`, [tenant.newsletterId]);
  expect(await outcome(send("one", json, path))).toEqual([status, first.text, "true"]);
  for (const table of tables)
    expect(await api.at.sql(`SELECT FROM ${table} WHERE newsletter_id = $1`, [tenant.newsletterId])).toEqual(
      [],
    );
});

it("repeats email_already_subscribed even after the person is gone", async () => {
  await ask("POST", SUBSCRIBERS, ADA);
  const first = await send("one", ADA);
  expect(first.json.code).toBe("email_already_subscribed");
  await api.at.sql("DELETE FROM subscribers WHERE newsletter_id = $1", [tenant.newsletterId]);
  expect(await outcome(send("one", ADA))).toEqual([422, first.text, "true"]);
});

it("keeps no other error, so that the request can be repeated once its cause is gone", async () => {
  await ask("POST", SUBSCRIBERS, ADA);
  expect((await send("one", [ADA], BULK)).json.code).toBe("validation_error");
  await api.at.sql("DELETE FROM subscribers WHERE newsletter_id = $1", [tenant.newsletterId]);
  const again = await send("one", [ADA], BULK);
  expect([again.status, again.headers["idempotency-replayed"]]).toEqual([201, undefined]);
});

it("rejects another request: another body, even with the same meaning, or another query", async () => {
  await send("one", ADA);
  const padded = { raw: ` ${JSON.stringify(ADA)}`, headers: { "Idempotency-Key": "one" } };
  for (const { status, json } of [
    await send("one", { email: "eve@lovelace.org" }),
    await api.ask(tenant.key, "POST", SUBSCRIBERS, padded),
    await send("one", ADA, `${SUBSCRIBERS}?on_duplicate=update`),
  ])
    expect([status, json.code]).toEqual([422, "idempotency_key_reused"]);
  expect(await emails()).toEqual([ADA.email]);
});

it("belongs to one API key and one path", async () => {
  const colleague = await api.at.addKey(tenant.newsletterId);
  await send("one", { email: "a@lovelace.org" });
  await send("one", [{ email: "b@lovelace.org" }], BULK);
  await send("one", { email: "c@lovelace.org" }, SUBSCRIBERS, colleague.secret);
  expect(await emails()).toHaveLength(3);
});

it("lasts 24 hours", async () => {
  const age = (interval: string) =>
    api.at.sql("UPDATE idempotent_answers SET created_at = now() - $2::interval WHERE api_key_id = $1", [
      tenant.keyId,
      interval,
    ]);
  await send("one", ADA);
  await age("23 hours 59 minutes");
  expect((await send("one", ADA)).headers["idempotency-replayed"]).toBe("true");
  await age("24 hours 1 second");
  const other = { email: "bob@lovelace.org" };
  const fresh = await send("one", other);
  expect([fresh.status, fresh.headers["idempotency-replayed"]]).toEqual([201, undefined]);
  expect(await outcome(send("one", other))).toEqual([201, fresh.text, "true"]);
});

it("has 1 to 255 printable ASCII characters; any other is 400 and writes nothing", async () => {
  for (const bad of ["", "x".repeat(256), "é", "a\tb", "\x80"])
    for (const [path, json] of [
      [SUBSCRIBERS, ADA],
      [BULK, [ADA]],
    ] as const) {
      const { status, json: answer } = await send(bad, json, path);
      const errors = { "Idempotency-Key": [expect.stringContaining("1 to 255 printable ASCII")] };
      expect([status, answer.errors]).toEqual([400, errors]);
    }
  expect(await emails()).toEqual([]);
  for (const [i, good] of ["!", "x".repeat(255), "a b ~", "'; DROP TABLE subscribers; --"].entries())
    expect((await send(good, { email: `ada${i}@lovelace.org` })).status).toBe(201);
});

it("a stored answer is returned even while another request holds the lock; without one it is 409", async () => {
  const holder = new Client({ connectionString: api.databaseUrl });
  await holder.connect();
  try {
    const lock = (idempotencyKey: string) =>
      holder.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
        `${tenant.keyId} POST ${SUBSCRIBERS} ${idempotencyKey}`,
      ]);
    const first = await send("finished", ADA);
    await lock("finished");
    expect(await outcome(send("finished", ADA))).toEqual([201, first.text, "true"]);
    expect((await send("finished", { email: "grace@navy.mil" })).json.code).toBe("idempotency_key_reused");
    await lock("running");
    const early = await send("running", { email: "grace@navy.mil" });
    expect([early.status, early.json.code, early.headers["retry-after"]]).toEqual([
      409,
      "idempotency_conflict",
      "1",
    ]);
  } finally {
    await holder.end();
  }
  const status = async () => (await send("running", { email: "grace@navy.mil" })).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(201);
});
