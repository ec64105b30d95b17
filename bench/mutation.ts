import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import { projectRoot } from "../server/kernel/project-root";
import { type Mutant, mutantsOf, withMutant } from "./mutants";

const root = projectRoot();

/** The code that is broken, and the tests that run first. The other unit tests run only if all of these pass. */
const areas: { name: string; files: string[]; first: string[] }[] = [
  {
    name: "rules without a database",
    files: [
      ...["csv", "damerau-distance", "email", "ids", "name"].map((name) => `server/kernel/${name}.ts`),
      "server/subscribers/field-values.ts",
      "server/imports/list-parser/*.ts",
    ],
    first: ["server/kernel/", "server/imports/list-parser/", "components/imports/"],
  },
  {
    name: "status transitions",
    files: [
      "server/subscribers/status-moves.ts",
      "server/subscribers/set-status.ts",
      "server/bulk-actions/status-actions.ts",
      "server/subscribers/confirmations.ts",
      "server/subscribers/unsubscribe-links.ts",
      "server/subscribers/update-existing.ts",
      "server/subscribers/queries/confirmations.ts",
    ],
    first: [
      "server/subscribers/con",
      "server/subscribers/stays",
      "server/bulk-actions/",
      "server/public/",
      "e2e/resource/",
    ],
  },
  {
    name: "suppressions",
    files: ["server/suppressions/suppressions.ts", "server/suppressions/queries/suppressions.ts"],
    first: [
      "e2e/resource/",
      "server/subscribers/stays",
      "server/subscribers/consent",
      "server/imports/opt-outs",
    ],
  },
  {
    name: "idempotency",
    files: ["server/rest/idempotency.ts", "server/rest/queries/idempotency.ts"],
    first: ["e2e/resource/idempotency"],
  },
  {
    name: "mail batching",
    files: [
      "server/mail/delivery/batching.ts",
      "server/mail/delivery/sending.ts",
      "server/mail/queries/mail-batches.ts",
    ],
    first: ["server/mail/"],
  },
];

/** A change that makes a loop endless is stopped after this time. */
const LIMIT_MS = 600_000;
/** The same seed makes the same changes in the same code, so that two runs compare the tests. */
const SEED = 1;

type Outcome = { file: string; line: number; before: string; mutant: Mutant; killedBy: string | null };

/**
 * Breaks the code in `perArea` small ways for each area, runs the unit tests after each and writes bench/MUTATION.md.
 * It changes files of this checkout and restores them, also after Ctrl-C.
 */
export async function benchMutation(perArea: number, say: (line: string) => void): Promise<void> {
  const vitest = await createVitest("test", {
    root,
    watch: false,
    project: ["unit"],
    bail: 1,
    reporters: [{}],
  });
  await vitest.standalone();
  const specs = await vitest.globTestSpecifications();
  let restore = () => {};
  process.once("exit", () => restore());
  const results = new Map<string, Outcome[]>();
  const startedAt = Date.now();
  try {
    for (const area of areas) {
      const outcomes: Outcome[] = [];
      results.set(area.name, outcomes);
      for (const { file, code, mutant } of chosenIn(area.files, perArea)) {
        restore = () => {
          writeFileSync(file, code);
          vitest.invalidateFile(file);
        };
        writeFileSync(file, withMutant(code, mutant));
        vitest.invalidateFile(file);
        const rest = new Set(specs);
        const failingIn = (isMeant: (moduleId: string) => boolean) => {
          const taken = [...rest].filter(({ moduleId }) => isMeant(moduleId));
          for (const one of taken) rest.delete(one);
          return failing(vitest, taken);
        };
        const own = file.replace(/\.ts$/, ".test.ts");
        const killedBy =
          (await failingIn((id) => id === own)) ??
          (await failingIn((id) => area.first.some((start) => id.startsWith(join(root, start))))) ??
          (await failingIn(() => true));
        restore();
        const line = code.slice(0, mutant.start).split("\n").length;
        const before = code.slice(mutant.start, mutant.end).replace(/\s+/g, " ").slice(0, 60);
        const outcome = { file: file.slice(root.length + 1), line, before, mutant, killedBy };
        outcomes.push(outcome);
        const seconds = Math.round((Date.now() - startedAt) / 1000);
        say(
          `${seconds} s ${area.name} ${outcomes.length}/${perArea}: ${describe(outcome)} ${killedBy ? `killed by ${killedBy}` : "SURVIVED"}`,
        );
      }
    }
  } finally {
    restore();
    await vitest.close();
  }
  writeFileSync(join(root, "bench/MUTATION.md"), reportOf(results));
}

