import { spawnSync } from "node:child_process";
import { prepare } from "./prepare.mjs";
import { run, runSource } from "./run.mjs";
import { root, StepFailed } from "./steps.mjs";

const product = { build: true };
const source = { build: false };

/** @type {Record<string, (args: string[]) => Promise<unknown>>} */
const commands = {
  async start(args) {
    await prepare(process.stdout, product);
    await run(".build/main.mjs", args, "production");
  },

  async dev(args) {
    await prepare(process.stdout, source);
    await runSource("server/main.ts", args, "development");
  },

  // stdout is reserved for the command's output, because scripts read its last line.
  async admin(args) {
    await prepare(process.stderr, product);
    await run(".build/admin.mjs", args, "production");
  },

  build: () => prepare(process.stdout, product),

  async bench(args) {
    await prepare(process.stdout, product);
    await runSource("bench/run.ts", args, "production");
  },

  async ledger() {
    await prepare(process.stdout, product);
    const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "faults", "e2e/ledger"];
    const env = { LEDGER_MINUTES: "100", LEDGER_FILE: "bench/LEDGER.md", ...process.env };
    process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 130;
  },

  async screenshots(args) {
    await prepare(process.stdout, product);
    await runSource("e2e/screenshots.ts", args, "production");
  },

  async release() {
    await prepare(process.stdout, product);
    const { release } = await import("./release.mjs");
    console.log("Packing the release …");
    console.log((await release()).join("\n"));
  },

  async licences() {
    const { printLicences } = await import("./supply-chain.mjs");
    printLicences();
  },

  test: (args) => test("test", args),

  "test:faults": (args) => test("test:faults", args),
};

async function test(plan, args) {
  await prepare(process.stdout, source);
  const { runTests } = await import("./tests.mjs");
  process.exitCode = await runTests(plan, args);
}

/**
 * Runs one of npm's scripts, and handles all errors before the product itself runs.
 * @param {string} name
 * @param {string[]} args
 */
export async function launch(name, args) {
  const command = commands[name];
  if (!command) {
    console.error(`Usage: node server/launch.mjs ${Object.keys(commands).join("|")} [arguments]`);
    process.exit(2);
  }
  // Next searches for its files in the working directory.
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
