import { type ChildProcess, execFile, fork } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { projectRoot } from "../server/kernel/project-root";
import { urlOf } from "../server/platform/postgres/sessions";
import { freePort, type Settings, startProduct } from "../server/test/product";
import { begin } from "./ending";
import { compile, connect, setUp, startInstallation } from "./installation";
import type { Kind } from "./report";

/** Something that adds people to a table `subscribers`, and the database with it. */
export interface Server {
  name: string;
  /** What it is, and what it does and does not do, for the report. */
  about: string;
  url: string;
  key: string;
  pid: number;
  database: pg.Client;
  /** Directus has an API of its own: other paths, and other answers than contract.md's. */
  isPeer?: boolean;
  /** It queues a confirmation email for each pending person. */
  queuesMail?: boolean;
}

export const pathOf = ({ isPeer }: Server, kind: Kind) =>
  isPeer ? "/items/subscribers" : kind === "single" ? "/api/v1/subscribers" : "/api/v1/subscribers/bulk";
/** The status of a successful create. */
export const createdStatus = ({ isPeer }: Server) => (isPeer ? 200 : 201);

const run = promisify(execFile);
const buildFolder = join(projectRoot(), ".build", "bench");
/** The newest one that runs on Node.js 20. */
const directusVersion = "11.3.5";

const host = { HOST: "127.0.0.1", NODE_ENV: "production" } as const;

/** A new database, and its URL for a server. */
type Place = Pick<Server, "database"> & { databaseUrl: string; dataDir: string };

/** All servers, each with a database of its own on Rollcall's PostgreSQL; the floor comes first. */
export async function startServers(peer?: "directus"): Promise<Server[]> {
  const { product, key } = await startInstallation();
  const pgdata = join(product.dataDir, "postgres");
  const database = await connect(urlOf(pgdata, "postgres", "rollcall"));
  const newPlace = async (name: string): Promise<Place> => {
    await database.query(`CREATE DATABASE ${name} OWNER rollcall`);
    const databaseUrl = urlOf(pgdata, "rollcall", name);
    return {
      databaseUrl,
      dataDir: product.dataDir,
      database: await connect(urlOf(pgdata, "postgres", name)),
    };
  };
  const { url, pid } = product;
  const about =
    "as `npm start` serves it. Creates that arrive together share a statement and a commit. Keys are remembered for ten seconds. A search index, which is filled in the background, takes part of the processors.";
  return [
    await startFloor(await newPlace("bench_floor")),
    await startByHand(await newPlace("bench_by_hand")),
    await startUsual(await newPlace("bench_usual")),
    ...(peer ? [await startDirectus(await newPlace("bench_directus"))] : []),
    { name: "Rollcall", about, url, key, pid, database, queuesMail: true },
  ];
}

async function startFloor({ databaseUrl, database }: Place): Promise<Server> {
  const key = `sk_${randomBytes(16).toString("hex")}`;
  const keyHash = createHash("sha256").update(key).digest("hex");
  const about =
    "hand-written on Fastify and `pg` (bench/floor.ts). It looks up the key, validates, and inserts into a table with two indexes. It has no limits, log, counts, change feed, suppressions or emails.";
  return { name: "floor", about, key, database, ...(await forkFloor([databaseUrl, keyHash])) };
}

async function startByHand({ databaseUrl, database, dataDir }: Place): Promise<Server> {
  const key = await setUp({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  const about =
    "the floor's code on Rollcall's tables (bench/by-hand.ts). It remembers keys for ten seconds, counts requests, writes the request log, and queues confirmation emails; the tables' triggers keep the counts and the change feed, and refuse suppressed addresses. Each create has its own commit. It has no permissions or networks of keys, idempotency keys, search index, fields, tags or delivery jobs.";
  return { name: "by hand", about, key, database, queuesMail: true, ...(await forkFloor([databaseUrl])) };
}

async function forkFloor(args: string[]): Promise<Pick<Server, "url" | "pid">> {
  // Without execArgv a loader that this process runs under (tsx) would be handed down and distort the numbers.
  const program = await compile("floor");
  const child = await begin("the floor", () => fork(program, args, { execArgv: [] }), endProcess);
  const url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(message as string));
    child.once("exit", () => reject(new Error("The floor ended.")));
  });
  return { url, pid: child.pid as number };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 3_000);
  await ended;
  clearTimeout(timer);
}

