import { type Agent, request } from "node:http";
import { makeSecret } from "../../server/api-keys/api-key";
import { operations } from "../../server/rest/schema/operations";
import { authRoutes } from "../../server/staff/sign-in/auth-routes";
import { appRouter } from "../../server/trpc/router";

/** One thing that a stranger may ask for. */
export type Shape = { name: string; method: string; path: string; body?: object };
/** A request as it is sent. */
type Sent = { method: string; path: string; headers: Record<string, string>; body: string };

/** Each request of a stranger is smaller than this. */
export const maxSentBytes = 1024;

const UNKNOWN = "01890000-0000-7000-8000-000000000000";

function restShapes(): Shape[] {
  const person = { email: "ada@lovelace.org", name: "Ada", status: "pending" };
  return Object.values(operations).map(({ method, path }) => ({
    name: `${method} ${path}`,
    method,
    path: path.replace("{id}", UNKNOWN).replace("{key}", "company").replace("{name}", "vip"),
    body: path.endsWith("/bulk") ? [person] : person,
  }));
}

type Procedures = Record<string, { _def: { type: "query" | "mutation" | "subscription" } }>;

function procedureShapes(): Shape[] {
  const { procedures } = appRouter._def as unknown as { procedures: Procedures };
  const joining = { name: "Eve", password: "a long enough password" };
  return Object.entries(procedures).map(([name, { _def }]) => {
    const isRead = _def.type !== "mutation";
    const json =
      name === "join" ? { token: "x".repeat(92), joining } : { newsletterId: UNKNOWN, id: UNKNOWN };
    const input = isRead ? `?input=${encodeURIComponent(JSON.stringify({ json }))}` : "";
    const path = `/api/trpc/${name}${input}`;
    return { name: `trpc ${name}`, method: isRead ? "GET" : "POST", path, body: { json } };
  });
}

function authShapes(): Shape[] {
  const body = { email: "ada@lovelace.org", password: "not the password", code: "123456", id: UNKNOWN };
  const closed = ["sign-up/email", "get-session", "request-password-reset", "callback/x", "error"];
  return [
    ...Object.entries(authRoutes).map(([path, { method }]) => ({ method, path })),
    ...closed.flatMap((path) => ["GET", "POST"].map((method) => ({ method, path }))),
  ].map(({ method, path }) => ({ name: `auth ${path}`, method, path: `/api/auth/${path}`, body }));
}

const PAGES = [
  "/",
  "/sign-in",
  "/sign-in?next=%2Fn%2Fx",
  "/join/x",
  "/confirm/x",
  "/unsubscribe/x",
  "/preferences/x",
  "/setup",
  "/setup?token=x",
  "/docs",
  "/llms.txt",
  "/sdk/js.tgz",
  "/n/x",
  `/n/${UNKNOWN}/people?q=x`,
  "/nowhere",
  "/favicon.ico",
  "/_next/image?url=%2Fsign-in&w=640&q=75",
  "/_next/data/x/sign-in.json",
];

const FORMS = ["/confirm/x", "/unsubscribe/x", "/preferences/x", "/setup?token=x", "/sign-in"];

/** Every entrance that needs no session and no key: from the tables of routes, procedures and pages themselves. */
export function shapes(): Shape[] {
  const form = { account: "x", newsletter: "x", email: "x@x.org", password: "a long enough password" };
  const report = { type: "email.delivered", data: { email_id: UNKNOWN } };
  const shape = (kind: string, method: string, body: object) => (path: string) => ({
    name: `${kind} ${path}`,
    method,
    path,
    body,
  });
  return [
    ...restShapes(),
    ...procedureShapes(),
    ...authShapes(),
    ...PAGES.map(shape("page", "GET", form)),
    ...FORMS.map(shape("form", "POST", form)),
    ...["/api/webhooks/resend", "/api/nope"].map(shape("other", "POST", report)),
    shape("other", "GET", report)("/api/health"),
  ];
}

const TAILS = [
  "",
  "",
  "",
  "%ff",
  "%00",
  "/",
  "//",
  "/..%2f",
  "?a=1&a=2",
  "?batch=1",
  "?_rsc=x",
  ";x",
  "%E2%80%AE",
];
const METHODS = ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "POST", "GET", "PROPFIND"];
const TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "x",
];

