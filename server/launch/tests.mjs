// `npm test`: every stage runs and speaks for itself, and one line at the end counts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openly, root, StepFailed } from "./steps.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

const NOTHING = { passed: 0, failed: 0, skipped: 0 };
const ONE_FAILURE = { passed: 0, failed: 1, skipped: 0 };
// Biome knows no NO_COLOR.
const PLAIN = process.stdout.isTTY ? [] : ["--colors=off"];
const NEXT_TYPES = ["node_modules/next/dist/bin/next", "typegen"];

/**
 * Runs all stages, prints `N passed, N failed` (`, N skipped` when some were) as the last line and returns
 * the exit code: 0 only when something ran and nothing failed.
 * @param {string[]} args names of stages to run; none: all of them
 * @param {() => Promise<void>} build brings the product up to date
 */
export async function runTests(args, build) {
  const reports = mkdtempSync(join(tmpdir(), "rollcall-reports-"));
  const total = { passed: 0, failed: 0, skipped: 0 };
  let built;
  const builtOnce = () => {
    built ??= build().then(
      () => true,
      (error) => {
        console.error(error instanceof StepFailed ? error.message : error);
        return false;
      },
    );
    return built;
  };
  const withBuild = async (stage) => {
    if (await builtOnce()) return stage();
    console.log("Not run: it needs the build, which failed.");
    return args.length > 0 && !args.includes("build") ? ONE_FAILURE : NOTHING;
  };
  const stages = {
    types: () => check(NEXT_TYPES, ["node_modules/typescript/bin/tsc", "--noEmit"]),
    lint: () => check(["node_modules/@biomejs/biome/bin/biome", "ci", ...PLAIN, "."]),
    unit: () => vitest("unit", reports),
    build: () => builtOnce().then((done) => (done ? NOTHING : ONE_FAILURE)),
    product: () => withBuild(() => vitest("product", reports)),
    browser: () => withBuild(() => playwright(reports)),
  };
  const unknown = args.filter((name) => !(name in stages));
  if (unknown.length > 0) {
    console.error(`There is no stage ${unknown.join(", ")}; there are ${Object.keys(stages).join(", ")}.`);
    return 2;
  }
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));
  try {
    for (const [name, stage] of Object.entries(stages)) {
      if (interrupted || (args.length > 0 && !args.includes(name))) continue;
      console.log(`\n── ${name} ──`);
      const began = Date.now();
      const count = await stage();
      for (const key of Object.keys(total)) total[key] += count[key];
      console.log(`── ${name}: ${sentence(count)}, ${Math.round((Date.now() - began) / 100) / 10} s`);
    }
  } finally {
    rmSync(reports, { recursive: true, force: true });
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

/** Programs that say yes or no, in turn; together they are one check. @param {string[][]} programs */
async function check(...programs) {
  for (const program of programs) {
    if ((await openly(program)) !== 0) return ONE_FAILURE;
  }
  return { passed: 1, failed: 0, skipped: 0 };
}

async function vitest(project, reports) {
  if (project === "product" && !anyFile("e2e", /\.test\.ts$/)) return none("e2e/**/*.test.ts");
  const file = join(reports, `${project}.json`);
  const args = [
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const code = await openly(["node_modules/vitest/vitest.mjs", ...args], { NODE_ENV: "test" });
  return counted(code, () => {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that couldn't be loaded has no tests to count, and is one failure.
    const unloaded = report.testResults.filter(
      (result) =>
        result.status === "failed" && !result.assertionResults.some((one) => one.status === "failed"),
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    };
  });
}

async function playwright(reports) {
  if (!anyFile("e2e", /\.spec\.ts$/)) return none("e2e/**/*.spec.ts");
  const file = join(reports, "browser.json");
  const args = ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json"];
  const code = await openly(args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(code, () => {
    const { stats, errors } = JSON.parse(readFileSync(file, "utf8"));
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length, // flaky: it failed once
      skipped: stats.skipped,
    };
  });
}

/** A runner that crashed, or says no without naming a test, is at least one failure. */
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

function none(pattern) {
  console.log(`No files match ${pattern} yet.`);
  return NOTHING;
}

function anyFile(folder, pattern) {
  return readdirSync(join(root, folder), { recursive: true }).some((name) => pattern.test(name));
}
