// The JavaScript client of clients/js against the built product. A gate before the product fails as networks do.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import {
  type ClientOptions,
  type RequestOptions,
  Rollcall,
  RollcallError,
} from "../../../clients/js/index.js";
import { createTestDatabase, type TestDatabase } from "../../../server/test/database";
import type { Product } from "../../../server/test/product";
import { type Installation, openInstallation, type Tenant } from "../../contract/installation";
import { NO_LIMITS, startContract } from "../../contract/start";

export const SOON = { timeout: 30_000 };

type Asked = { method: string; url: string; headers: IncomingMessage["headers"]; atMs: number };
/** Answers a request in place of the product. `pass` has the product handle it. */
export type Turn = (response: ServerResponse, pass: () => Promise<Response>) => unknown;

let database: TestDatabase;
let product: Product;
let server: Server;
let gateUrl: string;
/** `turns`: what happens to the next requests at the gate. Later ones reach the product. */
export const gate = { turns: [] as Turn[], asked: [] as Asked[] };
export let at: Installation;
/** The newsletter of the current test, and its client. */
export let tenant: Tenant;
export let rollcall: Rollcall;
/** Operations that a client called with success. */
export const called = new Set<string>();

async function answerAtGate(request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "", headers } = request;
  gate.asked.push({ method, url, headers, atMs: Date.now() });
  const body = Buffer.concat(await request.toArray());
  const { host: _, connection: _c, "content-length": _l, "transfer-encoding": _t, ...passed } = headers;
  const pass = () =>
    fetch(product.url + url, {
      method,
      headers: passed as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
  const turn = gate.turns.shift();
  if (turn) return turn(response, pass);
  const answer = await pass();
  response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

export const clientOf = (key: string, options: Partial<ClientOptions> = {}) =>
  new Rollcall({
    ...{ url: product.url, key },
    onResponse: ({ ok }, { method, url }) => ok && called.add(`${method} ${new URL(url).pathname}`),
    ...options,
  });
/** A client whose requests go through the gate. */
export const atGate = (options: RequestOptions = {}) => clientOf(tenant.key, { url: gateUrl, ...options });

/** Opens the product for the current test file, and a newsletter for each test. */
export function openClientStage(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    at = await openInstallation(database.url);
    const env = { ...NO_LIMITS, RATE_LIMIT_ME: "1/s", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1" };
    product = await startContract({ ...env, DATABASE_URL: database.url });
    server = createServer((request, response) => void answerAtGate(request, response).catch(() => {}));
    await once(server.listen(0, "127.0.0.1"), "listening");
    gateUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    Object.assign(gate, { turns: [], asked: [] });
    tenant = await at.tenant();
    rollcall = clientOf(tenant.key);
  });
  afterAll(async () => {
    server?.closeAllConnections();
    server?.close();
    await product?.stop();
    await at?.close();
    await database?.drop();
  });
}

/** Returns the error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<RollcallError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RollcallError);
  return error as RollcallError;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const emails = (list: { email: string }[]) => list.map(({ email }) => email);
export const fails =
  (status: number, headers: Record<string, string> = {}): Turn =>
  (response) =>
    response.writeHead(status, headers).end("<h1>not now</h1>");
export const breaks: Turn = (response) => response.socket?.destroy();
/** The product handles the request, and its response is lost. */
export const loses: Turn = async (response, pass) => {
  await pass();
  response.socket?.destroy();
};

// biome-ignore lint/suspicious/noExplicitAny: the document is read as it came
export type Loose = any;
/** All operations of the OpenAPI document. */
export const operationsOf = (document: Loose): Loose[] =>
  Object.values<Loose>(document.paths).flatMap(Object.values);