/** Bodies of other forms than the shape's own. */
const BODIES = [
  "",
  "{",
  "null",
  "[]",
  '"\\u0000"',
  '{"json":{"token":{"length":5000000}},"meta":{"values":{"token":[["typed-array","Uint8Array"]]}}}',
  '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
  `${"[".repeat(200)}${"]".repeat(200)}`,
  '{"email":"a\\u0000@x.org","password":"\\ud800"}',
  '{"json":{"token":1e400,"joining":null},"0":{"json":{}},"1":{"json":{}}}',
  `{"email":"${"a".repeat(300)}@x.org","password":"${"x".repeat(200)}"}`,
  `account=%ff&newsletter=%00&email=x%40x&password=${"x".repeat(130)}`,
];

const HEADERS: Record<string, string>[] = [
  { Cookie: "rollcall.session_token=x.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D; a=%ff" },
  { Cookie: `__Host-rollcall.session_token=${"x".repeat(200)}` },
  { Authorization: "Bearer sk_" },
  { Authorization: "Basic eDp4" },
  { RSC: "1", "Next-Router-State-Tree": "%5B%22%22%5D", "Next-Url": "/%ff" },
  { "Next-Router-State-Tree": "%ff", "Next-Action": "x", "X-Nextjs-Data": "1" },
  { "X-Middleware-Subrequest": "middleware", "X-Invoke-Status": "500", "X-Matched-Path": "/x" },
  { "Accept-Language": "%%;q=x,*", "Accept-Encoding": "br;q=x", Range: "bytes=5-1", "If-None-Match": '"' },
  { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "javascript", Forwarded: "for=x" },
  { Expect: "100-continue" },
  { "Content-Encoding": "gzip" },
  { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" },
  { "svix-id": "msg_x", "svix-timestamp": "1", "svix-signature": "v1,AAAA" },
  { "X-Request-Id": "../../x", "Idempotency-Key": "x" },
];

/** One request of a shape, changed here and there; the first of a shape is its own form. */
export function vary(shape: Shape, random: () => number, isFirst: boolean): Sent {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const chance = (share: number) => !isFirst && random() < share;
  const method = chance(0.1) ? pick(METHODS) : shape.method;
  const own = shape.name.startsWith("form")
    ? new URLSearchParams(shape.body as never).toString()
    : JSON.stringify(shape.body ?? {});
  const body = method === "GET" || method === "HEAD" ? "" : chance(0.5) ? pick(BODIES) : own;
  const ownType = shape.name.startsWith("form") ? "application/x-www-form-urlencoded" : "application/json";
  const headers = {
    "Content-Type": chance(0.15) ? pick(TYPES) : ownType,
    // A key of the right form, which only the database can tell from a real one.
    ...(/^(GET|POST|PUT|DELETE) /.test(shape.name) && { Authorization: `Bearer ${makeSecret()}` }),
    ...(chance(0.4) && pick(HEADERS)),
    // Each from an address of its own: no limit on addresses helps.
    "X-Forwarded-For": `${Math.floor(random() * 223) + 1}.${Math.floor(random() * 255)}.7.${Math.floor(random() * 255)}`,
  };
  return { method, path: shape.path + (chance(0.4) ? pick(TAILS) : ""), headers, body };
}

/** The size in bytes, without Origin, Host and what HTTP adds. */
export const sizeOf = ({ method, path, headers, body }: Sent) =>
  method.length + path.length + body.length + JSON.stringify(headers).length;

/** @returns the status; null when the connection ended without an answer */
export function send(agent: Agent, url: string, sent: Sent): Promise<number | null> {
  const { method, path, body } = sent;
  const { hostname, port, origin } = new URL(url);
  const headers: Record<string, string> = { Origin: origin, ...sent.headers };
  if (method !== "GET" && method !== "HEAD") headers["Content-Length"] = String(Buffer.byteLength(body));
  return new Promise((resolve) => {
    const asked = request({ agent, hostname, port, method, path, headers });
    asked.on("response", (answer) => {
      answer.resume();
      answer.on("close", () => resolve(answer.statusCode ?? null));
    });
    asked.on("error", () => resolve(null));
    asked.end(body);
  });
}
