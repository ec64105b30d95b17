import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { projectRoot } from "../kernel/project-root";
import { removeDataDir, throwawayDataDir } from "./throwaway-cluster";

/** Only a broken product takes so long, however busy the machine is. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** Settings of the product; DATA_DIR is a throwaway one, removed by `stop`, unless given. */
export type Settings = Record<string, string>;

export interface Product {
  /** http://127.0.0.1:PORT */
  url: string;
  pid: number;
  dataDir: string;
  /** Everything it has written so far, stdout and stderr together. */
  output(): string;
  /** SIGTERM, and waits for the end; returns the exit code. Removes a DATA_DIR that was made for it. */
  stop(): Promise<number>;
  /** SIGKILL of node alone: an embedded PostgreSQL stays up, as after a real kill. Keeps DATA_DIR. */
  kill9(): Promise<void>;
}

/**
 * Starts the built product as `npm start` does and waits until GET /api/health answers 200. Throws with its
 * output when it ends before that or takes over two minutes.
 * @param options `args`: what `npm start --` is given, such as `--demo`; `program`: another than `npm start`
 */
export async function startProduct(
  options: { env?: Settings; port?: number; args?: string[]; program?: string[] } = {},
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
  while (!(await isHealthy(url))) {
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
 * Runs `npm run admin -- ARGS --json` and returns the object on the last line of its stdout. Throws with
 * stderr when it exits with anything but 0.
 */
export async function runAdmin<T = unknown>(args: string[], env: Settings): Promise<T> {
  const { output, stdout, ended } = run(["admin", ...args, "--json"], env);
  const code = await ended;
  if (code !== 0) throw new Error(`admin ${args[0]} exited with ${code}:\n${output()}`);
  return JSON.parse(stdout().trimEnd().split("\n").at(-1) as string) as T;
}

export const launcher = [process.execPath, join(projectRoot(), "server/launch.mjs")];

/** One of the launcher's commands as a process; `stdout`, `stderr` and `output` (both) grow while it runs. */
export function run(args: string[], settings: Settings) {
  return runProgram([...launcher, ...args], settings);
}

/** The same for any program, in the environment that the product is tested in. */
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
  // A test worker that is ended in mid-test must not leave servers behind.
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

/** What programs need of this machine, and none of the settings of whoever runs the tests. */
function machine(): Settings {
  const names = ["PATH", "HOME", "TMPDIR", "LANG"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** A developer's .env must not reach the tests (a real key would send real mail): empty counts as absent. */
function withoutDotEnv(): Settings {
  const file = join(projectRoot(), ".env");
  if (!existsSync(file)) return {};
  return Object.fromEntries(Object.keys(parseEnv(readFileSync(file, "utf8"))).map((name) => [name, ""]));
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
