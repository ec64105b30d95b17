import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { PrismaClient } from "../platform/db/generated/client";
import { type Kind, textOf } from "./row-types";

/** One line of a record: an executed statement and the columns of its rows. */
export type Ran = { text: string; columns: Record<string, Kind[]> | null };

function kindOf(value: unknown): Kind {
  if (value === null) return "null";
  if (value instanceof Date) return "date";
  if (value instanceof Uint8Array) return "bytes";
  if (Array.isArray(value)) return "array";
  return typeof value as Kind;
}

type Raw = (
  this: unknown,
  strings: { raw?: unknown } & readonly string[],
  ...values: unknown[]
) => Promise<unknown>;

/** Records all raw statements that Prisma runs in this module graph, in a file of `folder`. */
export function recordStatements(folder: string): void {
  const seen = new Set<string>();
  const note = (ran: Ran) => {
    const line = JSON.stringify(ran);
    if (seen.has(line)) return;
    seen.add(line);
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
  };
  const prototype = PrismaClient.prototype as unknown as Record<string, Raw>;
  for (const method of ["$queryRaw", "$executeRaw"]) {
    const run = prototype[method] as Raw;
    prototype[method] = function (strings, ...values) {
      if ("raw" in strings) {
        const text = textOf(strings);
        const promised = run.call(this, strings, ...values);
        // Prisma's promises are lazy and have more than `then`, so only their results are inspected.
        const later = promised.then.bind(promised);
        // biome-ignore lint/suspicious/noThenProperty: a promise of the library's own, passed on as it is
        promised.then = ((done: (rows: unknown) => unknown, failed: never) =>
          later((rows) => {
            note({ text, columns: Array.isArray(rows) && rows[0] ? kindsIn(rows) : null });
            return done ? done(rows) : rows;
          }, failed)) as typeof promised.then;
        promised.catch = ((failed: never) => promised.then((rows) => rows, failed)) as typeof promised.catch;
        return promised;
      }
      return run.call(this, strings, ...values);
    };
  }
}

function kindsIn(rows: Record<string, unknown>[]): Record<string, Kind[]> {
  const columns: Record<string, Kind[]> = {};
  for (const row of rows.slice(0, 20))
    for (const [name, value] of Object.entries(row)) {
      const kind = kindOf(value);
      const known = columns[name] ?? [];
      columns[name] = known.includes(kind) ? known : [...known, kind].sort();
    }
  return columns;
}
