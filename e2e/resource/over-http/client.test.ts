// The JavaScript client of clients/js against the built product. A gate before the product fails as networks do.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  AlreadySubscribedError,
  batches,
  type Change,
  ConnectionError,
  errorClasses,
  ForbiddenError,
  IdempotencyError,
  NotFoundError,
  RateLimitError,
  type RequestOptions,
  type Retry,
  Rollcall,
  RollcallError,
  type Subscriber,
  SuppressedError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  verifyWebhook,
  WebhookSignatureError,
} from "../../../clients/js/index.js";
import { writeChangePosition } from "../../../server/events/schema/changes";
import { restStatuses } from "../../../server/kernel/error-codes";
import { projectRoot } from "../../../server/kernel/project-root";
import { createTestDatabase, type TestDatabase } from "../../../server/test/database";
import type { Product } from "../../../server/test/product";
import { documentValidator } from "../../contract/document";
import { type Installation, openInstallation, type Tenant } from "../../contract/installation";
import { people } from "../../contract/stage";
import { NO_LIMITS, startContract } from "../../contract/start";

const SOON = { timeout: 30_000 };

type Asked = { method: string; url: string; headers: IncomingMessage["headers"]; at: number };
/** Answers a request in place of the product. `pass` has the product handle it. */
type Turn = (response: ServerResponse, pass: () => Promise<Response>) => unknown;

let database: TestDatabase;
let product: Product;
let at: Installation;
let gate: Server;
let gateUrl: string;
/** What happens to the next requests at the gate. Later ones reach the product. */
let turns: Turn[] = [];
let asked: Asked[] = [];
let tenant: Tenant;
let rollcall: Rollcall;
/** Operations that a client called with success. */
const called = new Set<string>();

