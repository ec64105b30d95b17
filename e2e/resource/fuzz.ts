// Requests made from the OpenAPI document, most of them broken in some way, and what comes back held to it.
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { parseRaw } from "../contract/client";
import { type DocumentValidator, documentValidator } from "../contract/document";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as any program would that is handed one
type Loose = any;

/** mulberry32: the same numbers for the same seed, on any machine. */
function randomness(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (n: number) => Math.floor(next() * n);
  return {
    upTo,
    chance: (share: number) => next() < share,
    of: <T>(list: readonly T[]): T => list[upTo(list.length)] as T,
  };
}
type Random = ReturnType<typeof randomness>;

export type Question = {
  method: string;
  path: string;
  headers: [string, string][];
  body: Buffer | undefined;
  chunked: boolean;
  /** The body as JSON, where it is some and sent as such: then the document's schema speaks too. */
  json?: unknown;
};

export type Keys = { full: string; readOnly: string; writeOnly: string; revoked: string };

const JUNK = [
  "",
  " ",
  "0",
  "-1",
  "1e9",
  "NaN",
  "null",
  "true",
  "undefined",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u200b\ufeff",
  "😀".repeat(70),
  "e\u0301".repeat(200),
  "ﷺ".repeat(64),
  "x".repeat(5_000),
  "../../etc/passwd",
  "'; DROP TABLE subscribers; --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "%00%ff%",
  "\r\nX-Injected: 1",
  "__proto__",
  "constructor",
  "toString",
  "9".repeat(400),
  "=?utf-8?q?a?=@example.org",
  '"a b"@example.org',
  "a@[127.0.0.1]",
  "a@xn--a.example",
  "a@xn--zzzzzzzzzz99999.org",
  `${"a".repeat(65)}@example.org`,
  `a@${"b".repeat(64)}.org`,
  `a@${"b.".repeat(130)}org`,
  "a@exa\u00admple.org",
  "@",
  "@".repeat(500),
];

const VERBS = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "PURGE",
  "REPORT",
];

/** Whatever JSON can hold. */
function anything(random: Random, depth = 0): unknown {
  switch (random.upTo(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.of([0, -0, 1, -1, 1.5, 1e308, -1e-300, 2 ** 53, 1e21]);
    case 3:
    case 4:
    case 5:
      return random.of(JUNK);
    case 6:
      return Array.from({ length: random.upTo(4) }, () => anything(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.upTo(4) }, () => [
          random.of(["email", "name", "status", "id", "__proto__", "x", ""]),
          anything(random, depth + 1),
        ]),
      );
  }
}

/** A value that a schema of the document allows; now and then one that it does not. */
function fromSchema(random: Random, document: Loose, schema: Loose, name = "", wrong = 0.04): unknown {
  if (schema.$ref)
    return fromSchema(
      random,
      document,
      document.components.schemas[schema.$ref.split("/").at(-1)],
      name,
      wrong,
    );
  if (random.chance(wrong)) return anything(random);
  const type = Array.isArray(schema.type) ? random.of(schema.type as string[]) : schema.type;
  if (schema.enum) return random.of(schema.enum);
  // Keys that are there, or that an earlier request made or deleted.
  if (name === "key" && !random.chance(0.1)) return `field_${random.upTo(30)}`;
  if (name === "include" && !random.chance(0.1)) return random.of(["fields", "tags", "fields,tags"]);
  if (type === "object") {
    const required = new Set<string>(schema.required);
    const entries = Object.entries<Loose>(schema.properties ?? {}).flatMap(([key, inner]) =>
      random.chance(required.has(key) ? 0.98 : 0.6)
        ? [[key, fromSchema(random, document, inner, key, wrong)]]
        : [],
    );
    if (random.chance(0.05)) entries.push([random.of(["extra", "id", "constructor", ""]), anything(random)]);
    return Object.fromEntries(entries);
  }
  if (type === "array") {
    const { minItems = 0, maxItems = 5 } = schema;
    const length = random.chance(0.02)
      ? random.of([0, maxItems, maxItems + 1, maxItems * 3])
      : minItems + random.upTo(Math.min(8, maxItems));
    // Each item is as likely to be wrong as a whole single request would be: else hardly a long bulk would go in.
    return Array.from({ length }, () => fromSchema(random, document, schema.items, name, wrong / length));
  }
  if (type === "integer")
    return (schema.minimum ?? 0) + random.upTo(Math.min(200, (schema.maximum ?? 200) + 2));
  if (type === "boolean") return random.chance(0.5);
  if (type === "null") return null;
  if (name === "email") {
    const local = random.of(["ada", "grace", "A.B", "o'neil", "x+y", "ünï", "1"]) + random.upTo(50_000);
    return `${random.of(["", "", " "])}${local}@${random.of(["example.org", "Example.ORG", "bücher.example", "例え.jp", "sub.domain.example.com"])}`;
  }
  if (schema.format === "uuid") return "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";
  if (schema.format === "date-time")
    return random.of([
      "2024-03-02T09:30:00+00:00",
      "2024-03-02T09:30:00Z",
      "9999-01-01T00:00:00Z",
      ...JUNK.slice(0, 3),
    ]);
  return random.chance(0.7)
    ? random.of(["Ada Lovelace", "Plato", "山田 太郎", "Zoe\u0308", "O'Neil  III", "null"])
    : random.of(JUNK);
}

