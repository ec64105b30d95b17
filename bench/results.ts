import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "./options";
import { type Cell, tableOf } from "./report";

export const titles = { single: "Single creates", bulk: "Bulks of 100" };

interface Results {
  options: Options;
  machine: [string, string][];
  cells: Cell[];
}

/** Writes bench/RESULTS.md. @returns its path */
export function writeResults(root: string, { options, machine, cells }: Results): string {
  const file = join(root, "bench", "RESULTS.md");
  const seconds = options.windowMs / 1000;
  writeFileSync(
    file,
    `# What a create costs

Written by \`npm run bench\`; to repeat it, run that in a fresh clone on a machine that has nothing else to do
(about six minutes; \`npm run bench -- --help\` for shorter ones). Everything, the load client too, shares the processors below.

${machine.map(([name, value]) => `- ${name}: ${value}`).join("\n")}

Two servers over one PostgreSQL (fresh, durable), each with the same requests:
**floor**, hand-written on Fastify and \`pg\` (bench/floor.ts); **REST in front**, Rollcall as \`npm start\` serves it.
Rate limits are off, the table is empty at each start, every 201 is found as a row afterwards.
Medians of ${options.rounds} interleaved rounds of ${seconds} s; the ratio is the median of each round's own. CPU is the server process's time per request,
without PostgreSQL's; peak MB the most memory it held in any round.

${options.kinds.map((kind) => `## ${titles[kind]}\n\n${tableOf(kind, cells)}`).join("\n\n")}
`,
  );
  return file;
}