async function answerAtGate(request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "", headers } = request;
  asked.push({ method, url, headers, at: performance.now() });
  const body = Buffer.concat(await request.toArray());
  const { host: _, connection: _c, "content-length": _l, "transfer-encoding": _t, ...passed } = headers;
  const pass = () =>
    fetch(product.url + url, {
      method,
      headers: passed as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
  const turn = turns.shift();
  if (turn) return turn(response, pass);
  const answer = await pass();
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

const clientOf = (key: string, options: RequestOptions & { url?: string } = {}) =>
  new Rollcall({
    ...{ url: product.url, key },
    onResponse: ({ ok }, { method, url }) => ok && called.add(`${method} ${new URL(url).pathname}`),
    ...options,
  });
/** A client whose requests go through the gate. */
const atGate = (options: RequestOptions = {}) => clientOf(tenant.key, { url: gateUrl, ...options });

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openInstallation(database.url);
  const env = { ...NO_LIMITS, RATE_LIMIT_ME: "1/s", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" };
  product = await startContract({ ...env, DATABASE_URL: database.url });
  gate = createServer((request, response) => void answerAtGate(request, response).catch(() => {}));
  await once(gate.listen(0, "127.0.0.1"), "listening");
  gateUrl = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  [turns, asked] = [[], []];
  tenant = await at.tenant();
  rollcall = clientOf(tenant.key);
});
afterAll(async () => {
  gate?.closeAllConnections();
  gate?.close();
  await product?.stop();
  await at?.close();
  await database?.drop();
});

/** Returns the error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<RollcallError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RollcallError);
  return error as RollcallError;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const emails = (list: { email: string }[]) => list.map(({ email }) => email);
const fails =
  (status: number, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response.writeHead(status, headers).end("<h1>not now</h1>");
const breaks: Turn = (response) => response.socket?.destroy();
/** The product handles the request, and its response is lost. */
const loses: Turn = async (response, pass) => {
  await pass();
  response.socket?.destroy();
};

describe("subscribers", () => {
  it("are created, read by id and address, changed, asked, linked, unsubscribed and erased", async () => {
    const { subscribers } = rollcall;
    const ada = await subscribers.create({ email: "ada+1@example.org", status: "pending", tags: ["vip"] });
    expect(ada).toMatchObject({ email: "ada+1@example.org", status: "pending", name: "" });
    expect(await subscribers.get(ada.id, { include: ["fields", "tags"] })).toMatchObject({
      tags: ["vip"],
      fields: {},
    });
    expect(await subscribers.get("ADA+1@example.org")).toEqual(ada);
    expect(await subscribers.update("ada+1@example.org", { name: "Ada King" })).toMatchObject({
      name: "Ada King",
    });
    expect(await subscribers.replace(ada.id, { ...ada, name: "Ada" })).toMatchObject({ name: "Ada" });
    expect((await subscribers.resendConfirmation(ada.id)).status).toMatch(/^(queued|waiting|deferred)$/);
    const { unsubscribe } = await subscribers.links(ada.id);
    expect(unsubscribe).toContain("/unsubscribe/");
    const unknown = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
    expect(await subscribers.linksOf([ada.id, unknown])).toMatchObject({
      links: [{ id: ada.id, unsubscribe }],
      skipped: [{ index: 1, id: unknown }],
    });
    expect((await all(subscribers.activity(ada.id))).at(-1)).toMatchObject({ type: "created" });
    expect(await subscribers.unsubscribe(ada.id)).toMatchObject({ status: "unsubscribed" });
    expect(await subscribers.erase(ada.id)).toMatchObject({ id: ada.id });
    expect(await at.list(tenant.newsletterId)).toEqual([]);
  });

  it("are checked by a dry run without being stored", async () => {
    const { valid } = await rollcall.subscribers.create({ email: "ada@example.org" }, { dry_run: true });
    expect(valid).toBe(true);
    expect(await at.list(tenant.newsletterId)).toEqual([]);
  });

  it("are created by the hundred: all or none, or without those on the list", async () => {
    const { created } = await rollcall.subscribers.createMany(people(100));
    expect(emails(created)).toEqual(emails(people(100)));
    const error = await errorOf(rollcall.subscribers.createMany([...people(2), { email: "nobody" }]));
    expect(error.items.map(({ index, code }) => `${index} ${code}`)).toEqual([
      "0 already_subscribed",
      "1 already_subscribed",
      expect.stringMatching(/^2 /),
    ]);
    const result = await rollcall.subscribers.createMany(people(101).slice(-2), { on_duplicate: "skip" });
    expect([emails(result.created), result.skipped]).toEqual([
      ["person-101@example.org"],
      [{ index: 0, email: "person-100@example.org", reason: "already_subscribed" }],
    ]);
  });

  it("are created in any number, and each result names its place in the whole list", async () => {
    await rollcall.subscribers.createMany([
      { email: "person-150@example.org" },
      { email: "left@example.org" },
    ]);
    async function* rows() {
      for (const person of people(230)) yield { ...person, line: 7 };
      yield { email: "no address", line: 231 };
      yield { email: "left@example.org", line: 232 };
    }
    const results = await all(rollcall.subscribers.createAll(rows(), { on_duplicate: "skip" }));
    expect(results.map(({ created }) => created.length)).toEqual([100, 99, 30]);
    expect(results.flatMap(({ skipped }) => skipped.map(({ index }) => index))).toEqual([149, 231]);
    expect(results.flatMap(({ invalid }) => invalid)).toMatchObject([
      { index: 230, field: "email", item: { line: 231 } },
    ]);
    expect(await at.list(tenant.newsletterId)).toHaveLength(231);

    const [names] = await all(
      rollcall.subscribers.createAll([{ email: "left@example.org", name: "Lee" }], {
        on_duplicate: "update",
      }),
    );
    expect(names?.updated).toMatchObject([{ name: "Lee" }]);
    const [none] = await all(rollcall.subscribers.createAll([{ email: "left@example.org" }]));
    expect(none).toMatchObject({ created: [], invalid: [{ index: 0, code: "already_subscribed" }] });
  });

  it("are read in pages until the last one", async () => {
    await rollcall.subscribers.createMany(people(25));
    await rollcall.subscribers.unsubscribe("person-7@example.org");
    const list = rollcall.subscribers.list({ sort: "created_at", limit: 10, status: "active" });
    expect(emails(await all(list))).toEqual(emails(people(25)).toSpliced(6, 1));
    const pages = await all(list.pages());
    expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 4]);
    const { data, pagination } = await list.page();
    expect([data.length, pagination.total]).toEqual([10, 24]);
    const numbered = rollcall.subscribers.list({ sort: "created_at", limit: 10, page: 2 });
    expect((await numbered.page()).pagination).toMatchObject({ page: 2, pages: 3 });
    expect(emails(await all(numbered))).toEqual(emails(people(25)).slice(10));
    // Iteration without a limit takes the largest page.
    const alone = atGate();
    expect(await all(alone.subscribers.list())).toHaveLength(25);
    expect(asked.map(({ url }) => url)).toEqual(["/api/v1/subscribers?limit=1000"]);
  });

  it("are found by their fields", async () => {
    await rollcall.fields.create({ key: "city", type: "text" });
    await rollcall.subscribers.create({ email: "ada@example.org", fields: { city: "Köln & Bonn" } });
    await rollcall.subscribers.create({ email: "bob@example.org", fields: { city: "Bonn" } });
    const list = rollcall.subscribers.list({ field: { city: "Köln & Bonn" }, search: undefined });
    expect(emails(await all(list))).toEqual(["ada@example.org"]);
  });

  it("are streamed as records and as CSV, as far as they are wanted", async () => {
    const odd = "Zoë 𝛑 \u2028 “O'Brien”".replace("\u2028", "");
    await rollcall.subscribers.create({ email: "first@example.org", name: odd });
    for (let i = 0; i < 5; i++) await rollcall.subscribers.createMany(people(100, `part-${i}`));
    const streamed = await all(rollcall.subscribers.stream({ sort: "created_at", include: "tags" }));
    expect(streamed).toHaveLength(501);
    expect(streamed[0]).toMatchObject({
      email: "first@example.org",
      name: odd.trim().replace(/ +/g, " "),
      tags: [],
    });
    const csv = (await all(rollcall.subscribers.csv({ sort: "created_at" }))).join("");
    expect(csv.trim().split("\n")).toHaveLength(502);
    const taken: Subscriber[] = [];
    for await (const one of rollcall.subscribers.stream()) {
      taken.push(one);
      if (taken.length === 3) break;
    }
    expect(taken).toHaveLength(3);
  });
});

