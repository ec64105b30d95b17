import { join } from "node:path";
import { projectRoot } from "../../server/kernel/project-root";
import { runProgram, type Settings } from "../../server/test/product";
import { add, type GoesOn, type Tally } from "./tally";

/** Another test file as long as there is time, with another seed each time; its own line says what it counted. */
async function repeat(
  tally: Tally,
  goesOn: GoesOn,
  { project, file, settings, line }: { project: string; file: string; settings: Settings; line: RegExp },
  seedOf: (seed: string) => Settings,
): Promise<void> {
  const vitest = [process.execPath, join(projectRoot(), "node_modules/vitest/vitest.mjs")];
  do {
    const seed = String(20261122 + tally.rounds);
    const run = runProgram([...vitest, "run", "--project", project, file], {
      ...settings,
      ...seedOf(seed),
      NO_COLOR: "1",
    });
    const code = await run.ended;
    tally.rounds++;
    if (code !== 0) tally.stranded.push(`seed ${seed}: ${run.output().slice(-1_500)}`);
    for (const [name, count] of Object.entries(line.exec(run.output())?.groups ?? {}))
      add(tally, name.replaceAll("_", " "), Number(count));
  } while (goesOn());
}

/** Requests made from the OpenAPI document, and what comes back held to it. */
export const playFuzz = (tally: Tally, _random: () => number, goesOn: GoesOn) =>
  repeat(
    tally,
    goesOn,
    {
      project: "faults",
      file: "e2e/resource/over-http/fuzz.faults.test.ts",
      settings: { FUZZ_REQUESTS: "100000" },
      line: /fuzz: (?<requests>\d+) requests in (?<seconds>[\d.]+) s/,
    },
    (FUZZ_SEED) => ({ FUZZ_SEED }),
  );

/** Random sequences of steps, each held to the model of the contract. */
export const playModel = (tally: Tally, _random: () => number, goesOn: GoesOn) =>
  repeat(
    tally,
    goesOn,
    {
      project: "unit",
      file: "e2e/resource/model.test.ts",
      settings: { MODEL_SEQUENCES: "1000" },
      line: /model: (?<sequences>\d+) sequences of (?<steps>\d+) steps/,
    },
    (MODEL_SEED) => ({ MODEL_SEED }),
  );
