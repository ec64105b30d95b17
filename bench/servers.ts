import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "../server/platform/postgres/embedded-postgres";
import { urlOf, withClient } from "../server/platform/postgres/sessions";
import { runAdmin, startProduct } from "../server/test/product";
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

/** The database server of the run, with a database for each side. */
interface Ground {
  floorUrl: string;
  product: pg.Client;
  floor: pg.Client;
  /** The product's settings, as in production but without limits. */
  productSettings: Record<string, string>;
}

/** A fresh, durable PostgreSQL with two databases. @param folder an empty one that other users can pass through */
export async function startGround(
  folder: string,
  ending: Ending,
  log: (line: string) => void,
): Promise<Ground> {
  const dataDir = join(folder, "data");
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  ending.add("PostgreSQL", () => postgres.stop());

  await withClient(urlOf(join(dataDir, "postgres"), "postgres"), (client) =>
    client.query(`GRANT pg_checkpoint TO ${new URL(postgres.url).username}`),
  );

  const product = await connect(postgres.url, ending);
  await product.query("CREATE DATABASE bench_floor");
  const floorUrl = new URL(postgres.url);
  floorUrl.pathname = "/bench_floor";
  return {
    floorUrl: floorUrl.href,
    product,
    floor: await connect(floorUrl.href, ending),
    productSettings: {
      NODE_ENV: "production",
      RATE_LIMIT: "off",
      RATE_LIMIT_BULK: "off",
      AUTH_SECRET: randomBytes(32).toString("hex"),
      DATABASE_URL: postgres.url,
      DATA_DIR: join(folder, "product"),
    },
  };
}

export async function startFloor(ground: Ground, built: Built, ending: Ending): Promise<Server> {
  const key = `sk_${randomBytes(16).toString("hex")}`;
  const keyHash = createHash("sha256").update(key).digest("hex");
  const child = Child.start("the floor", built.floor, [ground.floorUrl, keyHash]);
  ending.add("the floor", () => child.stop());
  const { url } = await child.next<{ url: string }>();
  return { name: "floor", url, key, pid: child.pid, database: ground.floor };
}

/** Makes the one account, newsletter and key of the bench. Answers the key's secret. */
export async function setUpProduct(ground: Ground): Promise<string> {
  const password = randomBytes(16).toString("hex");
  const names = ["--account", "Bench", "--newsletter", "Bench", "--email", "bench@example.org"];
  const args = ["setup", ...names, "--password", password];
  const made = await runAdmin<{ key: { secret: string } }>(args, ground.productSettings);
  return made.key.secret;
}

export async function startRollcall(key: string, ground: Ground, ending: Ending): Promise<Server> {
  const name = "REST in front";
  const product = await startProduct({ env: ground.productSettings });
  ending.add(name, () => product.stop());
  return { name, url: product.url, key, pid: product.pid, database: ground.product };
}

async function connect(url: string, ending: Ending): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "bench" });
  client.on("error", () => {}); // a broken connection also rejects the query under way: it is told there
  await client.connect();
  ending.add("a connection", () => client.end());
  return client;
}
