import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { projectRoot } from "../kernel/project-root";
import { removeDataDir, throwawayDataDir } from "./throwaway-cluster";

/** Even on a busy machine, only a broken product takes this long. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** The product's settings. By default DATA_DIR is a throwaway folder that `stop` removes. */
export type Settings = Record<string, string>;

export interface Product {
  /** http://127.0.0.1:PORT */
  url: string;
  pid: number;
  dataDir: string;
  /** Everything written so far, stdout and stderr together. */
  output(): string;
  /** Sends SIGTERM, waits for the end and returns the exit code. Removes a throwaway DATA_DIR. */
  stop(): Promise<number>;
  /** Sends SIGKILL to node only. An embedded PostgreSQL keeps running, and DATA_DIR stays. */
  kill9(): Promise<void>;
}

/**
 * Starts the built product like `npm start`, and waits until GET /api/health answers 200. Throws with its output when
 * it ends earlier or takes over two minutes.
 * @param options `args`: arguments of `npm start --`, such as `--demo`; `program`: replaces `npm start`; `health`: the path
 * that answers 200 once another program is ready
 */
export async function startProduct(
  options: { env?: Settings; port?: number; args?: string[]; program?: string[]; health?: string } = {},
): Promise<Product> {
  const port = options.port ?? Number(options.env?.PORT ?? (await freePort()));
  const ownDataDir = options.env?.DATA_DIR === undefined;
  const dataDir = options.env?.DATA_DIR ?? throwawayDataDir();
  const settings = { HOST: "127.0.0.1", PORT: String(port), ...options.env, DATA_DIR: dataDir };
  const { child, output, ended } = options.program
    ? runProgram(options.program, settings)
    : run(["start", ...(options.args ?? [])], settings);
  const url = `http://127.0.0.1:${port}`;
  const giveUpAt = Date.now() + START_TIMEOUT_MS;
  while (!(await isHealthy(`${url}${options.health ?? "/api/health"}`))) {
    const over = child.exitCode !== null || child.signalCode !== null;
    if (over || Date.now() > giveUpAt) {
      child.kill("SIGKILL");
      if (ownDataDir) await removeDataDir(dataDir);
      throw new Error(`The product ${over ? "ended" : "was not healthy in time"}. It said:\n${output()}`);
    }
    await sleep(25);
  }
  return {
    url,
    pid: child.pid as number,
    dataDir,
    output,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      const code = await ended;
      clearTimeout(timer);
      if (ownDataDir) await removeDataDir(dataDir);
      return code;
    },
    async kill9() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Runs `npm run admin -- ARGS --json` and returns the object on the last line of stdout. Throws with stderr for any
 * exit code but 0.
 */
export async function runAdmin<T = unknown>(args: string[], env: Settings): Promise<T> {
  const { output, stdout, ended } = run(["admin", ...args, "--json"], env);
  const code = await ended;
  if (code !== 0) throw new Error(`admin ${args[0]} exited with ${code}:\n${output()}`);
  return JSON.parse(stdout().trimEnd().split("\n").at(-1) as string) as T;
}

export const launcher = [process.execPath, join(projectRoot(), "server/launch.mjs")];

/** Starts one of the launcher's commands as a process. `stdout`, `stderr` and `output` (both) grow while it runs. */
export function run(args: string[], settings: Settings) {
  return runProgram([...launcher, ...args], settings);
}

/** Starts any program in the environment for tests of the product. */
export function runProgram(
  [program, ...args]: string[],
  settings: Settings,
  { input = "ignore", ...more }: { detached?: boolean; input?: "ignore" | "pipe" } = {},
) {
  const child: ChildProcess = spawn(program as string, args, {
    cwd: projectRoot(),
    env: { ...machine(), ...withoutDotEnv(), ...settings } as NodeJS.ProcessEnv,
    stdio: [input, "pipe", "pipe"],
    ...more,
  });
  // When a test worker is ended during a test, its servers must end too.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  let all = "";
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => {
    all += chunk;
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    all += chunk;
    err += chunk;
  });
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  return { child, ended, output: () => all, stdout: () => out, stderr: () => err };
}

/**
 * Returns the variables that programs need from this machine, without the settings of the person who runs the tests.
 */
function machine(): Settings {
  const names = ["PATH", "HOME", "TMPDIR", "LANG"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Sets the variables of a developer's .env to empty, which counts as absent. A real key would send real email. */
function withoutDotEnv(): Settings {
  const file = join(projectRoot(), ".env");
  if (!existsSync(file)) return {};
  return Object.fromEntries(Object.keys(parseEnv(readFileSync(file, "utf8"))).map((name) => [name, ""]));
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/**
 * Returns a port of 127.0.0.1 that was free a moment ago. Linux gives connections and servers without a fixed port
 * higher ports, so another test run can't take this one by accident.
 */
export function freePort(): Promise<number> {
  const port = randomInt(11_000, 32_768);
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
