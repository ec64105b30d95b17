// `npm test`: every stage runs and reports for itself, and one line at the end counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { openly } from "./steps.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count what failed is named, with its error */
/** @typedef {{ write(text: string): unknown }} Out */

const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };
const ONE_PASSED = { ...NOTHING, passed: 1 };
const ONE_FAILURE = { ...NOTHING, failed: 1 };
const BIOME = [
  "node_modules/@biomejs/biome/bin/biome",
  "ci",
  ...(process.stdout.isTTY ? [] : ["--colors=off"]),
  ".",
];

/** Of the error of a failed test, at the end of the output; the whole of it stands at its stage. */
const ERROR_LINES = 15;

/** The tag of browser tests that time something. */
const TIMED = "@timed";

/**
 * Stages of one row follow each other, rows run side by side, and groups of rows follow each other. Most tests wait for a
 * process, a browser or a lease, so that two rows are done in little more than the time of the longer one. What is held to
 * a time by the clock runs last and alone.
 */
const PLAN = [
  [
    ["lint", "unit", "product"],
    ["types", "build", "browser"],
  ],
  [["speed", "timed"]],
];

/**
 * Runs all stages, names what failed, prints `N passed, N failed` (`, N skipped` when some were) as the last line and
 * returns the exit code: 0 only when something ran and nothing failed.
 * @param {string[]} args names of stages to run; none: all of them
 * @param {(out: Out) => Promise<void>} build brings the product up to date
 */
export async function runTests(args, build) {
  const reports = mkdtempSync(join(tmpdir(), "rollcall-reports-"));
  let built;
  const isBuilt = (out) => {
    built ??= build(out).then(
      () => true,
      (error) => void out.write(`${error.message}\n`),
    );
    return built;
  };
  const withBuild = (run) => async (out) => ((await isBuilt(out)) ? run(out) : notBuilt(args, out));
  /** @type {Record<string, (out: Out) => Promise<Count>>} */
  const stages = {
    types: async (out) => {
      const generated = await check(out, "node_modules/next/dist/bin/next", "typegen");
      return generated.failed ? generated : check(out, "node_modules/typescript/bin/tsc", "--noEmit");
    },
    lint: (out) => check(out, ...BIOME),
    unit: (out) => vitest("unit", reports, out),
    build: async (out) => ((await isBuilt(out)) ? ONE_PASSED : ONE_FAILURE),
    product: withBuild((out) => vitest("product", reports, out)),
    browser: withBuild((out) => playwright("browser", ["--grep-invert", TIMED], reports, out)),
    speed: (out) => vitest("speed", reports, out),
    timed: withBuild((out) => playwright("timed", ["--grep", TIMED], reports, out)),
  };
  const unknown = args.filter((name) => !(name in stages));
  if (unknown.length > 0) {
    console.error(`There is no stage ${unknown.join(", ")}; there are ${Object.keys(stages).join(", ")}.`);
    return 2;
  }
  const isWanted = (name) => args.length === 0 || args.includes(name);
  try {
    return await runStages(
      stages,
      PLAN.map((rows) => rows.map((row) => row.filter(isWanted))),
    );
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

async function runStages(stages, plan) {
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));
  const total = { ...NOTHING };
  /** @type {string[]} */
  const failures = [];
  const turns = openTurns();
  const runRow = async (row) => {
    for (const name of row) {
      if (interrupted) break;
      const out = turns.next();
      out.write(`\n── ${name} ──\n`);
      const began = Date.now();
      const count = await stages[name](out);
      for (const key of ["passed", "failed", "skipped"]) total[key] += count[key];
      const named =
        count.failed > 0 && count.failures.length === 0 ? ["see its output above"] : count.failures;
      failures.push(...named.map((one) => `${name}: ${one}`));
      out.write(`── ${name}: ${sentence(count)}, ${Math.round((Date.now() - began) / 100) / 10} s\n`);
      out.end();
    }
  };
  for (const rows of plan) await Promise.all(rows.map(runRow));
  const nothing = total.passed + total.failed === 0;
  if (interrupted) console.log("\nInterrupted: not all stages ran.");
  else if (nothing) console.log("\nNo test ran.");
  if (failures.length > 0) console.log(`\n── failed ──\n${failures.join("\n\n")}`);
  console.log(`\n${sentence(total)}`);
  return total.failed > 0 || nothing || interrupted ? 1 : 0;
}

/** One stage at a time writes to the terminal; what the others write waits for their turn, so that lines of two never mix. */
function openTurns() {
  const queue = [];
  const show = () => {
    for (let first = queue[0]; first; first = queue[0]) {
      process.stdout.write(first.waiting.splice(0).join(""));
      if (!first.ended) break;
      queue.shift();
    }
  };
  return {
    /** @returns {Out & { end(): void }} */
    next() {
      const turn = { waiting: [], ended: false };
      queue.push(turn);
      return {
        write(text) {
          turn.waiting.push(text);
          show();
        },
        end() {
          turn.ended = true;
          show();
        },
      };
    },
  };
}

/** @param {Count} count */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The failed build is counted in its own stage, or here when that was not asked for. */
function notBuilt(args, out) {
  out.write("Not run: it needs the build, which failed.\n");
  return args.length > 0 && !args.includes("build") ? ONE_FAILURE : NOTHING;
}

async function check(out, ...program) {
  return (await openly(program, out)) === 0 ? ONE_PASSED : ONE_FAILURE;
}

async function vitest(project, reports, out) {
  const file = join(reports, `${project}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const program = ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...reporters];
  const code = await openly(program, out, { NODE_ENV: "test" });
  return counted(code, () => {
    const report = JSON.parse(readFileSync(file, "utf8"));
    // A file that couldn't be loaded has no tests to count, and is one failure.
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((one) => one.status === "failed"),
    );
    const failures = report.testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter((one) => one.status === "failed");
      return failed.length === 0 && message
        ? [failure(name, message)]
        : failed.map((one) => failure(`${name} › ${one.fullName}`, one.failureMessages[0]));
    });
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
      failures,
    };
  });
}

async function playwright(name, which, reports, out) {
  const file = join(reports, `${name}.json`);
  const args = ["node_modules/@playwright/test/cli.js", "test", ...which, "--reporter=list,json"];
  const code = await openly(args, out, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return counted(code, () => {
    const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8"));
    const specs = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)];
    const failures = suites
      .flatMap(specs)
      .filter((spec) => !spec.ok)
      .map((spec) => {
        const results = spec.tests.flatMap((one) => one.results);
        return failure(
          `${spec.file}:${spec.line} › ${spec.title}`,
          results.find((one) => one.error)?.error.message,
        );
      });
    // Flaky ones failed once.
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
      failures: [...failures, ...errors.map((error) => failure("before the tests", error.message))],
    };
  });
}

/** @returns {string} a failed test's name, and how its error begins */
function failure(name, message = "no error was reported") {
  const lines = stripVTControlCharacters(message).split("\n").slice(0, ERROR_LINES);
  return [name.replace(`${process.cwd()}/`, ""), ...lines.map((line) => `  ${line}`)].join("\n");
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
