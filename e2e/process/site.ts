// e2e/process: the built product as processes that are killed, stopped and run side by side.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { TestContext } from "vitest";
import { newId } from "../../server/kernel/ids";
import { setUp } from "../../server/newsletters/set-up";
import { openDatabase } from "../../server/platform/db/client";
import { readPostmasterPid } from "../../server/platform/postgres/postmaster";
import { urlOf } from "../../server/platform/postgres/sessions";
import { createTestDatabase, type TestDatabase } from "../../server/test/database";
import { freePort, type Product, runAdmin, type Settings, startProduct } from "../../server/test/product";
import { removeDataDir, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { NO_LIMITS } from "../contract/start";
import { startFakeResend } from "../fixtures/fake-resend";
import { childrenOf } from "./pids";

export type SiteOptions = {
  /** own: the PostgreSQL in a DATA_DIR. shared: a DATABASE_URL, which several processes may use; its own one or a given one. */
  database: "own" | "shared" | { url: string };
  settings?: Settings;
  /** A folder for DATA_DIR that is there already; else a throwaway one. */
  dataDir?: string;
};

/** Opens an installation: its data, its mail provider, and its first process. Other processes come and go. */
export async function openSite({ database, settings = {}, dataDir = throwawayDataDir() }: SiteOptions) {
  const fake = await startFakeResend();
  const shared = await sharedDatabase(database);
  const env: Settings = {
    ...NO_LIMITS,
    DATA_DIR: dataDir,
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: fake.url,
    MAIL_FROM: "Rollcall <hello@list.example>",
    ...(shared && { DATABASE_URL: shared.url, AUTH_SECRET: "one secret for all of the site's processes" }),
    ...settings,
  };
  const products: Product[] = [];
  const port = await freePort();
  const databaseUrl = () => shared?.url ?? ownUrl(dataDir);

  const site = {
    env,
    fake,
    /** Starts a process of the product; on its own database always on the same port. */
    async start(more: Settings = {}): Promise<Product> {
      const product = await startProduct({ env: { ...env, ...more }, ...(shared ? {} : { port }) });
      products.push(product);
      return product;
    },
    admin: <T = Record<string, never>>(...args: string[]) => runAdmin<T>(args, env),
    sql: <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
      query<Row>(databaseUrl(), text, values),
    /** Of the PostgreSQL in the site's own data: the postmaster first, then its children; none when it isn't up. */
    postgresPids(): number[] {
      const pid = readPostmasterPid(realpathSync(join(dataDir, "postgres")));
      return pid ? [pid, ...childrenOf(pid)] : [];
    },
    /** Stops everything and removes the data. */
    async close(): Promise<void> {
      fake.heal();
      await Promise.all(products.map((product) => product.stop()));
      await removeDataDir(dataDir);
      await shared?.drop();
      await fake.stop();
    },
  };
  try {
    const first = await site.start();
    const { key, newsletter } = await installOn(databaseUrl());
    // Addresses of tests share a domain.
    await site.sql("UPDATE newsletters SET domain_mails_per_day = 100000, mails_per_day = 1000000");
    return { ...site, first, key: key.secret, keyId: key.id, newsletterId: newsletter.id };
  } catch (error) {
    await site.close();
    throw error;
  }
}
export type Site = Awaited<ReturnType<typeof openSite>>;

async function sharedDatabase(database: SiteOptions["database"]): Promise<TestDatabase | undefined> {
  if (typeof database === "object") return { ...database, drop: async () => {} };
  return database === "shared" ? createTestDatabase() : undefined;
}

/** A site for one test, closed when it ends. @param test the test's own context, since tests may run side by side */
export async function siteForTest(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  options: SiteOptions,
): Promise<Site> {
  const site = await openSite(options);
  onTestFinished(() => site.close());
  return site;
}

/** Does `npm run admin -- setup` in this process, because a command starts slowly. */
async function installOn(url: string) {
  const { db, close } = openDatabase({ url, poolSize: 1, onError: () => {} });
  try {
    return await setUp(
      { db, actor: { kind: "operator" }, requestId: newId() },
      {
        account: "Lovelace",
        newsletter: "Notes",
        email: "ada@lovelace.org",
        password: "correct horse battery",
      },
    );
  } finally {
    await close();
  }
}

/** Where the PostgreSQL of a DATA_DIR is reached; PostgreSQL must have been started there once. */
function ownUrl(dataDir: string): string {
  return urlOf(realpathSync(join(dataDir, "postgres")), "rollcall");
}

async function query<Row>(url: string, text: string, values: unknown[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Waits until `look` returns a value; throws with `what` after a bound that only a broken product reaches. */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  seconds = 180,
): Promise<Exclude<T, false | null | undefined>> {
  const giveUpAt = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen) return seen as Exclude<T, false | null | undefined>;
    if (Date.now() > giveUpAt) throw new Error(`Waited ${seconds} s in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
