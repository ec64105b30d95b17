import { parseArgs } from "node:util";

export interface Options {
  rounds: number;
  /** The counted window of one measurement. */
  windowMs: number;
  /** Another product to measure, too. */
  peer: "directus" | undefined;
  /** Instead: the People page with so many people; 0: not asked for. */
  people: number;
  /** A folder that keeps the people for the next run; null: a throwaway one. */
  dataDir: string | null;
  /** Instead: so many small changes of the code for each area; 0: not asked for. */
  mutation: number;
}

export const usage = `npm run bench -- [options]

  --rounds N        rounds, each measuring every server once in turn (default 5)
  --seconds N       counted time of one measurement (default 3)
  --peer directus   also installs and measures Directus (about 470 MB in .build)
  --people N        instead: lists, filters, searches, counts, REST, the change feed, creates, restart and backup with N people (at least 10,000); writes a section of bench/PEOPLE.md
  --data-dir FOLDER with --people: adds the people there and leaves them; a later run measures them again
  --mutation N      instead: break the code in N small ways for each area, and see whether a test fails; writes bench/MUTATION.md
`;

/** Reads the command line. Throws an Error that says what is wrong; undefined for --help. */
export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      peer: { type: "string" },
      people: { type: "string" },
      "data-dir": { type: "string" },
      mutation: { type: "string", default: "0" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const { peer } = values;
  if (peer !== undefined && peer !== "directus") throw new Error("--peer takes directus.");
  return {
    rounds: within("--rounds", values.rounds, 1, 50),
    windowMs: within("--seconds", values.seconds, 0.2, 60) * 1000,
    peer,
    people: values.people === undefined ? 0 : within("--people", values.people, 10_000, 20_000_000),
    dataDir: values["data-dir"] ?? null,
    mutation: within("--mutation", values.mutation, 0, 10_000),
  };
}

function within(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!(value >= least && value <= most))
    throw new Error(
      `${name} takes a number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}.`,
    );
  return name === "--seconds" ? value : Math.trunc(value);
}
