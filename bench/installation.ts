import { join } from "node:path";
import { build } from "esbuild";
import pg from "pg";
import { projectRoot } from "../server/kernel/project-root";
import { runAdmin, type Settings, startProduct } from "../server/test/product";
import { removeDataDir, throwawayDataDir } from "../server/test/throwaway-cluster";
import { begin } from "./ending";

const owner = { email: "bench@example.org", password: "a long enough password" };

const off = { RATE_LIMIT_READ: "off", RATE_LIMIT_WRITE: "off", RATE_LIMIT_BULK: "off" };
/** As in production but without limits. */
export const withoutLimits: Settings = { NODE_ENV: "production", ...off };

/** Starts the product with one newsletter. */
export async function startInstallation() {
  const dataDir = await begin("the data folder", throwawayDataDir, removeDataDir);
  const env = { ...withoutLimits, DATA_DIR: dataDir };
  const product = await begin(
    "the product",
    () => startProduct({ env }),
    (one) => one.stop(),
  );
  return { product, key: await setUp({ DATA_DIR: dataDir }) };
}

/** Makes the tables, a newsletter and a key in the database of these settings. @returns the key's secret */
export async function setUp(env: Settings): Promise<string> {
  const names = ["--account", "Bench", "--newsletter", "Bench", "--email", owner.email];
  const args = ["setup", ...names, "--password", owner.password];
  type Made = { key: { secret: string } };
  // The command uses the product's PostgreSQL, so the product ends after it.
  const { key } = await begin(
    "the setup",
    () => runAdmin<Made>(args, env),
    () => {},
  );
  return key.secret;
}

export function connect(connectionString: string): Promise<pg.Client> {
  const open = async () => {
    const client = new pg.Client({ connectionString, application_name: "bench" });
    client.on("error", () => {}); // a lost connection also rejects the query in flight
    await client.connect();
    return client;
  };
  return begin("a connection", open, (client) => client.end());
}

/**
 * Compiles a file of this folder to plain JavaScript, like the product. Through a loader, each function would cost more
 * and the ratios would be wrong. @returns the path of the compiled file
 */
export async function compile(name: string): Promise<string> {
  const outfile = join(projectRoot(), ".build", "bench", `${name}.mjs`);
  await build({
    entryPoints: [join(projectRoot(), "bench", `${name}.ts`)],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}
