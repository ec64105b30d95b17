import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { AppContext } from "../../app";
import { handlePublic } from "../../public/handler";
import { type HttpApp, openHttpApp } from "../../test/http-app";
import { beforeTimeout } from "./oidc";
import { handleStaffAuth } from "./staff-handler";
import { findSignedIn } from "./staff-session";

const APP = "http://localhost:3000";

let opened: HttpApp;
let app: AppContext;
let staffId: string;
let name: string;
let provider: Provider;

beforeAll(async () => {
  opened = await openHttpApp({ APP_URL: APP, LOCKOUT_AUTH: "off" });
  provider = await startProvider();
  ({ id: staffId, name } = await opened.app.db.staffMember.findFirstOrThrow());
});
beforeEach(() => {
  const oidc = { issuer: provider.issuer, clientId: "rollcall", clientSecret: "shared secret" };
  app = { ...opened.app, oidc } as AppContext;
});
afterAll(async () => {
  provider.server.close();
  await opened.close();
});

type Provider = {
  server: Server;
  issuer: string;
  /** The provider's claims about the next person who signs in. */
  claims: Record<string, unknown>;
};

/** An OpenID Connect provider, at which everybody is signed in already. */
async function startProvider(): Promise<Provider> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const codes = new Map<string, string | null>();
  const state: Provider = { server: createServer(), issuer: "", claims: {} };
  const idToken = (nonce: string | null) => {
    const now = Math.floor(Date.now() / 1000);
    const spans = { iat: now, exp: now + 300 };
    const claims = { iss: state.issuer, aud: "rollcall", ...spans, ...(nonce && { nonce }), ...state.claims };
    const signed = `${encode({ alg: "RS256", kid: "1", typ: "JWT" })}.${encode(claims)}`;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
  };
  state.server.on("request", async (request: IncomingMessage, response) => {
    const url = new URL(request.url ?? "/", state.issuer);
    const json = (body: object) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration")
      return json({
        issuer: state.issuer,
        authorization_endpoint: `${state.issuer}/authorize`,
        token_endpoint: `${state.issuer}/token`,
        jwks_uri: `${state.issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    if (url.pathname === "/keys")
      return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] });
    if (url.pathname === "/authorize") {
      const code = randomBytes(8).toString("hex");
      codes.set(code, url.searchParams.get("nonce"));
      const back = new URL(url.searchParams.get("redirect_uri") as string);
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") as string);
      return response.writeHead(302, { location: back.href }).end();
    }
    const body = new URLSearchParams(await text(request));
    const code = body.get("code") ?? "";
    if (!codes.has(code) || !body.get("code_verifier")) return response.writeHead(400).end("{}");
    const nonce = codes.get(code) ?? null;
    codes.delete(code);
    return json({ access_token: "kept by nobody", token_type: "Bearer", id_token: idToken(nonce) });
  });
  await new Promise<void>((resolve) => state.server.listen(0, "127.0.0.1", resolve));
  state.issuer = `http://127.0.0.1:${(state.server.address() as AddressInfo).port}`;
  return state;
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");

function begin(body: object = { next: "/n/1/people" }): Promise<Response> {
  const headers = { "Content-Type": "application/json", Origin: APP };
  const request = new Request(`${APP}/api/auth/sign-in/social`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return handleStaffAuth(app, request, "192.0.2.7");
}

/** Goes to the provider and comes back. @returns the answer to the callback */
async function signIn(options: { cookie?: string; body?: object } = {}): Promise<Response> {
  const begun = await begin(options.body);
  const { url } = (await begun.json()) as { url: string };
  const back = (await fetch(url, { redirect: "manual" })).headers.get("location") as string;
  const cookie = options.cookie ?? cookiesOf(begun);
  return handleStaffAuth(app, new Request(back, { headers: { cookie } }), "192.0.2.7");
}

const signedInBy = (response: Response) => findSignedIn(app, new Headers({ cookie: cookiesOf(response) }));

it("signs in staff, opens the page they requested, and stores no token of the provider", async () => {
  provider.claims = { sub: "u-1", email: "Ada@Lovelace.org", email_verified: true, name: "A. L." };
  const answer = await signIn();
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/n/1/people"]);
  expect(await signedInBy(answer)).toMatchObject({ id: staffId, name, role: "owner" });
  const credential = await app.db.staffCredential.findFirstOrThrow({ where: { providerId: "oidc" } });
  expect(credential).toMatchObject({
    staffId,
    providerAccountId: "u-1",
    accessToken: null,
    idToken: null,
    refreshToken: null,
  });
  const noted = await app.db.auditEntry.findFirst({ where: { action: "staff.signed_in" } });
  expect(noted).toMatchObject({ actorId: staffId, address: "192.0.2.7" });
  // Later sign-ins match by subject, whatever address the provider sends.
  provider.claims = { sub: "u-1", email: "ada@elsewhere.org", email_verified: true };
  expect(await signedInBy(await signIn())).toMatchObject({ id: staffId, email: "ada@lovelace.org" });
});

const ada = { sub: "u-1", email: "ada@lovelace.org", email_verified: true };

it("is begun by the sign-in page, without a redirect of its form, and leads to the requested page", async () => {
  provider.claims = ada;
  const body = new URLSearchParams({ way: "oidc" });
  const sent = new Request(`${APP}/sign-in?next=%2Fn%2F1`, {
    method: "POST",
    headers: { Origin: APP },
    body,
  });
  const page = await handlePublic(app, sent, "192.0.2.7");
  const url = /^0; url=(.+)$/.exec(page.headers.get("refresh") ?? "")?.[1] as string;
  expect([page.status, new URL(url).origin]).toEqual([200, provider.issuer]);
  expect(await page.text()).toContain(
    `<a href="${url.replaceAll("&", "&amp;")}">Go to your organisation</a>`,
  );
  const back = (await fetch(url, { redirect: "manual" })).headers.get("location") as string;
  const headers = { cookie: cookiesOf(page) };
  const answer = await handleStaffAuth(app, new Request(back, { headers }), "192.0.2.7");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/n/1"]);
  expect(await signedInBy(answer)).toMatchObject({ id: staffId });
});

it.each([
  ["a stranger", { ...ada, sub: "u-2", email: "eve@evil.example" }],
  ["an address that is not verified", { ...ada, sub: "u-3", email_verified: false }],
  ["an address of which nobody says that it is verified", { sub: "u-4", email: ada.email }],
  ["another issuer's word", { ...ada, iss: "https://evil.example" }],
  ["a word for another client", { ...ada, aud: "another" }],
  ["another sign-in's word", { ...ada, nonce: "another" }],
  ["a word that has expired", { ...ada, exp: 1 }],
])("signs nobody in by %s, and makes nobody staff", async (_, claims) => {
  provider.claims = claims;
  const answer = await signIn();
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/sign-in?oidc=failed"]);
  expect(await signedInBy(answer)).toBe(null);
  expect(await app.db.staffMember.count()).toBe(1);
});

it("does not sign in a person who returns in another browser", async () => {
  provider.claims = ada;
  const answer = await signIn({ cookie: "other=1" });
  expect(answer.headers.get("location")).toBe("/sign-in?oidc=failed");
  expect(await signedInBy(answer)).toBe(null);
});

it("redirects to our own pages only, and accepts no ready-made token", async () => {
  provider.claims = ada;
  const answer = await signIn({ body: { next: "//evil.example" } });
  expect(answer.headers.get("location")).toBe("/");
  const ready = await begin({ next: "/", provider: "oidc", idToken: { token: "a.b.c" } });
  expect(Object.keys((await ready.json()) as object)).toEqual(["url"]);
});

it("answers 404 when no provider is set up", async () => {
  app.oidc = null;
  expect((await begin()).status).toBe(404);
});

it("says that the provider is unavailable, and calls it again the next time", async () => {
  const { issuer } = provider;
  app.oidc = { issuer: "http://127.0.0.1:9", clientId: "rollcall", clientSecret: "shared secret" };
  const away = await begin();
  expect(away.status).toBe(503);
  expect(await away.json()).toMatchObject({ message: expect.stringContaining("use your password") });
  await expect(beforeTimeout(new Promise(() => {}), 10)).rejects.toMatchObject({ status: 503 });
  app.oidc.issuer = issuer;
  expect((await begin()).status).toBe(200);
});
