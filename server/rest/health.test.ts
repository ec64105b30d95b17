import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pauseMails } from "../mail/pause";
import { noteBackup } from "../operations/queries/last-backup";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { handleHealth } from "./health";

const TOKEN = "a token that shows how each part does";
const ALL = ["database", "delivery", "disk", "issues", "limiter", "status", "version"];

async function fieldsAt(origin: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${origin}/api/health`, { headers });
  expect(answer.status).toBe(200);
  return Object.keys((await answer.json()) as object).sort();
}

describe.each([
  ["without TRUST_PROXY", "off"],
  ["behind one proxy", "1"],
  ["behind a proxy on this machine", "loopback"],
])("/api/health %s", (_, TRUST_PROXY) => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp({ TRUST_PROXY });
  });
  afterAll(() => opened.close());

  it("shows this machine how each part does", async () => {
    expect(await fieldsAt(opened.origin)).toEqual(ALL);
  });

  it.each<[string, Record<string, string>]>([
    ["forwarded for a stranger", { "X-Forwarded-For": "203.0.113.9" }],
    ["forwarded for who claims to be this machine", { "X-Forwarded-For": "127.0.0.1" }],
    ["forwarded in the newer way", { Forwarded: "for=203.0.113.9" }],
    [
      "with a token, where none is set",
      { "X-Forwarded-For": "203.0.113.9", Authorization: "Bearer undefined" },
    ],
  ])("says only ok to a request %s", async (_, headers) => {
    expect(await fieldsAt(opened.origin, headers)).toEqual(["status"]);
  });
});

describe("/api/health to strangers", () => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp();
  });
  afterAll(() => opened.close());

  it.each(["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::1", "10.0.0.1", null])(
    "says only ok to the address %s",
    async (caller) => {
      const answer = await handleHealth(opened.app, new Request(`${opened.origin}/api/health`), caller);
      expect(await answer.json()).toEqual({ status: "ok" });
    },
  );

  it("says only unavailable to strangers while the database is away", async () => {
    const away = { ...opened.app, isDatabaseUp: async () => false };
    const answer = await handleHealth(away, new Request(`${opened.origin}/api/health`), "203.0.113.9");
    expect([answer.status, await answer.json()]).toEqual([503, { status: "unavailable" }]);
  });
});

it("/api/health tells that mails are paused, and how backups go where they are scheduled", async () => {
  const opened = await openHttpApp({ BACKUP_DIR: "/nonexistent" });
  try {
    const asked = async () => {
      const request = new Request(`${opened.origin}/api/health`, { headers: { Host: "localhost" } });
      return (await handleHealth(opened.app, request, "127.0.0.1")).json();
    };
    expect(await asked()).toMatchObject({ delivery: { paused: null } });
    await pauseMails({ db: opened.app.db, actor: { kind: "operator" }, requestId: "test" });
    await noteBackup(opened.app.db, { error: "no space left" });
    expect(await asked()).toMatchObject({
      delivery: { paused: { by: "operator" } },
      backup: { madeAt: null, ageHours: null, issue: "no space left" },
    });
  } finally {
    await opened.close();
  }
});

it("/api/health shows this machine the details under its own names only (DNS rebinding)", async () => {
  const opened = await openHttpApp({ APP_URL: "https://list.example.org" });
  const fieldsUnder = async (host: string) => {
    const request = new Request(`${opened.origin}/api/health`, { headers: { Host: host } });
    return Object.keys(await (await handleHealth(opened.app, request, "127.0.0.1")).json()).sort();
  };
  try {
    for (const host of [
      "localhost:3000",
      "127.0.0.1",
      "[::1]:3000",
      "list.example.org",
      "LIST.example.org:443",
    ])
      expect([host, await fieldsUnder(host)]).toEqual([host, ALL]);
    for (const host of ["evil.example", "localhost.evil.example", "localhost, evil.example", "a b", ""])
      expect([host, await fieldsUnder(host)]).toEqual([host, ["status"]]);
  } finally {
    await opened.close();
  }
});

describe("/api/health with HEALTH_TOKEN", () => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp({ HEALTH_TOKEN: TOKEN });
  });
  afterAll(() => opened.close());

  it.each<[string, Record<string, string>, string[]]>([
    ["shows everything to its bearer", { Authorization: `Bearer ${TOKEN}` }, ALL],
    [
      "shows everything to its bearer elsewhere",
      { Authorization: `Bearer ${TOKEN}`, "X-Forwarded-For": "203.0.113.9" },
      ALL,
    ],
    ["says only ok to this machine without it", {}, ["status"]],
    ["says only ok to another token", { Authorization: `Bearer ${TOKEN}x` }, ["status"]],
  ])("%s", async (_, headers, fields) => {
    expect(await fieldsAt(opened.origin, headers)).toEqual(fields);
  });
});
