import { afterAll, beforeAll, expect } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { makeLog } from "../kernel/log";
import { handlePublic } from "../public/handler";
import { createTestDatabase, type TestDatabase } from "./database";

export const APP_URL = "https://list.example.org";
export const CALLER = "203.0.113.7";

/** The database and the app of the current test file. */
export let database: TestDatabase;
export let app: AppContext;

/** Opens another app, such as one with another database. */
export function openApp(databaseUrl: string, settings: Record<string, string> = {}): Promise<AppContext> {
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL, ...settings });
  return createApp(config, databaseUrl, ["a secret for tests that is long enough"], makeLog(config));
}

export function openAppForTests(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    app = await openApp(database.url, settings);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });
}

/** Requests a page, without an HTTP server. */
export const ask = (
  path: string,
  init: RequestInit = {},
  { current = app, caller = CALLER as string | null } = {},
): Promise<Response> => handlePublic(current, new Request(new URL(path, APP_URL), init), caller);

export const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
  ask(path, { method: "POST", body: new URLSearchParams(fields), headers });

/** Fails unless the answer is one of our pages with its security headers. @returns the page's HTML */
export async function pageOf(response: Response, status = 200): Promise<string> {
  const text = await response.text();
  expect([response.status, text.slice(0, 15)]).toEqual([status, "<!doctype html>"]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  for (const header of ["set-cookie", "location"]) expect(response.headers.get(header)).toBeNull();
  return text;
}
