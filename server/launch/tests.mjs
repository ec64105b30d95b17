// `npm test` and `npm run test:faults`: each stage runs and reports for itself; the last line counts them all.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { openly } from "./steps.mjs";

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count `failures`: each failed test's name and error */
/** @typedef {{ write(text: string): unknown }} Out */

const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };
const ONE_PASSED = { ...NOTHING, passed: 1 };
const ONE_FAILURE = { ...NOTHING, failed: 1 };

/** Lines of a failed test's error that are repeated at the end of the output. */
const ERROR_LINES = 15;

/** Stages of a row follow each other, rows run side by side, and groups of rows follow each other. */
const PLANS = {
  test: [
    [
      ["lint", "unit"],
      ["types", "build", "contract", "browser"],
    ],
  ],
  // Timed tests measure the processor or the clock, so nothing runs beside them.
  "test:faults": [[["build", "faults"]], [["speed"]], [["timed"]]],
};

/**
 * Runs the stages of a command, names each failed test, prints `N passed, N failed` (`, N skipped` when some were) as
 * the last line and returns the exit code: 0 only when something ran and nothing failed.
 * @param {keyof typeof PLANS} command
 * @param {string[]} args names of stages, or paths of test files; none: the whole plan
 * @param {(out: Out) => Promise<void>} build brings the built product up to date
 */