function chosenIn(patterns: string[], perArea: number) {
  const listed = execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const files = listed.filter((file) => !/\.test\.ts$|\/testing\//.test(file)).sort();
  const all = files.flatMap((name) => {
    const file = join(root, name);
    const code = readFileSync(file, "utf8");
    return mutantsOf(code).map((mutant) => ({ file, code, mutant }));
  });
  const size = Math.min(perArea, all.length);
  const subset = fc.shuffledSubarray(all, { minLength: size, maxLength: size });
  return fc.sample(subset, { seed: SEED, numRuns: 1 })[0] ?? [];
}

/**
 * The name of the first test that fails, or of the file that does not load; null when all pass. A failed file runs
 * again alone, because some tests also fail on a busy machine. A file that then passes does not count.
 */
async function failing(vitest: Vitest, specs: TestSpecification[]): Promise<string | null> {
  let open = specs;
  while (open.length > 0) {
    const { failed, passed, name } = await run(vitest, open);
    if (name === null) return null;
    const again = open.filter(({ moduleId }) => moduleId === failed);
    if (again.length === 0) return name;
    // A second failure of the cancelled run can arrive late and cancel this one.
    for (let tries = 0, isComplete = false; tries < 3 && !isComplete; tries++) {
      const confirmed = await run(vitest, again);
      if (confirmed.name !== null) return confirmed.name;
      isComplete = confirmed.passed.size > 0;
    }
    open = open.filter(({ moduleId }) => moduleId !== failed && !passed.has(moduleId));
  }
  return null;
}

type Run = {
  /** What failed; null when all tests pass. */
  name: string | null;
  /** The file of the failed test, if a test or a file failed. */
  failed: string | null;
  passed: Set<string>;
};

async function run(vitest: Vitest, specs: TestSpecification[]): Promise<Run> {
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    void vitest.cancelCurrentRun("keyboard-input");
  }, LIMIT_MS);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  clearTimeout(limit);
  const own = testModules.filter(({ moduleId }) => specs.some((spec) => spec.moduleId === moduleId));
  // The first failure stops the run, also in the middle of other files.
  const isComplete = (module: TestModule) =>
    module.state() === "passed" && [...module.children.allTests("skipped")].length === 0;
  const passed = new Set(own.filter(isComplete).map(({ moduleId }) => moduleId));
  const bad = own.find((module) => module.state() === "failed");
  if (isOver) return { name: "time", failed: null, passed };
  if (!bad) return { name: unhandledErrors.length > 0 ? "an unhandled error" : null, failed: null, passed };
  const [test] = bad.children.allTests("failed");
  const name = test ? `${bad.relativeModuleId} › ${test.name}` : bad.relativeModuleId;
  return { name, failed: bad.moduleId, passed };
}

const describe = ({ file, line, before, mutant }: Outcome) =>
  `${file}:${line} ${mutant.kind} (\`${before}\`)`;

function reportOf(results: Map<string, Outcome[]>): string {
  const rows = [...results].map(([name, outcomes]) => {
    const killed = outcomes.filter(({ killedBy }) => killedBy).length;
    return `| ${name} | ${outcomes.length} | ${killed} | ${Math.round((100 * killed) / outcomes.length)} % |`;
  });
  const survivors = [...results].flatMap(([name, outcomes]) => [
    `\n### ${name}\n`,
    ...outcomes.filter(({ killedBy }) => !killedBy).map((outcome) => `- ${describe(outcome)}`),
  ]);
  return [
    "# Mutation score",
    "",
    "`npm run bench -- --mutation N` changes the code in N small ways for each area, chosen by a fixed seed, and runs the unit tests after each change. A change is killed when a test fails.",
    "",
    "| area | changes | killed | score |",
    "|---|--:|--:|--:|",
    ...rows,
    "",
    "## Survivors",
    ...survivors,
    "",
  ].join("\n");
}
