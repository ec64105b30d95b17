import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pauseMails } from "../mail/pause";
import { noteBackup } from "../operations/queries/last-backup";
import { type HttpApp, openHttpApp } from "../test/http-app";
import { handleHealth, maySeeDetails } from "./health";

const HEALTH_TOKEN = "a token that shows how each part does";
const local = { host: "localhost:3000" };
const forwarded = { ...local, "x-forwarded-for": "127.0.0.1" };
const withToken = { authorization: `Bearer ${HEALTH_TOKEN}` };

describe("details of /api/health are shown", () => {
  test.each<[string, Record<string, string>, string | null, boolean, string?]>([
    ["to this machine", local, "127.0.0.1", true],
    ["to this machine by IPv6", { host: "[::1]:3000" }, "::1", true],
    ["to this machine under our own name", { host: "LIST.example.org:443" }, "127.0.0.1", true],
    ["not to strangers", local, "203.0.113.9", false],
    ["not to strangers in IPv6 notation", local, "::ffff:203.0.113.9", false],
    ["not to a private network", local, "10.0.0.1", false],
    ["not to an unknown address", local, null, false],
    ["not through a proxy on this machine", forwarded, "127.0.0.1", false],
    [
      "not through a proxy with the newer header",
      { ...local, forwarded: "for=127.0.0.1" },
      "127.0.0.1",
      false,
    ],
    ["not with a token where none is set", { authorization: "Bearer undefined" }, "203.0.113.9", false],
    // DNS rebinding
    ["not under another name", { host: "localhost.evil.example" }, "127.0.0.1", false],
    ["not under two names", { host: "localhost, evil.example" }, "127.0.0.1", false],
    ["not without a name", {}, "127.0.0.1", false],
    ["to the bearer of the token", withToken, "203.0.113.9", true, HEALTH_TOKEN],
    [
      "not with another token",
      { authorization: `Bearer ${HEALTH_TOKEN}x` },
      "127.0.0.1",
      false,
      HEALTH_TOKEN,
    ],
    ["not to this machine without the token", local, "127.0.0.1", false, HEALTH_TOKEN],
  ])("%s", (_, headers, caller, isShown, token) => {
    const app = { appUrl: "https://list.example.org", config: { HEALTH_TOKEN: token } } as never;
    expect(maySeeDetails(app, { headers: new Headers(headers) } as Request, caller)).toBe(isShown);
  });
});

describe("/api/health", () => {
  let opened: HttpApp;
  beforeAll(async () => {
    opened = await openHttpApp({ BACKUP_DIR: "/nonexistent" });
  });
  afterAll(() => opened.close());
  const ask = (caller: string, app = opened.app) =>
    handleHealth(app, new Request(`${opened.origin}/api/health`, { headers: local }), caller);

  test("shows paused emails and failed backups", async () => {
    expect(await (await ask("127.0.0.1")).json()).toMatchObject({ delivery: { paused: null } });
    await pauseMails({ db: opened.app.db, actor: { kind: "operator" }, requestId: "test" });
    await noteBackup(opened.app.db, { error: "no space left" });
    expect(await (await ask("127.0.0.1")).json()).toMatchObject({
      delivery: { paused: { by: "operator" } },
      backup: { madeAt: null, ageHours: null, issue: "no space left" },
    });
  });

  test("shows strangers only the status", async () => {
    expect(await (await ask("203.0.113.9")).json()).toEqual({ status: "ok" });
    const answer = await ask("203.0.113.9", { ...opened.app, isDatabaseUp: async () => false });
    expect([answer.status, await answer.json()]).toEqual([503, { status: "unavailable" }]);
  });
});
