// e2e/contract: the REST contract as tests, run against the built product. Each suite is a function of a stage.
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect } from "vitest";
import { documentValidator } from "./document";

/** A process of the product, where it listens. */
export type Mount = { url: string };

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body as JSON, or undefined. Typed loosely on purpose: a test looks at what came, not at what should. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  json: any;
}

const validate = documentValidator();

/** Every answer that any of these tests receives is one that the OpenAPI document describes. */
function hold(method: string, path: string, answer: Answer): Answer {
  expect({ asked: `${method} ${path}`, faults: validate.faultsOf({ method, path }, answer) }).toEqual({
    asked: `${method} ${path}`,
    faults: [],
  });
  return answer;
}

export interface Question {
  method?: string;
  path?: string;
  /** An API key's secret; without one no Authorization header is sent. */
  key?: string | undefined;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, with `Content-Type: application/json` unless the headers say another. */
  raw?: string | Uint8Array;
  /** Sent without a promise of its length. */
  chunked?: boolean;
}

export const SUBSCRIBERS = "/api/v1/subscribers";
export const BULK = "/api/v1/subscribers/bulk";

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Asks over HTTP, on a connection that is kept. The path goes out as it is written. */
export function ask(mount: Mount, question: Question): Promise<Answer> {
  const { path = SUBSCRIBERS, key, raw, json } = question;
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const method = question.method ?? "POST";
  const headers: Record<string, string | string[]> = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...(question.chunked
      ? { "Transfer-Encoding": "chunked" }
      : { "Content-Length": String(Buffer.byteLength(body ?? "")) }),
    ...question.headers,
  };
  const { hostname, port } = new URL(mount.url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const answer = read(incoming.statusCode ?? 0, incoming.rawHeaders, Buffer.concat(chunks).toString());
        try {
          resolve(hold(method, path, answer));
        } catch (fault) {
          reject(fault);
        }
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bytes straight onto a socket, for what an HTTP client would not send; resolves when the server has closed it. */
export function askRaw(mount: Mount, text: string): Promise<Answer> {
  const { hostname, port } = new URL(mount.url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (chunk) => chunks.push(chunk));
    // A server that rejects before it has read all resets the connection, after its answer.
    socket.on("error", () => {});
    socket.on("close", () => resolve(parseRaw(Buffer.concat(chunks))));
  });
}

/** One request as text; `Connection: close` ends the answer. */
export function rawRequest(method: string, path: string, headers: string[], body = ""): string {
  const lines = [`${method} ${path} HTTP/1.1`, "Connection: close", ...headers];
  if (!headers.some((line) => /^host:/i.test(line))) lines.push("Host: localhost");
  if (body) lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** A whole HTTP/1.1 answer, its body not chunked. */
export function parseRaw(bytes: Buffer): Answer {
  // One character a byte; turned to UTF-8 at the end.
  const text = bytes.toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const raw = lines.flatMap((line) => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return read(Number(first.split(" ")[1]), raw, Buffer.from(text.slice(end + 4), "latin1").toString());
}

function read(status: number, rawHeaders: string[], text: string): Answer {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    headers[name] =
      headers[name] === undefined ? (rawHeaders[i + 1] as string) : `${headers[name]}, ${rawHeaders[i + 1]}`;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {}
  return { status, headers, text, json };
}

/** Holds an answer to the error envelope of contract.md §3: its keys in order, its types, its headers. */
export function expectRejection(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json?.code, body: answer.text }).toMatchObject({
    status,
    code,
  });
  const keys = Object.keys(answer.json);
  expect(keys).toEqual(
    ["success", "code", "message", "errors", "items", "docs"].filter((key) => keys.includes(key)),
  );
  expect(answer.json.success).toBe(false);
  expect(answer.json.message).toMatch(/\S/);
  if (answer.json.docs) expect(answer.json.docs).toMatch(new RegExp(`^https?://[^/]+/docs#${code}$`));
  expectOwnHeaders(answer);
  if (answer.json.errors && code !== "rate_limit_exceeded") {
    for (const messages of Object.values(answer.json.errors) as unknown[][]) {
      expect(messages.length).toBeGreaterThan(0);
      for (const message of messages) expect(message).toEqual(expect.stringMatching(/\S/));
    }
  }
}

/** Checks the headers that every answer of the API has, and that no answer has. */
export function expectOwnHeaders({ headers }: Answer): void {
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(
    Object.keys(headers).filter((name) => /^access-control-|^x-powered-by$|^server$|^set-cookie$/.test(name)),
  ).toEqual([]);
}