function queryOf(random: Random, document: Loose, parameters: Loose[]): string {
  const parts: string[] = [];
  for (const { name, in: place, schema } of parameters) {
    if (place !== "query" || !random.chance(0.35)) continue;
    if (schema.type === "object") {
      parts.push(`${name}[field_${random.upTo(30)}]=${encode(random.of(["", "Print", "3", ...JUNK]))}`);
      continue;
    }
    const value = random.chance(0.2)
      ? random.of(JUNK)
      : String(fromSchema(random, document, schema, name, 0));
    const times = random.chance(0.05) ? 2 : 1;
    for (let i = 0; i < times; i++) parts.push(`${name}=${encode(value)}`);
  }
  if (random.chance(0.05))
    parts.push(
      random.of([
        "x=1",
        "status",
        "&&&",
        "=",
        "limit[]=1",
        "%=%",
        "page=%zz",
        "a=b=c",
        "cursor=AaH6uCIdc8y_b4i7-BHOPA",
      ]),
    );
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

/** Texts as they are kept: the document's lengths are about these. */
const kept = (json: unknown) =>
  JSON.parse(JSON.stringify(json), (_, value) =>
    typeof value === "string" ? value.trim().normalize("NFC") : value,
  );

/** Like encodeURIComponent, for what it throws at too. */
const encode = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));

const PATHS = [
  "/api/v1",
  "/api/v1/",
  "/api/v1/nope",
  "/api/v1/subscribers/",
  "/api/v1/subscribers/bulk/x",
  "/api/v1//subscribers",
  "/api/v1/subscribers/%00",
  "/api/v1/subscribers/%",
  "/api/v1/SUBSCRIBERS",
  "/api/v1/subscribers;a=b",
  "/api/v1/subscribers/../me",
  "/api/v1/./me",
  "/api/v1/me/",
  "/api/v1/me/x",
  "/api/v1/openapi.yaml",
  "/api/v1/__proto__",
  "/api/v1/subscribers/__proto__",
  "/api/v1/subscribers/01a1fab8-221d-73cc-bf6f-88bbf811ce3c/x",
  "/api/v1/subscribers/01A1FAB8-221D-73CC-BF6F-88BBF811CE3C",
  "/api/v1/subscribers/{id}",
  `/api/v1/${"x".repeat(4_000)}`,
];

/** Turns JSON into the bytes of a body, mostly as it should be. */
function bytesOf(random: Random, json: unknown): { body: Buffer; plain: boolean } {
  const text = JSON.stringify(json) ?? "";
  switch (random.upTo(40)) {
    case 0:
      return { body: Buffer.from(text.slice(0, random.upTo(text.length + 1))), plain: false };
    case 1:
      return { body: Buffer.from(text, "utf16le"), plain: false };
    case 2:
      return { body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]), plain: false };
    case 3: {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[random.upTo(bytes.length)] = random.upTo(256);
      return { body: bytes, plain: false };
    }
    case 4:
      return { body: Buffer.from(text, "latin1"), plain: false };
    case 5:
      return { body: gzipSync(text), plain: false };
    case 6: {
      const depth = random.of([10, 1_000, 100_000]);
      return { body: Buffer.from("[".repeat(depth) + "]".repeat(depth)), plain: false };
    }
    case 7: {
      const size = random.of([524_287, 524_288, 524_289, 600_000, 700_000, 1_000_000]);
      const padded = random.chance(0.5) ? text.padEnd(size, " ") : `"${"x".repeat(Math.max(0, size - 2))}"`;
      return { body: Buffer.from(padded), plain: false };
    }
    case 8:
      return { body: Buffer.alloc(random.upTo(64), random.upTo(256)), plain: false };
    default:
      return { body: Buffer.from(text), plain: true };
  }
}

/** Ids of people and of suppressions that exist. */
export type KnownIds = { people: readonly string[]; suppressions: readonly string[] };