describe("the feed of changes", () => {
  const types = (changes: Change[]) =>
    changes.map(({ type, subscriber }) => `${type} ${subscriber?.email.split("@")[0]}`);

  it("is listed until now, from a position", async () => {
    await rollcall.subscribers.createMany(people(30));
    const position = await rollcall.changes.position();
    expect(await all(rollcall.changes.list({ limit: 20 }))).toHaveLength(30);
    await rollcall.subscribers.unsubscribe("person-1@example.org");
    expect(types(await all(rollcall.changes.list({ after: position })))).toEqual(["unsubscribed person-1"]);
  });

  it("is followed after a copy, and again from the saved position: nothing is lost, and a page that was not finished comes again", async () => {
    await rollcall.subscribers.createMany(people(3));
    let saved: string | undefined;
    const copied: string[] = [];
    const seen: string[] = [];
    const copy = async () => {
      for await (const { email } of rollcall.subscribers.stream({ sort: "created_at" })) copied.push(email);
      await rollcall.subscribers.createMany(people(3, "during"));
    };
    const follow = (signal?: AbortSignal) =>
      rollcall.changes.follow(
        { load: () => saved, save: (position) => (saved = position), copy },
        { signal },
      );
    // The reader fails at the second change of the page.
    await expect(
      (async () => {
        for await (const change of follow()) {
          seen.push(...types([change]));
          if (seen.length === 2) throw new Error("disk full");
        }
      })(),
    ).rejects.toThrow("disk full");
    expect(copied).toEqual(emails(people(3)));
    expect(seen).toEqual(["created during-1", "created during-2"]);

    const stop = new AbortController();
    seen.length = 0;
    const following = (async () => {
      for await (const change of follow(stop.signal)) seen.push(...types([change]));
    })();
    await expect.poll(() => seen.length, SOON).toBe(3);
    await rollcall.subscribers.update("person-1@example.org", { name: "Ada" });
    await expect.poll(() => seen.at(-1), SOON).toBe("updated person-1");
    stop.abort();
    await following;
    expect(seen).toEqual(["created during-1", "created during-2", "created during-3", "updated person-1"]);
    expect(copied).toHaveLength(3);

    await rollcall.subscribers.unsubscribe("person-2@example.org");
    for await (const change of follow()) {
      expect(types([change])).toEqual(["unsubscribed person-2"]);
      break;
    }
  });

  it("is copied again after a position that is no longer kept; without a copy, the error is thrown", async () => {
    const epoch = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
    const old = writeChangePosition({ epoch, xid: "7", id: epoch });
    const copies: string[] = [];
    const stop = new AbortController();
    const positions: string[] = [];
    const how = { load: () => old, save: (position: string) => positions.push(position) };
    const copy = () => {
      copies.push("copied");
      stop.abort();
    };
    expect(await all(rollcall.changes.follow({ ...how, copy }, { signal: stop.signal }))).toEqual([]);
    expect([copies.length, positions.length]).toEqual([1, 1]);
    const error = await errorOf(rollcall.changes.follow(how).next());
    expect([error.constructor, error.field]).toEqual([ValidationError, "after"]);
  });

  it("goes on after an outage that is longer than the repeats of a request", async () => {
    const stop = new AbortController();
    const retries: Retry[] = [];
    const client = atGate({ maxRetries: 1, signal: stop.signal, onRetry: (retry) => retries.push(retry) });
    await rollcall.subscribers.createMany(people(1));
    const seen: Change[] = [];
    const following = (async () => {
      for await (const change of client.changes.follow({ wait: 1 }, { signal: stop.signal }))
        seen.push(change);
    })();
    await expect.poll(() => seen.length, SOON).toBe(1);
    turns = [fails(502), breaks, fails(503, { "Retry-After": "1" }), breaks, fails(500)];
    await expect.poll(() => turns.length, SOON).toBe(0);
    await rollcall.subscribers.create({ email: "after@example.org" });
    await expect.poll(() => seen.length, SOON).toBe(2);
    stop.abort();
    await following;
    expect(retries.map(({ error, attempt }) => `${attempt} ${error.status || error.code}`)).toEqual([
      ...["1 502", "2 connection_failed", "3 503", "4 connection_failed", "5 500"],
    ]);
    turns = Array(3).fill(breaks);
    const first = atGate({ maxRetries: 1 }).changes.follow();
    expect(await errorOf(first.next())).toBeInstanceOf(ConnectionError);
  });
});