export async function runTests(command, args, build) {
  const reports = mkdtempSync(join(tmpdir(), "rollcall-reports-"));
  const stages = stagesWith(build, reports);
  const isWanted = (name) => args.length === 0 || args.includes(name);
  const plan = args.some(isPath)
    ? [[[...planOfFiles(args, stages)]]]
    : PLANS[command].map((rows) => rows.map((row) => row.filter(isWanted)));
  const unknown = args.filter((name) => !isPath(name) && !(name in stages));
  try {
    if (unknown.length === 0) return await runPlan(stages, plan);
    console.error(
      `Unknown stage: ${unknown.join(", ")}. Use ${Object.keys(stages).join(", ")}, or a file's path.`,
    );
    return 2;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

const isPath = (arg) => /[./]/.test(arg);

/** Files that test the built product need the build first; Vitest finds the project of each file by itself. */
function planOfFiles(args, stages) {
  const files = args.filter(isPath);
  const specs = files.filter((file) => file.endsWith(".spec.ts"));
  const others = files.filter((file) => !specs.includes(file));
  stages.files = async (out) => {
    const vitestCount = others.length > 0 ? await stages.vitest(out, "files", others) : NOTHING;
    return specs.length > 0 ? added(vitestCount, await stages.playwright(out, "specs", specs)) : vitestCount;
  };
  return files.some((file) => file.startsWith("e2e/")) ? ["build", "files"] : ["files"];
}

/** @returns {Record<string, (out: Out) => Promise<Count>>} */
function stagesWith(build, reports) {
  let built;
  const isBuilt = (out) => {
    built ??= build(out).then(
      () => true,
      (error) => void out.write(`${error.message}\n`),
    );
    return built;
  };
  // A failed build counts once, in its own stage.
  const onBuild = (run) => async (out) => ((await isBuilt(out)) ? run(out) : NOTHING);
  const vitest = (out, name, args) => runVitest(name, args, reports, out);
  const playwright = (out, name, args) => runPlaywright(name, args, reports, out);
  const color = process.stdout.isTTY ? [] : ["--colors=off"];
  const stages = {
    lint: (out) => check(out, "node_modules/@biomejs/biome/bin/biome", "ci", ...color, "."),
    types: async (out) => {
      const generated = await check(out, "node_modules/next/dist/bin/next", "typegen");
      return generated.failed ? generated : check(out, "node_modules/typescript/bin/tsc", "--noEmit");
    },
    unit: (out) => vitest(out, "unit", ["--project", "unit"]),
    build: async (out) => ((await isBuilt(out)) ? ONE_PASSED : ONE_FAILURE),
    contract: onBuild((out) => vitest(out, "contract", ["--project", "contract"])),
    browser: onBuild((out) => playwright(out, "browser", ["--grep-invert", "@timed"])),
    faults: onBuild((out) => vitest(out, "faults", ["--project", "faults"])),
    speed: (out) => vitest(out, "speed", ["--project", "speed"]),
    timed: onBuild((out) => playwright(out, "timed", ["--grep", "@timed"])),
  };
  // Not stages: the two runners, for files named on the command line.
  Object.defineProperties(stages, { vitest: { value: vitest }, playwright: { value: playwright } });
  return stages;
}

async function runPlan(stages, plan) {
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (interrupted = true));
  let total = NOTHING;
  const outs = outputInTurns();
  const runRow = async (row) => {
    for (const name of row) {
      if (interrupted) break;
      const out = outs.next();
      out.write(`\n── ${name} ──\n`);
      const startedMs = Date.now();
      const count = await stages[name](out);
      const unnamed = count.failed > 0 && count.failures.length === 0;
      const failures = unnamed ? ["see its output above"] : count.failures;
      total = added(total, { ...count, failures: failures.map((one) => `${name}: ${one}`) });
      out.write(`── ${name}: ${sentence(count)}, ${Math.round((Date.now() - startedMs) / 100) / 10} s\n`);
      out.end();
    }
  };
  for (const rows of plan) await Promise.all(rows.map(runRow));
  const isEmpty = total.passed + total.failed === 0;
  if (interrupted) console.log("\nInterrupted: some stages did not run.");
  else if (isEmpty) console.log("\nNo test ran.");
  if (total.failures.length > 0) console.log(`\n── failed ──\n${total.failures.join("\n\n")}`);
  console.log(`\n${sentence(total)}`);
  return total.failed > 0 || isEmpty || interrupted ? 1 : 0;
}

/** Shows the output of one stage at a time, so that lines of stages that run side by side never mix. */
function outputInTurns() {
  const queue = [];
  const flush = () => {
    while (queue[0]) {
      process.stdout.write(queue[0].lines.splice(0).join(""));
      if (!queue[0].ended) return;
      queue.shift();
    }
  };
  return {
    /** @returns {Out & { end(): void }} */
    next() {
      const turn = { lines: [], ended: false };
      queue.push(turn);
      return {
        write(text) {
          turn.lines.push(text);
          flush();
        },
        end() {
          turn.ended = true;
          flush();
        },
      };
    },
  };
}

/** @returns {Count} */
function added(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

/** @param {Count} count */
function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function check(out, ...program) {
  return (await openly(program, out)) === 0 ? ONE_PASSED : ONE_FAILURE;
}

async function runVitest(name, args, reports, out) {
  const file = join(reports, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const program = ["node_modules/vitest/vitest.mjs", "run", ...args, ...reporters];
  const code = await openly(program, out, { NODE_ENV: "test" });
  return countOf(code, () => {
    const report = JSON.parse(readFileSync(file, "utf8"));
    const failedTests = ({ assertionResults }) => assertionResults.filter((one) => one.status === "failed");
    // A file that could not be loaded has no tests: it counts as one failure.
    const unloaded = report.testResults.filter(
      (one) => one.status === "failed" && failedTests(one).length === 0,
    );
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
      failures: [
        ...unloaded.map((one) => failure(one.name, one.message)),
        ...report.testResults.flatMap((one) =>
          failedTests(one).map((test) => failure(`${one.name} › ${test.fullName}`, test.failureMessages[0])),
        ),
      ],
    };
  });
}

async function runPlaywright(name, args, reports, out) {
  const file = join(reports, `${name}.json`);
  const program = ["node_modules/@playwright/test/cli.js", "test", ...args, "--reporter=list,json"];
  const code = await openly(program, out, { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return countOf(code, () => {
    const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8"));
    const specsOf = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
    const failedSpecs = suites.flatMap(specsOf).filter((spec) => !spec.ok);
    const errorOf = (spec) =>
      spec.tests.flatMap((one) => one.results).find((one) => one.error)?.error.message;
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
      failures: [
        ...failedSpecs.map((spec) => failure(`${spec.file}:${spec.line} › ${spec.title}`, errorOf(spec))),
        ...errors.map((error) => failure("before the tests", error.message)),
      ],
    };
  });
}

/** @returns {string} a failed test's name, and the first lines of its error */
function failure(name, message = "no error was reported") {
  const lines = stripVTControlCharacters(message).split("\n").slice(0, ERROR_LINES);
  return [name.replace(`${process.cwd()}/`, ""), ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Counts a runner that crashed, or that failed without naming a test, as one failure. */
function countOf(code, read) {
  let count;
  try {
    count = read();
  } catch (error) {
    console.error(`No report was written (${error.message}), which counts as a failure.`);
    return ONE_FAILURE;
  }
  if (code === 0 || count.failed > 0) return count;
  const failures = [failure("after the tests", "The runner failed; its last lines above say why.")];
  return { ...count, failed: 1, failures };
}
