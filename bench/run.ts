// `npm run bench`: measurements of the product. `npm run bench -- --help` lists the options.
import { benchCreates } from "./creates";
import { endAll } from "./ending";
import { type Options, readOptions, usage } from "./options";
import { benchPeopleList } from "./people-list";

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function run(options: Options): Promise<void> {
  if (options.people) return benchPeopleList(options.people, options.dataDir, say);
  if (!options.mutation) return benchCreates(options, say);
  const { benchMutation } = await import("./mutation");
  return benchMutation(options.mutation, say);
}

class Interruption extends Error {}

const interrupted = new Promise<never>((_, reject) => {
  const interrupt = (by: string) => reject(new Interruption(`interrupted by ${by}; ending what was started`));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => {
      interrupt(name);
      process.on(name, () => process.exit(130));
    });
  // With `npm run bench | head`, an unhandled error would end this process and leave the others.
  process.stdout.on("error", () => interrupt("a closed output"));
  process.stderr.on("error", () => {});
});
// The options may be wrong before anything waits for this promise.
interrupted.catch(() => {});

async function main(): Promise<number> {
  let options: Options | undefined;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return 1;
  }
  if (!options) {
    say(usage);
    return 0;
  }
  try {
    await Promise.race([run(options), interrupted]);
    return 0;
  } catch (error) {
    const isInterruption = error instanceof Interruption;
    console.error(`\nbench: ${isInterruption ? error.message : (error as Error).stack}`);
    return isInterruption ? 130 : 1;
  } finally {
    await endAll();
  }
}

process.exit(await main());
