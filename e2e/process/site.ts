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
import type { Mount } from "../contract/client";
import { NO_LIMITS } from "../contract/start";
import { type FakeResend, startFakeResend } from "../fixtures/fake-resend";
import { childrenOf } from "./pids";

/** One installation: its data, its mail provider, and the processes that come and go on them. */
export type Site = {
  env: Settings;
  fake: FakeResend;
  /** Made by `setup`. */
  key: string;
  keyId: string;
  newsletterId: string;
  accountId: string;
  /** Starts a process of the product; on its own database always on the same port. */
  start(more?: Settings): Promise<Product>;
  admin<T = Record<string, never>>(...args: string[]): Promise<T>;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Of the PostgreSQL in the site's own data: the postmaster first, then its children; none when it isn't up. */
  postgresPids(): number[];
  /** Stops everything and removes the data. */
  close(): Promise<void>;
};

type Options = {
  /** own: the PostgreSQL in a DATA_DIR. shared: a DATABASE_URL, which several processes may use; its own one or a given one. */
  database: "own" | "shared" | { url: string };
  settings?: Settings;
  /** A folder for DATA_DIR that is there already; else a throwaway one. */
  dataDir?: string;
};

/** Opens an installation with its first process running and set up. */
export async function openSite({
  database,
  settings = {},
  dataDir = throwawayDataDir(),
}: Options): Promise<Site & { first: Product }> {
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

  const site: Site = {
    env,
    fake,
    key: "",
    keyId: "",
    newsletterId: "",
    accountId: "",
    async start(more = {}) {
      const product = await startProduct({ env: { ...env, ...more }, ...(shared ? {} : { port }) });
      products.push(product);
      return product;
    },
    admin: (...args) => runAdmin(args, env),
    sql: (text, values) => query(shared?.url ?? ownUrl(dataDir), text, values),
    postgresPids() {
      const pid = readPostmasterPid(realpathSync(join(dataDir, "postgres")));
      return pid ? [pid, ...childrenOf(pid)] : [];
    },
    async close() {
      fake.heal();
      await Promise.all(products.map((product) => product.stop()));
      await removeDataDir(dataDir);
      await shared?.drop();
      await fake.stop();
    },
  };
  try {
    const first = await site.start();
    const made = await installOn(shared?.url ?? ownUrl(dataDir));
    site.key = made.key.secret;
    site.keyId = made.key.id;
    site.newsletterId = made.newsletter.id;
    site.accountId = made.account.id;
    // Addresses of tests share a domain.
    await site.sql("UPDATE newsletters SET domain_mails_per_day = 100000, mails_per_day = 1000000");
    return Object.assign(site, { first });
  } catch (error) {
    await site.close();
    throw error;
  }
}

async function sharedDatabase(database: Options["database"]): Promise<TestDatabase | undefined> {
  if (typeof database === "object") return { ...database, drop: async () => {} };
  return database === "shared" ? createTestDatabase() : undefined;
}

/** A site for one test, closed when it ends. @param test the test's own context, since tests may run side by side */
export async function siteForTest(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  options: Options,
): Promise<Site & { first: Product }> {
  const site = await openSite(options);
  onTestFinished(() => site.close());
  return site;
}

/** A process as the contract's client knows it. */
export const mountOf = ({ url }: Mount): Mount => ({ url });

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

async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
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