test("fields, segments, suppressions, statistics, the key and the document are read and changed", async () => {
  const { fields, segments, suppressions } = rollcall;
  await fields.create({ key: "city", type: "text", label: "City" });
  expect(await fields.update("city", { label: "Town" })).toMatchObject({ key: "city", label: "Town" });
  expect(await fields.list()).toMatchObject([{ label: "Town" }]);
  expect(await fields.delete("city")).toMatchObject({ key: "city" });
  expect(await segments.list()).toEqual([]);
  const [one] = await suppressions.create([{ email: "ada@example.org", reason: "manual" }]);
  expect(await all(suppressions.list())).toEqual([one]);
  expect(await suppressions.delete(one?.id ?? "")).toEqual(one);
  expect((await rollcall.stats({ days: 3 })).days).toHaveLength(3);
  expect((await rollcall.me()).newsletter.id).toBe(tenant.newsletterId);
  expect(await rollcall.openapi()).toMatchObject({ openapi: "3.1.0" });
});

describe("webhooks", () => {
  type Delivery = { body: string; headers: IncomingMessage["headers"] };
  let receiver: Server;
  let deliveries: Delivery[] = [];
  let hook: { url: string; events: ("subscriber.created" | "subscriber.erased")[] };
  beforeEach(async () => {
    deliveries = [];
    receiver = createServer(async (request, response) => {
      deliveries.push({ body: Buffer.concat(await request.toArray()).toString(), headers: request.headers });
      response.writeHead(204).end();
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    const { port } = receiver.address() as AddressInfo;
    hook = { url: `http://127.0.0.1:${port}/hook`, events: ["subscriber.created", "subscriber.erased"] };
    return () => receiver.close();
  });

  it("are created, changed, tested, listed with their messages, and deleted", async () => {
    const { webhooks } = rollcall;
    const { id, secret } = await webhooks.create(hook);
    expect(await webhooks.test(id)).toMatchObject({ delivered: true, status: 204 });
    expect(
      await verifyWebhook(deliveries[0]?.body ?? "", deliveries[0]?.headers ?? {}, secret),
    ).toMatchObject({
      type: "test",
      number: 0,
    });
    await rollcall.subscribers.create({ email: "ada@example.org" });
    const delivered = () => all(webhooks.messages(id, { state: "delivered" }));
    await expect.poll(async () => (await delivered()).length, SOON).toBe(1);
    expect(await webhooks.retry(id, 1)).toMatchObject({ number: 1, type: "subscriber.created" });
    await expect.poll(() => deliveries.length, SOON).toBe(3);
    const turned = await webhooks.rotateSecret(id);
    expect(turned.secret).not.toBe(secret);
    expect(await webhooks.update(id, { description: "Shop" })).toMatchObject({ description: "Shop" });
    expect(await webhooks.list()).toMatchObject([{ id, description: "Shop" }]);
    await webhooks.delete(id);
    expect(await errorOf(webhooks.get(id))).toBeInstanceOf(NotFoundError);
  });

  it("have messages that are verified with the secret, as text or bytes, with the headers of Node.js or of fetch", async () => {
    const { id, secret } = await rollcall.webhooks.create(hook);
    const { id: personId } = await rollcall.subscribers.create({ email: "zoe@example.org", name: "Zoë 𝛑" });
    await expect.poll(() => deliveries.length, SOON).toBe(1);
    const [{ body, headers } = { body: "", headers: {} }] = deliveries;
    const message = await verifyWebhook(body, headers, secret);
    expect(message).toMatchObject({ type: "subscriber.created", number: 1 });
    if (message.type === "subscriber.created" && "subscriber" in message.data)
      expect(message.data.subscriber).toMatchObject({ id: personId, name: "Zoë 𝛑" });
    else expect.unreachable();
    const ofFetch = new Headers(headers as Record<string, string>);
    expect(await verifyWebhook(Buffer.from(body), ofFetch, secret)).toEqual(message);

    const refused = async (text: string, given: Record<string, string>, by = secret) =>
      expect(await errorOf(verifyWebhook(text, { ...headers, ...given }, by))).toBeInstanceOf(
        WebhookSignatureError,
      );
    const signature = String(headers["webhook-signature"]);
    const seconds = Number(headers["webhook-timestamp"]);
    await refused(`${body} `, {});
    await refused(body, { "webhook-id": "msg_other" });
    await refused(body, { "webhook-timestamp": String(seconds + 1) });
    await refused(body, { "webhook-timestamp": "" });
    await refused(body, { "webhook-signature": "" });
    await refused(body, { "webhook-signature": signature.replace("v1,", "v1a,") });
    await refused(body, { "webhook-signature": "v1,*** v1, v2" });
    await refused(body, {}, `whsec_${Buffer.alloc(32).toString("base64")}`);
    const twice = { ...headers, "webhook-signature": `v1,${btoa("another")} ${signature}` };
    expect(await verifyWebhook(body, twice, secret)).toEqual(message);
    await expect(verifyWebhook(body, headers, "whsec_*")).rejects.toThrow(TypeError);

    // During a rotation, both secrets verify.
    const { secret: second } = await rollcall.webhooks.rotateSecret(id);
    await rollcall.subscribers.erase(personId);
    await expect.poll(() => deliveries.length, SOON).toBe(2);
    const last = deliveries[1] as Delivery;
    for (const one of [secret, second])
      expect(await verifyWebhook(last.body, last.headers, one)).toMatchObject({
        type: "subscriber.erased",
        data: { subscriber_id: personId },
      });
  });

  it("have signatures like the published ones, for five minutes before and after", async () => {
    type Vector = { secret: string; id: string; timestamp: string; body: string; signature: string };
    const file = join(projectRoot(), "e2e/vectors/webhook-signatures.json");
    const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(file, "utf8"));
    for (const { secret, id, timestamp, body, signature } of vectors) {
      const headers = { "Webhook-Id": id, "Webhook-Timestamp": timestamp, "Webhook-Signature": signature };
      for (const seconds of [-301, -300, 0, 300, 301]) {
        vi.useFakeTimers({ toFake: ["Date"], now: (Number(timestamp) + seconds) * 1000 });
        const verified = await verifyWebhook(body, headers, secret).then(
          (message) => message,
          (error: Error) => error.name,
        );
        vi.useRealTimers();
        expect(verified).toEqual(Math.abs(seconds) > 300 ? "WebhookSignatureError" : JSON.parse(body));
      }
    }
  });
});

describe("a repeat", () => {
  const createAda = (client: Rollcall) =>
    client.subscribers.create({ email: "ada@example.org", status: "pending" });
  const keysOf = () => new Set(asked.map(({ headers }) => headers["idempotency-key"]));
  const gaps = () => asked.slice(1).map((one, i) => one.at - (asked[i] as Asked).at);

  it("after a lost response creates nothing twice, because it has the same idempotency key", async () => {
    turns = [loses, loses, fails(502)];
    const ada = await createAda(atGate());
    expect(asked).toHaveLength(4);
    expect(keysOf().size).toBe(1);
    expect([...keysOf()][0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await at.list(tenant.newsletterId)).toMatchObject([{ id: ada.id }]);
    expect(await at.mails(tenant.newsletterId)).toHaveLength(1);
    await rollcall.subscribers.create({ email: "bob@example.org" });
    turns = [loses];
    const suppressed = await atGate().suppressions.create([{ email: "eve@example.org", reason: "manual" }]);
    expect(await all(rollcall.suppressions.list())).toEqual(suppressed);
    turns = [loses];
    const all100 = await all(atGate().subscribers.createAll(people(150), {}, { idempotencyKey: "sync" }));
    expect(all100.map(({ created }) => created.length)).toEqual([100, 50]);
    expect(asked.slice(-3).map(({ headers }) => headers["idempotency-key"])).toEqual([
      "sync-1",
      "sync-1",
      "sync-2",
    ]);
  });

  it("with the caller's own key gets the first result, also from another client", async () => {
    const options = { idempotencyKey: "order-7" };
    const first = await rollcall.subscribers.create({ email: "ada@example.org" }, {}, options);
    const replays: (string | null)[] = [];
    const onResponse = ({ headers }: Response) => replays.push(headers.get("idempotency-replayed"));
    const again = clientOf(tenant.key).subscribers.create(
      { email: "ada@example.org" },
      {},
      { ...options, onResponse },
    );
    expect(await again).toEqual(first);
    expect(replays).toEqual(["true"]);
  });

  it.each([
    ["seconds", () => "2"],
    ["a date", () => new Date(Date.now() + 3000).toUTCString()],
  ])("waits for Retry-After in %s after 429 and 503", async (_, retryAfter) => {
    const retries: Retry[] = [];
    for (const status of [429, 503]) {
      asked = [];
      turns = [fails(status, { "Retry-After": retryAfter() })];
      await atGate({ onRetry: (retry) => retries.push(retry) })
        .subscribers.list()
        .page();
      expect(gaps()[0]).toBeGreaterThan(1_900);
    }
    expect(retries).toMatchObject(
      [429, 503].map((status) => ({ error: { status }, attempt: 1, method: "GET" })),
    );
  });

  it("waits longer each time without Retry-After, and differently in each client", async () => {
    const waits = async () => {
      const found: number[] = [];
      turns = Array(4).fill(fails(503));
      await atGate({ onRetry: ({ waitMs }) => found.push(waitMs) }).segments.list();
      return found;
    };
    const [first, second] = [await waits(), await waits()];
    for (const found of [first, second])
      found.forEach((waitMs, i) => {
        expect(waitMs).toBeGreaterThanOrEqual(125 * 2 ** i);
        expect(waitMs).toBeLessThanOrEqual(250 * 2 ** i);
      });
    expect(first).not.toEqual(second);
  });

  it("waits out the product's own rate limit", async () => {
    const seen = new Set<number>();
    const client = clientOf(tenant.key, { onResponse: ({ status }) => seen.add(status) });
    const results = await Promise.all(Array.from({ length: 4 }, () => client.me()));
    expect(results.map(({ newsletter }) => newsletter.id)).toEqual(Array(4).fill(tenant.newsletterId));
    expect(seen).toEqual(new Set([200, 429]));
  });

  it("is not made after another error, a too long Retry-After, or too many failures", async () => {
    const attemptsOf = async (call: (client: Rollcall) => Promise<unknown>, options: RequestOptions = {}) => {
      asked = [];
      const error = await errorOf(call(atGate(options)));
      turns = [];
      return [error.status || error.code, asked.length];
    };
    expect(await attemptsOf((client) => client.subscribers.get("nobody@example.org"))).toEqual([404, 1]);
    turns = [fails(429, { "Retry-After": "121" })];
    expect(await attemptsOf((client) => client.segments.list())).toEqual([429, 1]);
    turns = Array(9).fill(breaks);
    expect(await attemptsOf((client) => client.segments.list(), { maxRetries: 2 })).toEqual([
      "connection_failed",
      3,
    ]);
    turns = Array(9).fill(fails(503));
    expect(await attemptsOf(createAda, { maxRetries: 1 })).toEqual([503, 2]);
    turns = [fails(503)];
    expect(await attemptsOf((client) => client.segments.list({ maxRetries: 0 }))).toEqual([503, 1]);
  });

  it("is not made of a POST that could act twice, except after 429", async () => {
    turns = [loses];
    const field = { key: "city", type: "text" as const };
    expect(await errorOf(atGate().fields.create(field))).toBeInstanceOf(ConnectionError);
    expect(asked).toHaveLength(1);
    expect(await rollcall.fields.list()).toHaveLength(1);
    turns = [fails(429, { "Retry-After": "0" })];
    expect(await atGate().fields.create({ ...field, key: "town" })).toMatchObject({ key: "town" });
    const { id } = await rollcall.subscribers.create({ email: "ada@example.org" });
    turns = [loses, loses];
    expect((await atGate().subscribers.links(id)).id).toBe(id);
    expect((await atGate().subscribers.update(id, { name: "Ada" })).name).toBe("Ada");
  });

  it("ends when the signal aborts, while it waits and while the request runs", async () => {
    const stop = new AbortController();
    turns = [fails(503, { "Retry-After": "60" })];
    const onRetry = () => stop.abort(new Error("shutting down"));
    await expect(atGate({ onRetry }).segments.list({ signal: stop.signal })).rejects.toThrow("shutting down");
    expect(asked).toHaveLength(1);
    const second = new AbortController();
    turns = [() => second.abort()];
    await expect(atGate().segments.list({ signal: second.signal })).rejects.toThrow(/abort/);
    await expect(atGate().segments.list({ signal: second.signal })).rejects.toThrow(/abort/);
  });

  it("follows a request without a response in time", async () => {
    turns = [() => {}];
    expect(await atGate({ timeoutMs: 500 }).segments.list()).toEqual([]);
    turns = [() => {}];
    const error = await errorOf(atGate({ timeoutMs: 300, maxRetries: 0 }).segments.list());
    expect([error.constructor, error.code]).toEqual([ConnectionError, "timeout"]);
  });

  it("of a stream is made only before its first part", async () => {
    await rollcall.subscribers.createMany(people(3));
    turns = [fails(503), breaks];
    expect(await all(atGate().subscribers.stream())).toHaveLength(3);
    const cut: Turn = async (response, pass) => {
      const text = await (await pass()).text();
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      response.write(text.slice(0, -30), () => response.socket?.destroy());
    };
    turns = [cut];
    asked = [];
    const got: Subscriber[] = [];
    const reading = (async () => {
      for await (const one of atGate().subscribers.stream()) got.push(one);
    })();
    expect(await errorOf(reading)).toBeInstanceOf(ConnectionError);
    expect([got.length, asked.length]).toEqual([2, 1]);
    // A proxy that ends the response cleanly in the middle of a record.
    turns = [
      async (response, pass) => {
        const text = await (await pass()).text();
        response.end(text.slice(0, -30));
      },
    ];
    expect(await errorOf(all(atGate().subscribers.stream()))).toBeInstanceOf(ConnectionError);
    turns = [(response) => response.writeHead(200).flushHeaders()];
    const silent = await errorOf(all(atGate({ timeoutMs: 300 }).subscribers.stream()));
    expect(silent.code).toBe("timeout");
  });
});

describe("errors", () => {
  it("have a class for each code of the API", () => {
    expect(Object.keys(errorClasses).toSorted()).toEqual(Object.keys(restStatuses).toSorted());
    const codes = JSON.stringify(documentValidator().document).match(/(?<="code":")\w+(?=")/g) ?? [];
    expect(codes.filter((code) => !(code in errorClasses) && !/^[a-z]+$/.test(code))).toEqual([]);
  });

  it("say what is wrong, and where", async () => {
    const { subscribers } = rollcall;
    const ada = await subscribers.create({ email: "ada@example.org" });
    await rollcall.suppressions.create([{ email: "eve@example.org", reason: "manual" }]);

    const invalid = await errorOf(subscribers.create({ email: "nobody", name: "\u0000" }));
    expect(invalid).toMatchObject({ status: 422, field: "email", fields: ["email", "name"], items: [] });
    expect(invalid.errors.email).toEqual([expect.any(String)]);
    expect(invalid.requestId).toMatch(/^[\w.-]+$/);
    expect(invalid.docs).toMatch(/#validation_error$/);
    expect(invalid.name).toBe("ValidationError");
    const unknown = await errorOf(subscribers.list({ staus: "active" } as object).page());
    expect(unknown).toMatchObject({ status: 400, code: "validation_error" });

    const taken = await errorOf(subscribers.create({ email: "ADA@example.org" }));
    expect(taken).toBeInstanceOf(AlreadySubscribedError);
    expect(taken.subscriber).toEqual({ id: ada.id, status: "active" });
    expect(await errorOf(subscribers.create({ email: "eve@example.org" }))).toBeInstanceOf(SuppressedError);
    expect(await errorOf(subscribers.get("nobody@example.org"))).toBeInstanceOf(NotFoundError);
  });

  it("of keys and permissions have their own classes", async () => {
    expect(await errorOf(clientOf("sk_wrong").me())).toBeInstanceOf(UnauthorizedError);
    const reader = await at.addKey(tenant.newsletterId, { permissions: ["subscribers:read"] });
    const denied = await errorOf(clientOf(reader.secret).subscribers.create({ email: "ada@example.org" }));
    expect([denied.constructor, denied.code]).toEqual([ForbiddenError, "api_module_access_disabled"]);
    const apart = await at.tenant({ apart: true });
    await at.apiAccess(apart.accountId, false);
    const off = await errorOf(clientOf(apart.key).segments.list());
    expect([off.constructor, off.code]).toEqual([ForbiddenError, "api_access_disabled"]);
    expect(() => clientOf("")).toThrow(TypeError);
    expect(() => clientOf("sk_a\nb")).toThrow(TypeError);
  });

  it("of requests that no method makes are plain, with their code", async () => {
    const codeOf = async (call: Promise<unknown>) => {
      const error = await errorOf(call);
      return [error.constructor, error.code, error.status];
    };
    expect(await codeOf(rollcall.request("PATCH", "/stats"))).toEqual([
      RollcallError,
      "method_not_allowed",
      405,
    ]);
    const large = { email: "ada@example.org", name: "x".repeat(600_000) };
    expect(await codeOf(rollcall.subscribers.create(large))).toEqual([
      RollcallError,
      "payload_too_large",
      413,
    ]);
  });

  it("of a reused idempotency key, a rate limit and an outage have their own classes", async () => {
    const options = { idempotencyKey: "once" };
    await rollcall.subscribers.create({ email: "ada@example.org" }, {}, options);
    const reused = rollcall.subscribers.create({ email: "bob@example.org" }, {}, options);
    expect(await errorOf(reused)).toBeInstanceOf(IdempotencyError);
    const once = clientOf(tenant.key, { maxRetries: 0 });
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => once.me()));
    const limited = tries.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))[0];
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ retryAfter: 1, errors: {}, field: null });
    const away = JSON.stringify({
      success: false,
      code: "service_unavailable",
      message: "The database is away.",
    });
    turns = [(response) => response.writeHead(503, { "Retry-After": "3" }).end(away)];
    const unavailable = await errorOf(atGate({ maxRetries: 0 }).segments.list());
    expect(unavailable).toBeInstanceOf(UnavailableError);
    expect(unavailable).toMatchObject({ retryAfter: 3, message: "The database is away." });
  });

  it("of responses that are not Rollcall's name the status, or the place of a redirect", async () => {
    turns = [fails(418), fails(200), fails(301, { Location: "https://list.example.org/" })];
    const client = atGate({ maxRetries: 0 });
    for (const expected of [
      "418 is not Rollcall's: <h1>",
      "200 is not Rollcall's",
      "https://list.example.org/",
    ]) {
      const error = await errorOf(client.segments.list());
      expect([error.constructor, error.code]).toEqual([RollcallError, "unexpected_response"]);
      expect(error.message).toContain(expected);
    }
    const nowhere = clientOf(tenant.key, { url: "http://127.0.0.1:9", maxRetries: 0 });
    const error = await errorOf(nowhere.segments.list());
    expect([error.constructor, error.code, error.status]).toEqual([ConnectionError, "connection_failed", 0]);
    expect(error.message).toContain("ECONNREFUSED");
  });
});

test("lists are split, also while they are read", async () => {
  async function* numbers() {
    yield* [1, 2, 3, 4, 5];
  }
  expect(await all(batches(numbers(), 2))).toEqual([[1, 2], [3, 4], [5]]);
  expect(await all(batches([1, 2], 2))).toEqual([[1, 2]]);
  expect(await all(batches([], 2))).toEqual([]);
});

test("every operation of the document was called", () => {
  const { document, find } = documentValidator();
  const operationIdOf = (call: string) => {
    const [method = "", path = ""] = call.split(" ");
    return find({ method, path })?.operation.operationId;
  };
  const known = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set([...called].map(operationIdOf))).toEqual(new Set(known));
});
