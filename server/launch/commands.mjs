import { prepare } from "./prepare.mjs";
import { release } from "./release.mjs";
import { run, runSource } from "./run.mjs";
import { openly, root, StepFailed, step } from "./steps.mjs";
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

  async ledger(args) {
    const minutes = args.length === 0 ? "100" : /^--minutes[ =]([1-9]\d{0,3})$/.exec(args.join(" "))?.[1];
    if (!minutes)
      throw new StepFailed(
        "npm run ledger -- --minutes N takes a whole number of minutes, such as 100. Nothing was played.",
      );
    await prepare(process.stdout, { build: true });
    const settings = { LEDGER_MINUTES: minutes, LEDGER_FILE: "bench/LEDGER.md" };
    const tests = ["run", "--project", "faults", "e2e/ledger"];
    process.exitCode = await openly(["node_modules/vitest/vitest.mjs", ...tests], process.stdout, settings);
  },

  async screenshots(args) {
    await prepare(process.stdout, { build: true });
    await runSource("e2e/screenshots.ts", args, "production");
  },

  async release() {
    await prepare(process.stdout, { build: true });
    let made = [];
    await step(process.stdout, "Packing the release", async () => {
      made = await release();
    });
    console.log(made.join("\n"));
  },

  async audit() {
    audit();
  },

  async licences() {
    printLicences();
  },

  test: (args) => test("test", args),

  "test:faults": (args) => test("test:faults", args),
};

async function test(plan, args) {
  await prepare(process.stdout, { build: false });
  process.exitCode = await runTests(plan, args, (out) => prepare(out, { build: true }));
}

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
