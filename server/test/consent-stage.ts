import { Pool } from "pg";
import { NO_LIMITS } from "../../e2e/contract/start";
import { startFakeResend } from "../../e2e/fixtures/fake-resend";
import { staffAt } from "../../e2e/fixtures/staff";
import { setUp } from "../newsletters/set-up";
import { createTestDatabase } from "./database";
import { openJobRunner } from "./every-job";
import { openHttpServer } from "./http-app";

export const WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;

const SETTINGS = {
  ...NO_LIMITS,
  RESEND_API_KEY: "re_test",
  RESEND_WEBHOOK_SECRET: WEBHOOK_SECRET,
  MAIL_FROM: "Rollcall <hello@list.example>",
};

/**
 * Opens an installation of two servers with all adapters, a mail provider, an account with two newsletters and its
 * owner. Jobs run only when a test asks.
 */
export async function openConsentStage() {
  const database = await createTestDatabase();
  const fake = await startFakeResend();
  const settings = { LOG_LEVEL: "error", ...SETTINGS, RESEND_BASE_URL: fake.url };
  const first = await openHttpServer(database.url, settings);
  const servers = [first, await openHttpServer(database.url, settings)];
  const { app } = first;
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
    urls: servers.map(({ origin }) => origin),
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
      for (const one of servers) await one.close();
      await pool.end();
      await fake.stop();
      await database.drop();
    },
  };
}
export type ConsentStage = Awaited<ReturnType<typeof openConsentStage>>;
