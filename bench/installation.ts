import { type ChildProcess, fork } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "esbuild";
import pg from "pg";
import { projectRoot } from "../server/kernel/project-root";
import { urlOf } from "../server/platform/postgres/sessions";
import { runAdmin, startProduct } from "../server/test/product";
import { removeDataDir, throwawayDataDir } from "../server/test/throwaway-cluster";
import { begin } from "./ending";

const owner = { email: "bench@example.org", password: "a long enough password" };

/** Starts the product as in production but without limits, with one newsletter. */
export async function startInstallation() {
  const dataDir = await begin("the data folder", throwawayDataDir, removeDataDir);
  const limits = { RATE_LIMIT_READ: "off", RATE_LIMIT_WRITE: "off", RATE_LIMIT_BULK: "off" };
  const env = { NODE_ENV: "production", ...limits, DATA_DIR: dataDir };
  const product = await begin(
    "the product",
    () => startProduct({ env }),
    (one) => one.stop(),
  );
  const names = ["--account", "Bench", "--newsletter", "Bench", "--email", owner.email];
  const args = ["setup", ...names, "--password", owner.password];
  type Made = { key: { secret: string } };
  // The command uses the product's PostgreSQL, so the product ends after it.
  const setUp = () => runAdmin<Made>(args, { DATA_DIR: dataDir });
  const { key } = await begin("the setup", setUp, () => {});
  return { product, key: key.secret };
}

/** Something that answers POST /api/v1/subscribers and …/bulk, and the database behind it. */
export interface Server {
  name: string;
  url: string;
  key: string;
  pid: number;
  database: pg.Client;
}

/** The product and the floor, each with a database of its own on the product's PostgreSQL. */
export async function startServers(): Promise<Server[]> {
  const { product, key } = await startInstallation();
  const pgdata = join(product.dataDir, "postgres");
  const database = await connect(urlOf(pgdata, "postgres", "rollcall"));
  await database.query("CREATE DATABASE bench_floor OWNER rollcall");
  const { url, pid } = product;
  const rest = { name: "REST in front", url, key, pid, database };
  const floor = await startFloor(pgdata);
  return [floor, rest];
}

async function startFloor(pgdata: string): Promise<Server> {
  const key = `sk_${randomBytes(16).toString("hex")}`;
  const keyHash = createHash("sha256").update(key).digest("hex");
  const args = [urlOf(pgdata, "rollcall", "bench_floor"), keyHash];
  // Without execArgv a loader that this process runs under (tsx) would be handed down and distort the numbers.
  const program = await compile("floor");
  const child = await begin("the floor", () => fork(program, args, { execArgv: [] }), endProcess);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(message as string));
    child.once("exit", () => reject(new Error("The floor ended.")));
  });
  const database = await connect(urlOf(pgdata, "postgres", "bench_floor"));
  return { name: "floor", url, key, pid: child.pid as number, database };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await ended;
  clearTimeout(timer);
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
