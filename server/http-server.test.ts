import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppContext, share } from "./app";
import { GET, POST } from "./handlers";
import { type HttpApp, OWNER, openHttpApp } from "./test/http-app";

let opened: HttpApp;
let app: AppContext;
let origin: string;

beforeAll(async () => {
  opened = await openHttpApp();
  ({ app, origin } = opened);
  share(Promise.resolve(app));
});
afterAll(() => opened.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`${origin}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin, ...headers },
    body: JSON.stringify(body),
  });

it("signs a person in, and answers what the dashboard asks for then", async () => {
  const signedIn = await fetch(post("/api/auth/sign-in/email", OWNER));
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const [newsletter] = await app.db.newsletter.findMany();
  const asked = encodeURIComponent(JSON.stringify({ json: { newsletterId: newsletter?.id } }));
  const answer = await fetch(`${origin}/api/trpc/keys.list?input=${asked}`, {
    headers: { cookie },
  });
  expect(await answer.text()).toContain('"result"');
  expect(answer.status).toBe(200);
  const stranger = await fetch(`${origin}/api/trpc/keys.list?input=${asked}`);
  expect(stranger.status).toBe(401);
});

it("has nothing at other paths below /api", async () => {
  expect((await fetch(`${origin}/api/nope`)).status).toBe(404);
  expect((await fetch(`${origin}/api/health`)).status).toBe(200);
});

it("as a Next route answers the same, and knows the caller from what a trusted proxy forwards", async () => {
  const health = await GET(new Request(`${origin}/api/health`));
  expect(health.status).toBe(200);
  const key = { Authorization: "Bearer sk_nobody" };
  const answer = await POST(post("/api/v1/subscribers", {}, { ...key, "X-Forwarded-For": "203.0.113.9" }));
  expect(answer.status).toBe(401);
});