/** The nth question of a seed, whatever was asked before it. */
export function questionOf(
  validate: DocumentValidator,
  seed: number,
  n: number,
  keys: Keys,
  ids: KnownIds,
): Question {
  const random = randomness(seed + n * 2_654_435_761);
  const { document } = validate;
  const template = random.of(Object.keys(document.paths));
  let method = random.of(Object.keys(document.paths[template])).toUpperCase();
  const operation = document.paths[template][method.toLowerCase()];
  const id = random.chance(0.8)
    ? random.of(template.includes("/suppressions/") ? ids.suppressions : ids.people)
    : random.of([
        "01a1fab8-221d-73cc-bf6f-88bbf811ce3c",
        "00000000-0000-0000-0000-000000000000",
        "x",
        "1",
        encode(random.of(JUNK)),
      ]);
  const filled = template.replace("{id}", id).replace("{key}", `field_${random.upTo(30)}`);
  let path = filled + queryOf(random, document, operation.parameters ?? []);
  if (random.chance(0.06)) path = random.of(PATHS) + (random.chance(0.3) ? "?dry_run=true" : "");
  if (random.chance(0.06)) method = random.of(VERBS);

  const headers: [string, string][] = [];
  const key = random.chance(0.8)
    ? keys.full
    : random.of([keys.readOnly, keys.writeOnly, keys.revoked, `${keys.full}x`, "sk_", "é", ""]);
  if (random.chance(0.98))
    headers.push([
      "Authorization",
      random.chance(0.98) ? `Bearer ${key}` : random.of([key, `Basic ${key}`, "Bearer", `bearer  ${key}`]),
    ]);
  if (random.chance(0.15))
    headers.push([
      "Idempotency-Key",
      random.of(["k1", "k2", `k${random.upTo(500)}`, "", "é", "x".repeat(255), "x".repeat(256), "a\tb"]),
    ]);
  if (random.chance(0.1))
    headers.push(["X-Request-Id", random.of(["mine-1", "", "a b", "é", "x".repeat(129)])]);
  if (random.chance(0.05))
    headers.push([
      random.of([
        "X-Forwarded-For",
        "Origin",
        "Cookie",
        "Accept",
        "Accept-Encoding",
        "If-None-Match",
        "Range",
        "Upgrade-Insecure-Requests",
        "X-HTTP-Method-Override",
        "Forwarded",
      ]),
      random.of([
        "",
        "*",
        "DELETE",
        "1.2.3.4, 5.6.7.8",
        "bytes=0-1",
        "text/html",
        "a=b; c=d",
        "x".repeat(3_000),
      ]),
    ]);

  let body: Buffer | undefined;
  let json: unknown;
  const schema = operation.requestBody?.content["application/json"].schema;
  if (schema ? random.chance(0.97) : random.chance(0.05)) {
    const value = schema && random.chance(0.96) ? fromSchema(random, document, schema) : anything(random);
    const made = bytesOf(random, value);
    body = made.body;
    const type = random.chance(0.95)
      ? random.of([
          "application/json",
          "application/json",
          "application/json; charset=utf-8",
          'Application/JSON;charset="UTF-8"',
        ])
      : random.of([
          "text/plain",
          "application/json; charset=latin1",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          "application/jsonx",
          "",
          "application/merge-patch+json",
          "é",
        ]);
    headers.push(["Content-Type", type]);
    const encoding = random.chance(0.02) ? random.of(["gzip", "identity", "br", ""]) : undefined;
    if (encoding !== undefined) headers.push(["Content-Encoding", encoding]);
    if (made.plain) json = JSON.parse(JSON.stringify(value));
  }
  return {
    method,
    path,
    headers,
    body,
    chunked: body !== undefined && random.chance(0.1),
    ...(json !== undefined && { json }),
  };
}

/** What HTTP itself would reject, as bytes. */
const wire = (key: string) => [
  "GET /api/v1/me HTTP/1.1\r\n\r\n",
  "GET /api/v1/me HTTP/9.9\r\nHost: a\r\n\r\n",
  "GET  /api/v1/me  HTTP/1.1\r\nHost: a\r\n\r\n",
  `GET /api/v1/me HTTP/1.1\r\nHost: a b\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  `GET /api/v1/subscribers?status=\xff\xfe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  `POST /api/v1/subscribers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `,
  `POST /api/v1/subscribers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST /api/v1/subscribers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
  `POST /api/v1/subscribers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n{}`,
  `GET /api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Long: ${"x".repeat(70_000)}\r\n\r\n`,
  `GET http://a/api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  `GET /api/v1/me#x HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  `GET /api/v1/me HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  `GET /api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
];

export type Report = {
  asked: number;
  /** Answers by operation and status: "createSubscriber 201" → how many. */
  seen: Map<string, number>;
  problems: string[];
  slowestMs: number;
  seconds: number;
};

