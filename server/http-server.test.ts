import { afterAll, beforeAll, expect, it } from "vitest";
import { type AppContext, share } from "./app";
import { GET, POST } from "./http-handlers";
import { type HttpApp, openHttpApp } from "./test/http-app";

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

it("answers 404 at other paths below /api", async () => {
  expect((await fetch(`${origin}/api/nope`)).status).toBe(404);
  expect((await fetch(`${origin}/api/health`)).status).toBe(200);
});

it("gives the same answers as a Next route, and takes the caller's address from a trusted proxy", async () => {
  const health = await GET(new Request(`${origin}/api/health`));
  expect(health.status).toBe(200);
  const key = { Authorization: "Bearer sk_nobody" };
  const answer = await POST(post("/api/v1/subscribers", {}, { ...key, "X-Forwarded-For": "203.0.113.9" }));
  expect(answer.status).toBe(401);
});
