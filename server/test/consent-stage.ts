import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "pg";
import { startFakeResend } from "../../e2e/fixtures/fake-resend";
import { staffAt } from "../../e2e/fixtures/staff";
import { type AppContext, createApp } from "../app";
import { loadConfig } from "../config";
import { listenerOf } from "../http-server";
import { makeLog } from "../kernel/log";
import { setUp } from "../newsletters/set-up";
import { createTestDatabase } from "./database";
import { openJobRunner } from "./every-job";

export const WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;

const SETTINGS = {
  RATE_LIMIT: "off",
  RATE_LIMIT_BULK: "off",
  RATE_LIMIT_ME: "off",
  RATE_LIMIT_SESSION: "off",
  RATE_LIMIT_ADDRESS: "off",
  RATE_LIMIT_SIGN_UP: "off",
  LOCKOUT_AUTH: "off",
  LOCKOUT_ERRORS: "off",
  RESEND_API_KEY: "re_test",
  RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
  MAIL_FROM: "Rollcall <hello@list.example>",
};

/** Opens an app as one of several servers of an installation, listening on loopback. */
async function openServer(
  databaseUrl: string,
  resendUrl: string,
): Promise<{ app: AppContext; server: Server }> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const APP_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = loadConfig({ LOG_LEVEL: "error", ...SETTINGS, RESEND_BASE_URL: resendUrl, APP_URL });
  const app = await createApp(config, databaseUrl, ["one secret for both of the servers"], makeLog(config));
  server.on("request", listenerOf(app));
  return { app, server };
}

/**
 * Opens an installation of two servers with all adapters, a mail provider, an account with two newsletters and its
 * owner. Jobs run only when a test asks.
 */
export async function openConsentStage() {
  const database = await createTestDatabase();
  const fake = await startFakeResend();
  const servers = [await openServer(database.url, fake.url), await openServer(database.url, fake.url)];
  const [{ app }] = servers as [{ app: AppContext; server: Server }];
  const owner = { email: "ada@lovelace.org", password: "correct horse battery" };
  const made = await setUp(
    { db: app.db, actor: { kind: "operator" }, requestId: "test" },
    { account: "Lovelace", newsletter: "Notes", ...owner },
  );
  const pool = new Pool({ connectionString: database.url, max: 4 });
  // A connection may still be closing when its database is dropped.
  pool.on("error", () => {});
  const staff = await staffAt(app.appUrl, owner.email, owner.password);
  return {
    app,
    databaseUrl: database.url,
    urls: servers.map((one) => one.app.appUrl),
    fake,
    key: made.key.secret,
    /** The newsletter of the API key. */
    newsletterId: made.newsletter.id,
    accountId: made.account.id,
    staff,
    jobs: await openJobRunner(app),
    async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await pool.query(text, values)).rows as Row[];
    },
    async close() {
      for (const one of servers) {
        await new Promise((resolve) => one.server.close(resolve));
        await one.app.close();
      }
      await pool.end();
      await fake.stop();
      await database.drop();
    },
  };
}
export type ConsentStage = Awaited<ReturnType<typeof openConsentStage>>;
