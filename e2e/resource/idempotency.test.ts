import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Api, openApi } from "./app";

const PATH = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

const createAs = (key: string, idempotencyKey: string, email = "ada@lovelace.org") =>
  api.ask(key, "POST", PATH, { json: { email }, headers: { "Idempotency-Key": idempotencyKey } });

it("repeats of a finished request get the first answer, however many come at once", async () => {
  const { key, newsletterId } = await api.at.tenant();
  for (let round = 0; round < 10; round++) {
    const ask = () => createAs(key, `round ${round}`, `round-${round}@lovelace.org`);
    const first = await ask();
    await sleep(100);
    const repeats = await Promise.all(Array.from({ length: 10 }, ask));
    for (const { status, text, headers } of repeats)
      expect([status, text, headers["idempotency-replayed"]]).toEqual([201, first.text, "true"]);
  }
  expect(await api.at.list(newsletterId)).toHaveLength(10);
});

it("a stored answer is returned even while another request holds the lock; without one it is 409", async () => {
  const { key, keyId } = await api.at.tenant();
  const holder = new Client({ connectionString: api.databaseUrl });
  await holder.connect();
  try {
    const lock = (idempotencyKey: string) =>
      holder.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [
        `${keyId} POST ${PATH} ${idempotencyKey}`,
      ]);
    const first = await createAs(key, "finished");
    await lock("finished");
    const again = await createAs(key, "finished");
    expect([again.status, again.text, again.headers["idempotency-replayed"]]).toEqual([
      201,
      first.text,
      "true",
    ]);
    const other = await createAs(key, "finished", "grace@navy.mil");
    expect([other.status, other.json.code]).toEqual([422, "idempotency_key_reused"]);

    await lock("running");
    const early = await createAs(key, "running", "grace@navy.mil");
    expect([early.status, early.json.code, early.headers["retry-after"]]).toEqual([
      409,
      "idempotency_conflict",
      "1",
    ]);
  } finally {
    await holder.end();
  }
  expect((await createAs(key, "running", "grace@navy.mil")).status).toBe(201);
});
