// `npm run bench`: measurements of the product. `npm run bench -- --help` lists the options.
import { benchCreates } from "./creates";
import { benchImport } from "./import";
import { readOptions, usage } from "./options";
import { benchPeopleList } from "./people-list";

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return say(usage);
  if (options.import) return benchImport(say);
  if (options.people) return benchPeopleList(options.people, say);
  if (!options.mutation) return benchCreates(options, say);
  const { benchMutation } = await import("./mutation");
  return benchMutation(options.mutation, say);
}

await main().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.stack);
    process.exit(1);
  },
);
