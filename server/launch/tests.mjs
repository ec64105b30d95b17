// `npm test`: every stage runs and reports for itself, and one line at the end counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openly } from "./steps.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const ONE_PASSED = { ...NOTHING, passed: 1 };
const ONE_FAILURE = { ...NOTHING, failed: 1 };
const BIOME = [
  "node_modules/@biomejs/biome/bin/biome",
  "ci",
  ...(process.stdout.isTTY ? [] : ["--colors=off"]),
  ".",
];

/**
 * Runs all stages, prints `N passed, N failed` (`, N skipped` when some were) as the last line and returns
 * the exit code: 0 only when something ran and nothing failed.
 * @param {string[]} args names of stages to run; none: all of them
 * @param {() => Promise<void>} build brings the product up to date
 */
export async function runTests(args, build) {
  const reports = mkdtempSync(join(tmpdir(), "rollcall-reports-"));
  let built;
  const isBuilt = () => {
    built ??= build().then(
      () => true,
      (error) => console.error(error.message),
    );
    return built;
  };
  /** @type {Record<string, () => Promise<Count>>} */
  const stages = {
    types: async () => {
      const generated = await check("node_modules/next/dist/bin/next", "typegen");
      return generated.failed ? generated : check("node_modules/typescript/bin/tsc", "--noEmit");
    },
    lint: () => check(...BIOME),
    unit: () => vitest("unit", reports),
    build: async () => ((await isBuilt()) ? ONE_PASSED : ONE_FAILURE),
    product: async () => ((await isBuilt()) ? vitest("product", reports) : notBuilt(args)),
    browser: async () => ((await isBuilt()) ? playwright(reports) : notBuilt(args)),
  };
  const unknown = args.filter((name) => !(name in stages));
  if (unknown.length > 0) {
    console.error(`There is no stage ${unknown.join(", ")}; there are ${Object.keys(stages).join(", ")}.`);
    return 2;
  }
  try {
    return await runStages(
      Object.entries(stages).filter(([name]) => args.length === 0 || args.includes(name)),
    );
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

async function runStages(stages) {
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));
  const total = { ...NOTHING };
  for (const [name, stage] of stages) {
    if (interrupted) break;
    console.log(`\n── ${name} ──`);
    const began = Date.now();
    const count = await stage();
    for (const key of Object.keys(total)) total[key] += count[key];
    console.log(`── ${name}: ${sentence(count)}, ${Math.round((Date.now() - began) / 100) / 10} s`);
  }
  const nothing = total.passed + total.failed === 0;
  if (interrupted) console.log("\nInterrupted: not all stages ran.");
  else if (nothing) console.log("\nNo test ran.");
  console.log(`\n${sentence(total)}`);
  return total.failed > 0 || nothing || interrupted ? 1 : 0;
}

/** @param {Count} count */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The failed build is counted in its own stage, or here when that was not asked for. */
function notBuilt(args) {
  console.log("Not run: it needs the build, which failed.");
  return args.length > 0 && !args.includes("build") ? ONE_FAILURE : NOTHING;
}

async function check(...program) {
  return (await openly(program)) === 0 ? ONE_PASSED : ONE_FAILURE;
}

async function vitest(project, reports) {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const code = await openly(["node_modules/vitest/vitest.mjs", "run", "--project", project, ...reporters], {
    NODE_ENV: "test",
  });
  return counted(code, () => {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that couldn't be loaded has no tests to count, and is one failure.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((one) => one.status === "failed"),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    };
  });
}

async function playwright(reports) {
  const file = join(reports, "browser.json");
  const args = ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"];
  const code = await openly(args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(code, () => {
    const { stats, errors } = JSON.parse(readFileSync(file, "utf8"));
    // Flaky ones failed once.
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    };
  });
}

/** A runner that crashed, or that fails without naming a test, is at least one failure. */
function counted(code, read) {
  let count;
  try {
    count = read();
  } catch (error) {
    console.error(`It left no report (${error.message}): counted as a failure.`);
    return ONE_FAILURE;
  }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}
