// The way in which automation tools subscribe to events, over HTTP: n8n's and activepieces' triggers register a webhook
// when a flow is switched on and delete it when it is switched off; Zapier's REST hooks do the same with one URL for each.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import type { Product } from "../../server/test/product";
import { type Answer, ask } from "./client";
import { type Installation, openInstallation, type Tenant } from "./installation";
import { NO_LIMITS, startContract } from "./start";

type Delivery = { path: string; body: string; headers: Record<string, string> };

let database: TestDatabase;
let product: Product;
let at: Installation;
let tool: Server;
let toolUrl: string;
let tenant: Tenant;
/** A key that an owner makes for the tool. */
let key: string;
let deliveries: Delivery[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openInstallation(database.url);
  const env = { ...NO_LIMITS, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1", DATABASE_URL: database.url };
  product = await startContract(env);
  tool = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    deliveries.push({ path: request.url ?? "", body, headers: request.headers as Record<string, string> });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => tool.listen(0, "127.0.0.1", resolve));
  toolUrl = `http://127.0.0.1:${(tool.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  deliveries = [];
  tenant = await at.tenant();
  const { secret } = await at.addKey(tenant.newsletterId, { permissions: ["subscribers:read", "webhooks"] });
  key = secret;
});
afterAll(async () => {
  tool.closeAllConnections();
  tool.close();
  await product?.stop();
  await at?.close();
  await database?.drop();
});

const call = (method: string, path: string, json?: unknown, by = key): Promise<Answer> =>
  ask(product, { method, path: `/api/v1${path}`, key: by, json });
const add = async (email: string): Promise<string> =>
  (await call("POST", "/subscribers", { email }, tenant.key)).json.data.id;
const received = (count: number) => expect.poll(() => deliveries.length, { timeout: 30_000 }).toBe(count);
/** The messages, each verified with the secret of its registration. */
const verified = (secret: string, path: string) =>
  deliveries
    .filter((one) => one.path === path)
    .map(
      ({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string; number: number },
    );

it("a flow registers a webhook, receives signed messages, and deletes it when it is switched off", async () => {
  expect((await call("GET", "/me")).json.data.key.permissions).toEqual(["subscribers:read", "webhooks"]);
  // n8n looks for its webhook before it creates one.
  const url = `${toolUrl}/webhook/flow-1`;
  expect((await call("GET", "/webhooks")).json.data).toEqual([]);
  const registered = await call("POST", "/webhooks", { url, events: ["subscriber.created"] });
  expect(registered.status).toBe(201);
  const { id, secret } = registered.json.data;
  expect((await call("GET", `/webhooks/${id}`)).json.data).toMatchObject({ url, enabled: true });

  expect((await call("POST", `/webhooks/${id}/test`)).json.data).toMatchObject({
    delivered: true,
    status: 200,
  });
  const person = await add("ada@example.org");
  await received(2);
  const [test, created] = verified(secret, "/webhook/flow-1");
  expect(test).toMatchObject({ type: "test", number: 0 });
  expect(created).toMatchObject({
    ...{ type: "subscriber.created", number: 1 },
    data: { subscriber: { id: person, email: "ada@example.org" } },
  });
  expect(() => verified(`whsec_${Buffer.alloc(32).toString("base64")}`, "/webhook/flow-1")).toThrow();

  expect((await call("DELETE", `/webhooks/${id}`)).status).toBe(200);
  expect((await call("DELETE", `/webhooks/${id}`)).status).toBe(404);
  await add("grace@example.org");
  // A second flow proves that the product has read the log by then.
  const second = await call("POST", "/webhooks", {
    url: `${toolUrl}/second`,
    events: ["subscriber.created"],
  });
  await add("alan@example.org");
  await received(3);
  expect(verified(second.json.data.secret, "/second")).toMatchObject([
    { number: 1, data: { subscriber: { email: "alan@example.org" } } },
  ]);
});

it("a repeated registration makes one webhook, and each of two flows has its own secret", async () => {
  const register = async (flow: string, events: string[]) => {
    const [first, repeat] = [1, 2].map(() =>
      ask(product, {
        ...{ key, path: "/api/v1/webhooks", headers: { "Idempotency-Key": flow } },
        json: { url: `${toolUrl}/${flow}`, events },
      }),
    );
    const answers = [await first, await repeat].filter((one) => one?.status === 201);
    // The repeat may come while the first request is running.
    expect(new Set(answers.map((one) => one?.text)).size).toBe(1);
    return answers[0]?.json.data as { id: string; secret: string };
  };
  const joined = await register("joined", ["subscriber.created"]);
  const left = await register("left", ["subscriber.unsubscribed"]);
  expect((await call("GET", "/webhooks")).json.data).toHaveLength(2);
  const person = await add("ada@example.org");
  await received(1);
  await call("DELETE", `/subscribers/${person}`, undefined, tenant.key);
  await received(2);
  expect(verified(joined.secret, "/joined")).toMatchObject([{ type: "subscriber.created" }]);
  expect(verified(left.secret, "/left")).toMatchObject([{ type: "subscriber.unsubscribed" }]);
  expect(() => verified(joined.secret, "/left")).toThrow();
});

it("a tool that read the list first misses no change: the webhook begins at its position", async () => {
  const position = (await call("GET", "/changes?after=now")).json.pagination.next;
  await add("between@example.org");
  const body = { url: `${toolUrl}/sync`, events: ["subscriber.created"], after: position };
  const { id, secret } = (await call("POST", "/webhooks", body)).json.data;
  await received(1);
  expect(verified(secret, "/sync")).toMatchObject([
    { data: { subscriber: { email: "between@example.org" } } },
  ]);
  const messages = () => call("GET", `/webhooks/${id}/messages?state=delivered`);
  await expect.poll(async () => (await messages()).json.data.length).toBe(1);
  expect((await call("POST", `/webhooks/${id}/messages/1/retry`)).json.data).toMatchObject({ number: 1 });
  await received(2);
  expect(new Set(deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});