/** Longer than this without an answer is a hang. */
const PATIENCE_MS = 15_000;

type Got = { status: number; headers: Record<string, string>; text: string };

function send(url: string, agent: Agent, { method, path, headers, body, chunked }: Question): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = chunked
      ? [["Transfer-Encoding", "chunked"]]
      : [["Content-Length", String(body?.length ?? 0)]];
    const all = [...headers, ...length].flat();
    const sent = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: ["Host", `${hostname}:${port}`, ...all],
        timeout: PATIENCE_MS,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const got: Record<string, string> = {};
          for (const [name, value] of Object.entries(incoming.headers)) got[name] = [value].flat().join(", ");
          resolve({ status: incoming.statusCode ?? 0, headers: got, text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
    sent.on("error", reject);
    sent.end(body);
  });
}

function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    const timer = setTimeout(() => {
      socket.destroy();
      if (text === "") reject(new Error(`no answer within ${PATIENCE_MS} ms`));
      else resolve(text);
    }, PATIENCE_MS);
    socket.on("data", (chunk) => {
      text = (text + chunk).replace("HTTP/1.1 100 Continue\r\n\r\n", "");
      // Those that keep their connection open would be waited for; their answer is here.
      if (/\r\n\r\n/.test(text)) setTimeout(() => socket.end(), 50);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** Asks `total` questions and checks every answer. */
export async function fuzz(
  {
    url,
    keys,
    ids,
    document,
    seed,
    total,
  }: { url: string; keys: Keys; ids: KnownIds; document: object; seed: number; total: number },
  say: (line: string) => void = () => {},
): Promise<Report> {
  const validate = documentValidator(document);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const report: Report = { asked: 0, seen: new Map(), problems: [], slowestMs: 0, seconds: 0 };
  const began = Date.now();
  const tell = (n: number, what: string) => report.problems.push(`seed ${seed} question ${n}: ${what}`);
  const see = (what: string): unknown => report.seen.set(what, (report.seen.get(what) ?? 0) + 1);

  async function askOne(n: number): Promise<void> {
    const question = questionOf(validate, seed, n, keys, ids);
    const shown = `${question.method} ${question.path.slice(0, 200)} ${JSON.stringify(question.headers)
      .slice(0, 300)
      .replace(/sk_\w+/g, "sk_…")} ${question.body?.toString().slice(0, 300) ?? ""}`;
    const at = performance.now();
    let got: Got;
    try {
      got = await send(url, agent, question);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      // The answer may be lost on the way when the server stops reading a body that is too large.
      if ((question.body?.length ?? 0) > 524_288 && (code === "ECONNRESET" || code === "EPIPE"))
        return void see("cut off while sending too much");
      return void tell(n, `${message} (${code}): ${shown}`);
    }
    report.slowestMs = Math.max(report.slowestMs, performance.now() - at);
    const known = validate.find(question);
    see(`${known?.operation.operationId ?? "elsewhere"} ${got.status}`);
    if (got.status >= 500) tell(n, `${got.status} ${got.text.slice(0, 200)}: ${shown}`);
    for (const fault of validate.faultsOf(question, got)) tell(n, `${got.status}: ${fault}: ${shown}`);
    if (
      got.status < 300 &&
      "json" in question &&
      !validate.allowsBody(question, kept(question.json)) &&
      question.method !== "HEAD"
    )
      tell(n, `${got.status} for a body that the document rejects: ${shown}`);
    const own = question.headers.find(([name]) => name === "X-Request-Id")?.[1];
    if (own === "mine-1" && got.headers["x-request-id"] !== own)
      tell(n, `its X-Request-Id was lost: ${shown}`);
  }

  async function askWire(n: number, bytes: string): Promise<void> {
    try {
      const text = await sendRaw(url, bytes);
      const { status, headers } = parseRaw(Buffer.from(text, "latin1"));
      see(`wire ${status}`);
      // What Node's parser rejects has no envelope; all else is the API's.
      if (
        text !== "" &&
        (!(status >= 200 && status < 500) ||
          (headers["content-type"] ?? "application/json") !== "application/json")
      )
        tell(n, `${text.slice(0, 200)}: ${bytes.slice(0, 60)}`);
    } catch (error) {
      tell(n, `${(error as Error).message}: ${bytes.slice(0, 60)}`);
    }
  }

  const raws = wire(keys.full);
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < total && report.problems.length < 50; n = next++) {
      if (n % 200 === 199) await askWire(n, raws[Math.floor(n / 200) % raws.length] as string);
      else await askOne(n);
      if (++report.asked % 10_000 === 0)
        say(`${report.asked} of ${total} asked, ${report.problems.length} problems`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
  report.seconds = (Date.now() - began) / 1000;
  return report;
}
