// `npm test` and `npm run test:faults`: runs stages and prints the sum of their results as the last line.
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

const vitest = (...args) => ["node_modules/vitest/vitest.mjs", "run", ...args];
const playwright = (...args) => ["node_modules/@playwright/test/cli.js", "test", ...args];
const build = ["server/launch.mjs", "build"];

/** The programs of each stage, one after the other until one fails. */
const STAGES = {
  lint: [
    ["node_modules/@biomejs/biome/bin/biome", "ci", ...(process.stdout.isTTY ? [] : ["--colors=off"]), "."],
  ],
  types: [
    ["node_modules/next/dist/bin/next", "typegen"],
    ["node_modules/typescript/bin/tsc", "--noEmit"],
  ],
  unit: [vitest("--project", "unit")],
  build: [build],
  contract: [build, vitest("--project", "contract")],
  browser: [build, playwright("--project=browser")],
  faults: [build, vitest("--project", "faults")],
  thorough: [build, playwright("--project=thorough")],
  speed: [vitest("--project", "speed")],
  timed: [build, playwright("--project=timed")],
};

/** Groups follow each other. In a group each stage starts when the stages named after it have ended, beside the others. */
const PLANS = {
  test: [
    {
      lint: [],
      types: [],
      unit: ["lint"],
      build: ["types"],
      // Browser and contract start after the unit tests: all three at once would only wait for the processor.
      browser: ["build", "unit"],
      contract: ["build", "unit"],
    },
  ],
  // The fault tests mostly wait for restarts. Timed tests measure the processor or the clock, so nothing runs beside them.
  "test:faults": [{ faults: [], thorough: [] }, { speed: [] }, { timed: [] }],
};

/** The last lines of a failed stage are repeated at the end of the run. */
const END_LINES = 80;

const children = new Set();
let lastBuild = Promise.resolve(0);
let interrupted = false;

/**
 * Runs the stages of a plan, prints `N passed, N failed` (`, N skipped` when some were) as the last line and returns the exit
 * code: 0 only when something ran and nothing failed.
 * @param {keyof typeof PLANS} command
 * @param {string[]} args names of stages, or paths of test files; none: the whole plan
 */
export async function runTests(command, args) {
  const files = args.filter((arg) => /[./]/.test(arg));
  const names = args.filter((arg) => !files.includes(arg));
  const unknown = names.filter((name) => !(name in STAGES));
  if (unknown.length > 0) {
    console.error(
      `Unknown stage: ${unknown.join(", ")}. Use ${Object.keys(STAGES).join(", ")}, or a file's path.`,
    );
    return 2;
  }
  // From a terminal Ctrl-C reaches the children by itself: a second one would cut their tidying short.
  process.on("SIGINT", () => (interrupted = true));
  process.on("SIGTERM", () => {
    interrupted = true;
    for (const child of children) child.kill("SIGTERM");
  });
  const plan = files.length > 0 ? [{ files: [] }] : PLANS[command];
  const stages = { ...STAGES, files: programsFor(files) };
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failedStages = [];
  for (const group of plan) {
    const wanted = Object.keys(group).filter(
      (name) => args.length === 0 || name === "files" || names.includes(name),
    );
    const running = {};
    // A stage that was not asked for is not waited for.
    for (const name of wanted)
      running[name] = Promise.all(group[name].map((before) => running[before])).then(async () => {
        if (interrupted) return;
        const count = await runStage(name, stages[name], wanted.length > 1);
        if (count.failed > 0) failedStages.push({ name, end: count.end });
        for (const key of Object.keys(total)) total[key] += count[key];
      });
    await Promise.all(Object.values(running));
  }
  for (const { name, end } of failedStages) console.log(`\n── failed: ${name} ──\n${end}`);
  console.log(`\n${sentence(total)}`);
  return total.failed > 0 || total.passed === 0 || interrupted ? 1 : 0;
}

/** Files that test the built product need the build first; Vitest finds the project of each file by itself. */
function programsFor(files) {
  const specs = files.filter((file) => file.endsWith(".spec.ts"));
  const others = files.filter((file) => !specs.includes(file));
  return [
    ...(files.some((file) => file.startsWith("e2e/")) ? [build] : []),
    ...(others.length > 0 ? [vitest(...others)] : []),
    ...(specs.length > 0 ? [playwright(...specs)] : []),
  ];
}

/** @param {boolean} atOnce whether its output is shown whole when it has ended: another stage runs beside it */
async function runStage(name, programs, atOnce) {
  const startedMs = Date.now();
  let output = "";
  const write = (text) => {
    output += text;
    if (!atOnce) process.stdout.write(text);
  };
  console.log(`\n── ${name} ──`);
  let code = 0;
  for (const program of programs) {
    code = await (program === build ? buildInTurn(write) : run(program, write));
    if (code !== 0) break;
  }
  const count = countIn(output, code);
  const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
  console.log(`${atOnce ? output : ""}── ${name}: ${sentence(count)}, ${seconds} s`);
  // The runners name failed tests and their errors last.
  return { ...count, end: output.trimEnd().split("\n").slice(-END_LINES).join("\n") };
}

/** A build locks the checkout, so the builds of stages beside each other take turns. All but the first find nothing to do. */
function buildInTurn(write) {
  lastBuild = lastBuild.then(() => run(build, write));
  return lastBuild;
}

function run(args, write) {
  // Vitest colours what it writes into a file or a CI log, too; through a pipe neither it nor Playwright sees a terminal.
  const colors = process.stdout.isTTY || process.env.FORCE_COLOR ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...(args[0].includes("vitest") && { NODE_ENV: "test" }), ...colors },
    stdio: ["inherit", "pipe", "pipe"],
  });
  children.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", write);
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve)).finally(() =>
    children.delete(child),
  );
}

/**
 * Reads the counts in the runners' summaries: Vitest's `Tests  1 failed | 28 passed (29)`, Playwright's
 * `28 passed (1.2m)`. A program without a summary counts as one test, and so does a failure outside of tests.
 */
function countIn(output, code) {
  const lines = stripVTControlCharacters(output).match(
    /^ +(?:Tests +)?\d+ (?:passed|failed|skipped|flaky)\b.*$/gm,
  );
  const summary = (lines ?? []).join("\n");
  const count = (word) =>
    [...summary.matchAll(new RegExp(`(\\d+) ${word}`, "g"))].reduce((sum, [, n]) => sum + Number(n), 0);
  const failed = count("failed") + count("flaky");
  return {
    passed: lines ? count("passed") : Number(code === 0),
    failed: code === 0 ? 0 : Math.max(1, failed),
    skipped: count("skipped"),
  };
}

function sentence({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
