import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { listenerOf } from "../http-server";
import { makeLog } from "../kernel/log";
import { setUp } from "../newsletters/set-up";
import { createTestDatabase } from "./database";

/** The owner of the account in such an app. */
export const OWNER = { email: "ada@lovelace.org", password: "correct horse battery" };

/** Opens an app on a new database, with an account and a newsletter. Its handlers answer at `origin`. */
export async function openHttpApp(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = loadConfig({ LOG_LEVEL: "silent", TRUST_PROXY: "1", APP_URL: origin, ...settings });
  const app: AppContext = await createApp(
    config,
    database.url,
    ["a secret for tests that is long enough"],
    makeLog(config),
  );
  const { newsletter } = await setUp(
    { db: app.db, actor: { kind: "operator" }, requestId: "test" },
    { account: "Lovelace", newsletter: "Notes", ...OWNER },
  );
  server.on("request", listenerOf(app));
  return {
    app,
    newsletterId: newsletter.id,
    origin,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await database.drop();
    },
  };
}
export type HttpApp = Awaited<ReturnType<typeof openHttpApp>>;
