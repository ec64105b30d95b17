import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { listenerOf } from "../http-server";
import { makeLog } from "../kernel/log";
import { setUp } from "../newsletters/set-up";
import { createTestDatabase } from "./database";

/** The owner of the account in such an app. */
export const OWNER = { email: "ada@lovelace.org", password: "correct horse battery" };

/** Opens an app whose handlers answer at `origin`. */
export async function openHttpServer(databaseUrl: string, settings: Record<string, string>) {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL: origin, ...settings });
  const secret = "a secret for tests that is long enough";
  const app: AppContext = await createApp(config, databaseUrl, [secret], makeLog(config));
  server.on("request", listenerOf(app));
  return {
    app,
    origin,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await app.close();
    },
  };
}

/** Opens an app on a new database, with an account and a newsletter. Its handlers answer at `origin`. */
export async function openHttpApp(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const { close, ...opened } = await openHttpServer(database.url, { TRUST_PROXY: "1", ...settings });
  const { newsletter } = await setUp(
    { db: opened.app.db, actor: { kind: "operator" }, requestId: "test" },
    { account: "Lovelace", newsletter: "Notes", ...OWNER },
  );
  return {
    ...opened,
    newsletterId: newsletter.id,
    async close() {
      await close();
      await database.drop();
    },
  };
}
export type HttpApp = Awaited<ReturnType<typeof openHttpApp>>;

/** The app of the current test file. */
export let opened: HttpApp;
export let app: AppContext;

export function openHttpAppForTests(settings?: Record<string, string>): void {
  beforeAll(async () => {
    opened = await openHttpApp(settings);
    ({ app } = opened);
  });
  afterAll(() => opened.close());
}
