import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { findPlace } from "../server/db/embedded/place";
import { asSuperuser } from "../server/db/embedded/probe";
import { startEmbeddedPostgres } from "../server/db/embedded-postgres";
import { runAdmin, startProduct } from "../server/testing/product";
import type { Built } from "./build-processes";
import { Child } from "./child";
import type { Ending } from "./ending";

/** Something that answers POST /api/v1/subscribers and …/bulk, and the database behind it. */
export interface Server {
  name: string;
  url: string;
  key: string;
  pid: number;
  database: pg.Client;
}

export interface Postgres {
  /** The product's database. */
  productUrl: string;
  /** The floor's database, on the same server. */
  floorUrl: string;
  product: pg.Client;
  floor: pg.Client;
}

/** Settings of the product in every measurement: as in production, but for the limits. */
const productSettings = { NODE_ENV: "production", RATE_LIMIT: "off", RATE_LIMIT_BULK: "off" };

/** A fresh, durable PostgreSQL with two databases. @param dataDir an absent or empty folder */
export async function startPostgres(
  dataDir: string,
  ending: Ending,
  log: (line: string) => void,
): Promise<Postgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  ending.add("PostgreSQL", () => postgres.stop());

  const { port, username } = new URL(postgres.url);
  await asSuperuser(findPlace(dataDir, log), Number(port), async (client) => {
    await client.query(`GRANT pg_checkpoint TO ${client.escapeIdentifier(username)}`);
  });

  const product = await connect(postgres.url, ending);
  await product.query("CREATE DATABASE bench_floor");
  const floorUrl = new URL(postgres.url);
  floorUrl.pathname = "/bench_floor";
  return {
    productUrl: postgres.url,
    floorUrl: floorUrl.href,
    product,
    floor: await connect(floorUrl.href, ending),
  };
}

export async function startFloor(postgres: Postgres, built: Built, ending: Ending): Promise<Server> {
  const key = `sk_${randomBytes(16).toString("hex")}`;
  const keyHash = createHash("sha256").update(key).digest("hex");
  const child = Child.start("the floor", built.floor, [postgres.floorUrl, keyHash]);
  ending.add("the floor", () => child.stop());
  const { url } = await child.next<{ url: string }>();
  return { name: "floor", url, key, pid: child.pid, database: postgres.floor };
}

/** Makes the one account, newsletter and key of the bench. Answers the key's secret. */
export async function setUpProduct(postgres: Postgres): Promise<string> {
  const password = randomBytes(16).toString("hex");
  const args = ["--account", "Bench", "--newsletter", "Bench", "--email", "bench@example.org"];
  const made = await runAdmin<{ key: { secret: string } }>(["setup", ...args, "--password", password], {
    ...productSettings,
    DATABASE_URL: postgres.productUrl,
    DATA_DIR: postgres.scratchDir,
  });
  return made.key.secret;
}

/** @param settings what differs from the others: `{ FAST_DOOR: "off" }` for the Next mount */
export async function startRollcall(
  name: string,
  settings: Record<string, string>,
  key: string,
  postgres: Postgres,
  ending: Ending,
): Promise<Server> {
  const product = await startProduct({
    env: { ...productSettings, DATABASE_URL: postgres.productUrl, ...settings },
  });
  ending.add(name, () => product.stop());
  return { name, url: product.url, key, pid: product.pid, database: postgres.product };
}

async function connect(url: string, ending: Ending): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "bench" });
  client.on("error", () => {}); // a broken connection also rejects the query under way: it is told there
  await client.connect();
  ending.add("a connection", () => client.end());
  return client;
}
