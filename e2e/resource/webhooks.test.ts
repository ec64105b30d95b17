import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeChangePosition } from "../../server/events/schema/changes";
import { newId } from "../../server/kernel/ids";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

openApiForTests({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" });

const WEBHOOKS = "/api/v1/webhooks";
const HOOK = {
  url: "http://127.0.0.1:9/hooks/a-secret",
  events: ["subscriber.confirmed"],
  description: "Shop",
};
const create = (more: object = {}, headers = {}) => ask("POST", WEBHOOKS, { ...HOOK, ...more }, headers);
/** Creates one. @returns its path and record */
const made = async (more: object = {}) => {
  const { data } = (await create(more)).json;
  return { path: `${WEBHOOKS}/${data.id}`, data };
};
const list = async () => (await ask("GET", WEBHOOKS)).json.data;
const audit = () =>
  api.at.sql(
    `SELECT action, actor_kind || ' ' || actor_id AS actor, detail FROM audit_entries
     WHERE newsletter_id = $1 AND action LIKE 'webhook.%' ORDER BY id`,
    [tenant.newsletterId],
  );
/** Listens, and answers with this status. @returns the URL and the received requests */
async function listen(status: number) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push(JSON.parse(body));
    response.writeHead(status).end("an internal page");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

describe("a signing secret", () => {
  it("is in the answers of create and rotate only, and is stored encrypted", async () => {
    const { status, json } = await create();
    expect(status).toBe(201);
    const { secret, ...record } = json.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toMatchObject({
      ...HOOK,
      enabled: true,
      off_reason: null,
      waiting: 0,
      delivered_at: null,
    });
    const path = `${WEBHOOKS}/${record.id}`;
    const rotated = await ask("POST", `${path}/secret`);
    expect(rotated.json.data).toEqual({ ...record, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.json.data.secret).not.toBe(secret);
    for (const answer of [
      await ask("GET", path),
      await ask("GET", WEBHOOKS),
      await ask("PUT", path, { description: "Shop" }),
      await ask("GET", `${path}/messages`),
      await ask("DELETE", path),
    ])
      expect([answer.status, answer.text.includes("whsec_")]).toEqual([200, false]);
    const actor = `key ${tenant.keyId}`;
    const detail = { name: "127.0.0.1:9" };
    const actions = ["created", "rotated", "changed", "removed"];
    expect(await audit()).toEqual(actions.map((action) => ({ action: `webhook.${action}`, actor, detail })));
  });

  it("is repeated for an Idempotency-Key, whose saved answer is encrypted", async () => {
    const headers = { "Idempotency-Key": "one" };
    const first = await create({}, headers);
    const repeated = await create({}, headers);
    expect([repeated.text, repeated.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
    expect(await list()).toHaveLength(1);
    const [saved] = await api.at.sql<{ body: string }>(
      "SELECT body FROM idempotent_answers WHERE api_key_id = $1",
      [tenant.keyId],
    );
    const { secret, id } = first.json.data;
    for (const text of [saved?.body, Buffer.from(saved?.body ?? "", "base64").toString("latin1")])
      for (const hidden of [secret.slice(6, 20), id, "whsec"]) expect(text).not.toContain(hidden);
    // The saved answer is read with the older of two secrets, and lost without it.
    const [known] = api.app.authSecrets;
    onTestFinished(() => void Object.assign(api.app, { authSecrets: [known] }));
    Object.assign(api.app, { authSecrets: ["another secret of many characters", known] });
    expect((await create({}, headers)).text).toBe(first.text);
    Object.assign(api.app, { authSecrets: ["another secret of many characters"] });
    expect((await create({}, headers)).json.code).toBe("idempotency_key_reused");
  });
});

it.each<[string, object, string, RegExp]>([
  ["no url", { url: undefined }, "url", /must be text/],
  ["another type of url", { url: ["https://shop.example.org/"] }, "url", /must be text/],
  ["no full url", { url: "shop.example.org" }, "url", /starting with https/],
  ["a private address", { url: "https://10.0.0.1/" }, "url", /not a public internet address/],
  ["cloud metadata", { url: "https://169.254.169.254/latest" }, "url", /not a public internet address/],
  ["a number as address", { url: "https://0xa000001/" }, "url", /not a public internet address/],
  ["http to a public address", { url: "http://93.184.216.34/" }, "url", /Use https/],
  ["a password", { url: "https://me:pass@shop.example.org/" }, "url", /user name and password/],
  ["a file", { url: "file:///etc/passwd" }, "url", /starting with https/],
  ["no events", { events: [] }, "events", /at least one event/],
  ["events as text", { events: "subscriber.created" }, "events", /array of event names/],
  ["an unknown event", { events: ["subscriber.opened"] }, "events", /one of subscriber\.created/],
  ["a description of two lines", { description: "a\nb" }, "description", /line break/],
  ["a long description", { description: "x".repeat(101) }, "description", /at most 100/],
  ["a garbled position", { after: "abc" }, "after", /pagination\.next/],
  [
    "a position without a real id",
    { after: writeChangePosition({ epoch: newId(), xid: "1", id: "-".repeat(36) }) },
    "after",
    /pagination\.next/,
  ],
  [
    "a position of another history",
    { after: writeChangePosition({ epoch: newId(), xid: "1", id: newId() }) },
    "after",
    /restored or moved.*newer position/,
  ],
])("rejects %s with its field", async (_, more, field, message) => {
  const { status, json } = await create(more);
  expect([status, json.code]).toEqual([422, "validation_error"]);
  expect(json.errors).toEqual({ [field]: [expect.stringMatching(message)] });
  expect(await list()).toEqual([]);
});

it("rejects a position ahead of the present or older than 30 days, and accepts one in between", async () => {
  const known: string = (await ask("GET", "/api/v1/changes?after=now")).json.pagination.next;
  const place = Buffer.from(known, "base64url").toString().split(".");
  const [epoch, xid, id] = place as [string, string, string];
  const ahead = writeChangePosition({ epoch, xid: String(BigInt(xid) + 1_000_000n), id });
  expect((await create({ after: ahead })).json.errors.after).toEqual([expect.stringContaining("restored")]);
  expect((await create({ after: known })).status).toBe(201);
  const [{ floor } = { floor: "" }] = await api.at.sql<{ floor: string }>("SELECT floor FROM change_epoch");
  const setFloor = (to: string) => api.at.sql("UPDATE change_epoch SET floor = $1", [to]);
  onTestFinished(async () => void (await setFloor(floor)));
  await setFloor(String(BigInt(xid) + 1n));
  expect((await create({ after: known })).json.errors.after).toEqual([expect.stringContaining("30 days")]);
  expect(await list()).toHaveLength(1);
});

it("allows ten webhooks for each newsletter", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 422, 422]);
  const { errors } = answers.find(({ status }) => status === 422)?.json ?? {};
  expect(errors.url).toEqual([expect.stringContaining("at most 10 webhooks")]);
});

it("changes the given members, turns a webhook off and on, and rejects a body that changes nothing", async () => {
  const { path } = await made();
  const put = async (json: unknown) => (await ask("PUT", path, json)).json;
  const events = ["subscriber.created", "import.finished"];
  expect((await put({ events })).data).toMatchObject({ ...HOOK, events });
  expect((await put({ enabled: false })).data).toMatchObject({
    enabled: false,
    off_reason: "manual",
    events,
  });
  expect((await put({ enabled: false, description: "" })).data).toMatchObject({
    enabled: false,
    description: "",
  });
  expect((await put({ enabled: true })).data).toMatchObject({ enabled: true, off_reason: null });
  expect((await put({})).errors.body).toEqual([expect.stringMatching(/url, events, description, enabled/)]);
  expect((await put({ enabled: "no" })).errors).toEqual({ enabled: [expect.any(String)] });
  // A change that is refused leaves the rest as it was, too.
  expect((await put({ url: "https://10.0.0.1/", enabled: false })).errors.url).toHaveLength(1);
  expect((await list())[0]).toMatchObject({ url: HOOK.url, enabled: true });
  expect((await audit()).map(({ action }) => action)).toEqual(
    ["created", "changed", "off", "changed", "on"].map((act) => `webhook.${act}`),
  );
});

it("sends a test, and tells its result without the answer's text", async () => {
  for (const status of [204, 500]) {
    const { url, received } = await listen(status);
    const { path } = await made({ url });
    const { json, text } = await ask("POST", `${path}/test`);
    expect(json.data).toMatchObject({ delivered: status === 204, status });
    expect(text).not.toContain("internal page");
    expect(received).toMatchObject([{ type: "test" }]);
  }
  const { path } = await made();
  expect((await ask("POST", `${path}/test`)).json.data).toMatchObject({ delivered: false, status: null });
});

describe("messages", () => {
  const fill = async (id: string, states: string[]) => {
    for (const [i, state] of states.entries())
      await api.at.sql(
        `INSERT INTO webhook_messages (endpoint_id, number, id, type, body, state, answer, answer_status)
         VALUES ($1, $2, $3, 'subscriber.created', '{"email":"ada@lovelace.org"}', $4, 'Hello ada@', 204)`,
        [id, i + 1, newId(), state],
      );
  };

  it("are listed newest first in pages, by state, without bodies", async () => {
    const { path, data } = await made();
    await fill(data.id, ["delivered", "skipped", "delivered", "waiting"]);
    const first = await ask("GET", `${path}/messages?limit=3`);
    expect(first.json.data.map(({ number }: { number: number }) => number)).toEqual([4, 3, 2]);
    expect(first.text).not.toContain("ada@");
    const rest = await ask("GET", `${path}/messages?limit=3&cursor=${first.json.pagination.next_cursor}`);
    expect(rest.json).toMatchObject({
      data: [{ number: 1, state: "delivered", status: 204, type: "subscriber.created" }],
      pagination: { limit: 3, next_cursor: null },
    });
    const delivered = (await ask("GET", `${path}/messages?state=delivered`)).json.data;
    expect(delivered.map(({ number }: { number: number }) => number)).toEqual([3, 1]);
    expect((await ask("GET", `${path}/messages?state=lost`)).status).toBe(400);
    expect((await ask("GET", `${WEBHOOKS}/${newId()}/messages`)).status).toBe(404);
  });

  it("are sent again, or at once if they wait; unknown ones are 404", async () => {
    const { path, data } = await made();
    await fill(data.id, ["delivered", "skipped", "waiting"]);
    await api.at.sql("UPDATE webhook_endpoints SET next_try_at = now() + interval '1 hour' WHERE id = $1", [
      data.id,
    ]);
    const retry = (number: string | number) => ask("POST", `${path}/messages/${number}/retry`);
    for (const number of [1, 2])
      expect((await retry(number)).json.data).toMatchObject({ number, state: "waiting" });
    expect((await list())[0]).toMatchObject({ waiting: 3, next_attempt_at: expect.any(String) });
    expect((await retry(3)).json.data).toMatchObject({ number: 3, state: "waiting" });
    expect((await list())[0]).toMatchObject({ waiting: 3, next_attempt_at: null });
    for (const unknown of [4, 0, -1, "1e0", "01", 2 ** 31, "9".repeat(30), "x", ""])
      expect((await retry(unknown)).status).toBe(404);
    expect((await audit()).map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.repeated",
      "webhook.repeated",
    ]);
  });
});

it("a key of another newsletter sees and changes no webhook", async () => {
  const { path, data } = await made();
  await api.at.sql(
    `INSERT INTO webhook_messages (endpoint_id, number, id, type, body) VALUES ($1, 1, $2, 'import.finished', '{}')`,
    [data.id, newId()],
  );
  const before = await api.at.sql("SELECT * FROM webhook_endpoints WHERE id = $1", [data.id]);
  const { key: stranger } = await api.at.tenant();
  const tried: [string, string, unknown?][] = [
    ["GET", path],
    ["PUT", path, { url: "http://127.0.0.1:9/theirs" }],
    ["PUT", path, { enabled: false }],
    ["POST", `${path}/test`],
    ["POST", `${path}/secret`],
    ["GET", `${path}/messages`],
    ["POST", `${path}/messages/1/retry`],
    ["DELETE", path],
  ];
  for (const [method, where, json] of tried) {
    const { status, text } = await api.ask(stranger, method, where, { json });
    expect([method, where, status]).toEqual([method, where, 404]);
    expect(text).not.toMatch(/hooks|whsec/);
  }
  expect((await api.ask(stranger, "GET", WEBHOOKS)).json.data).toEqual([]);
  expect(await api.at.sql("SELECT * FROM webhook_endpoints WHERE id = $1", [data.id])).toEqual(before);
});

it("a path with a literal segment is not taken for one with parameters", async () => {
  const { path } = await made();
  expect((await ask("GET", `${path}/messages/1/retry`)).status).toBe(405);
  for (const unknown of [
    `${path}/messages/1`,
    `${path}/1/messages/retry`,
    `${WEBHOOKS}/x`,
    `${SUBSCRIBERS}/x`,
  ])
    expect((await ask("GET", unknown)).status).toBe(404);
});
