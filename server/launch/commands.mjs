import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare } from "./prepare.mjs";
import { root, StepFailed } from "./steps.mjs";
import { audit, printLicences } from "./supply-chain.mjs";
import { runTests } from "./tests.mjs";

/** @type {Record<string, (args: string[]) => Promise<unknown>>} */
const commands = {
  async start(args) {
    await prepare(process.stdout, { build: true });
    await run(".build/main.mjs", args, "production");
  },

  async dev(args) {
    await prepare(process.stdout, { build: false });
    await runSource("server/main.ts", args, "development");
  },

  // stdout is the command's own: a script reads its last line.
  async admin(args) {
    await prepare(process.stderr, { build: true });
    await run(".build/admin.mjs", args, "production");
  },

  async bench(args) {
    await prepare(process.stdout, { build: true });
    await runSource("bench/run.ts", args, "production");
  },

  async screenshots(args) {
    await prepare(process.stdout, { build: true });
    await runSource("e2e/screenshots.ts", args, "production");
  },

  async audit() {
    audit();
  },

  async licences() {
    printLicences();
  },

  async test(args) {
    await prepare(process.stdout, { build: false });
    process.exitCode = await runTests(args, (out) => prepare(out, { build: true }));
  },
};

/**
 * Runs one of npm's scripts; whatever goes wrong before the product itself runs ends here.
 * @param {string} name
 * @param {string[]} args
 */
export async function launch(name, args) {
  const command = commands[name];
  if (!command) {
    console.error(`Usage: node server/launch.mjs ${Object.keys(commands).join("|")} [arguments]`);
    process.exit(2);
  }
  // Next looks for its files in the process's folder.
  process.chdir(root);
  process.env.NEXT_TELEMETRY_DISABLED ??= "1";
  try {
    await command(args);
  } catch (error) {
    if (!(error instanceof StepFailed) && error?.name !== "OperatorError") throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** In this very process: Ctrl-C and SIGTERM reach the product itself, and no process stays behind. */
async function run(file, args, mode) {
  enter(file, args, mode);
  process.setSourceMapsEnabled(true);
  nodeModule.enableCompileCache?.(join(root, ".build", "compile-cache")); // Node 22 and newer
  await import(pathToFileURL(join(root, file)).href);
}

async function runSource(file, args, mode) {
  enter(file, args, mode);
  const { register } = await import("tsx/esm/api");
  register();
  await import(pathToFileURL(join(root, file)).href);
}

function enter(file, args, mode) {
  process.argv = [process.execPath, join(root, file), ...args];
  if (mode === "development") process.env.NODE_ENV = mode;
  else process.env.NODE_ENV ||= mode;
  // What is set for this process wins over the file.
  if (existsSync(".env")) process.loadEnvFile(".env");
}
