import { parseArgs } from "node:util";

export type Kind = "single" | "bulk";

export interface Options {
  rounds: number;
  /** The counted window of one measurement. */
  windowMs: number;
  kinds: Kind[];
  connections: number[];
  /** Instead of all that: a list of 100,000 people through the bulk form. */
  import: boolean;
  /** Instead of all that: the People page with so many people; 0: not asked for. */
  people: number;
  /** Instead of all that: so many small changes of the code for each area, and whether a test notices; 0: not asked for. */
  mutation: number;
}

export const usage = `npm run bench -- [options]

  --rounds N        rounds, each measuring every server once in turn (default 5)
  --seconds N       counted time of one measurement (default 3)
  --only KIND       single or bulk
  --connections N   one number of connections instead of 1, 16 and 64
  --import          instead: 100,000 people through the bulk form
  --people N        instead: opening, filtering, searching, sorting and counting N people on the dashboard; writes bench/PEOPLE.md
  --mutation N      instead: break the code in N small ways for each area, and see whether a test fails; writes bench/MUTATION.md
`;

/** Reads the command line. Throws an Error that says what is wrong. */
export function readOptions(args: string[]): Options | "help" {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      only: { type: "string" },
      connections: { type: "string" },
      import: { type: "boolean", default: false },
      people: { type: "string", default: "0" },
      mutation: { type: "string", default: "0" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const { only } = values;
  if (only !== undefined && only !== "single" && only !== "bulk")
    throw new Error("--only takes single or bulk");
  return {
    rounds: within("--rounds", values.rounds, 1, 50),
    windowMs: within("--seconds", values.seconds, 0.2, 60) * 1000,
    kinds: only ? [only] : ["single", "bulk"],
    connections: values.connections ? [within("--connections", values.connections, 1, 512)] : [1, 16, 64],
    import: values.import,
    people: within("--people", values.people, 0, 20_000_000),
    mutation: within("--mutation", values.mutation, 0, 10_000),
  };
}

/** Whether a run with these options measures all there is, as often as RESULTS.md promises. */
export function isWhole({ rounds, kinds, connections }: Options): boolean {
  return rounds >= 5 && kinds.length === 2 && connections.length === 3;
}

function within(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`${name} takes a number from ${least} to ${most}`);
  return name === "--seconds" ? value : Math.trunc(value);
}