/** Starts a server that is neither Rollcall nor the floor. */
function startOther(
  name: string,
  program: string[],
  options: { env: Settings; port: number; health: string },
) {
  const start = () => startProduct({ program: [process.execPath, ...program], ...options });
  return begin(name, start, (one) => one.stop());
}

async function startUsual({ databaseUrl, database, dataDir }: Place): Promise<Server> {
  const env = { ...host, NEXT_TELEMETRY_DISABLED: "1", DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const key = await setUp(env);
  const handlers = await compile("usual");
  const folder = join(buildFolder, "next");
  const routes = { health: "health as GET", "v1/subscribers": "createOne as POST" };
  for (const [path, handler] of Object.entries({ ...routes, "v1/subscribers/bulk": "createBulk as POST" })) {
    const route = join(folder, "app", "api", path);
    await mkdir(route, { recursive: true });
    await writeFile(join(route, "route.js"), `export { ${handler} } from "${relative(route, handlers)}";\n`);
  }
  const next = join(projectRoot(), "node_modules", "next", "dist", "bin", "next");
  await run(process.execPath, [next, "build", folder], { env: { ...process.env, ...env } });
  const port = await freePort();
  const program = [next, "start", folder, "--port", String(port), "--hostname", host.HOST];
  const { url, pid } = await startOther("Next", program, { env, port, health: "/api/health" });
  const about =
    "the usual way: Next.js route handlers, zod, `create` and `createMany` in `$transaction` on Rollcall's tables, built for production (bench/usual.ts). It looks up the key for each request. It has no limits, log or emails.";
  return { name: "Next and Prisma", about, url, key, pid, database };
}

/** Installs and starts Directus with a collection of subscribers. */
async function startDirectus({ databaseUrl, database, dataDir }: Place): Promise<Server> {
  const folder = join(buildFolder, `directus-${directusVersion}`);
  await installDirectus(folder);
  const key = randomBytes(16).toString("hex");
  const port = await freePort();
  const env = {
    ...{
      ...host,
      PORT: String(port),
      DATA_DIR: dataDir,
      SECRET: key,
      LOG_LEVEL: "error",
      TELEMETRY: "false",
    },
    ...{ DB_CLIENT: "pg", DB_CONNECTION_STRING: databaseUrl, DB_POOL__MAX: "16" },
    ...{ ADMIN_EMAIL: "bench@example.org", ADMIN_PASSWORD: key, ADMIN_TOKEN: key },
    ...{ CONFIG_PATH: join(folder, "none"), EXTENSIONS_PATH: folder, STORAGE_LOCAL_ROOT: folder },
    // It answers 503 when its event loop is late, which a load test makes it.
    PRESSURE_LIMITER_ENABLED: "false",
  };
  const program = join(folder, "node_modules", "directus", "cli.js");
  await run(process.execPath, [program, "bootstrap"], { cwd: folder, env: { ...process.env, ...env } });
  const { url, pid } = await startOther("Directus", [program, "start"], {
    env,
    port,
    health: "/server/ping",
  });
  const body = {
    collection: "subscribers",
    schema: {},
    fields: [
      { field: "id", type: "uuid", meta: { special: ["uuid"] }, schema: { is_primary_key: true } },
      { field: "email", type: "string", schema: { is_unique: true, is_nullable: false } },
      { field: "name", type: "string", schema: {} },
      { field: "status", type: "string", schema: {} },
      { field: "created_at", type: "timestamp", meta: { special: ["date-created"] }, schema: {} },
    ],
  };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const made = await fetch(`${url}/collections`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!made.ok) throw new Error(`Directus made no collection: ${await made.text()}`);
  const about = `version ${directusVersion}, \`POST /items/subscribers\` with a static token, on a table with a unique email. It writes its activity log and a revision for each person, as by default. It has no newsletters, limits, counts or emails. 64 bulks at once are left out: on a busy machine it answered 500.`;
  return { name: "Directus", about, url, key, pid, database, isPeer: true };
}

async function installDirectus(folder: string): Promise<void> {
  if (existsSync(join(folder, "node_modules", "isolated-vm", "out"))) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), "{}");
  // Node's headers are where Node is installed, so that none are downloaded.
  const env = { ...process.env, npm_config_nodedir: join(process.execPath, "..", "..") };
  const npm = (...args: string[]) => run("npm", args, { cwd: folder, env });
  await npm("install", "--no-audit", "--no-fund", "--ignore-scripts", `directus@${directusVersion}`);
  // The only module whose package has no binary.
  await npm("rebuild", "isolated-vm");
}
