import type { LoadResult } from "./load";

export type Kind = "single" | "bulk";

/** All rounds of one server under one load. */
export interface Cell {
  kind: Kind;
  connections: number;
  server: string;
  /** In order, so that the same place in two cells of one load means the same minute. */
  rounds: (LoadResult & {
    /** CPU time of the server process, without PostgreSQL, for each request; NaN where there is no /proc. */
    serverMicros: number;
    peakRssBytes: number;
  })[];
}

/**
 * The table of one kind, in Markdown: medians over the rounds. The ratio is the median of each round's own ratio to the
 * floor, so a slow minute of the machine affects both sides of it.
 */
export function tableOf(kind: Kind, cells: Cell[]): string {
  const ofKind = cells.filter((cell) => cell.kind === kind);
  const rows = ofKind.map(({ connections, server, rounds }) => {
    const floor = ofKind.find((other) => other.connections === connections && other.server === "floor");
    const ratios = rounds.map(
      (one, i) => one.requestsPerSecond / (floor?.rounds[i]?.requestsPerSecond ?? Number.NaN),
    );
    const middle = (name: keyof Cell["rounds"][number], digits: number) =>
      show(median(rounds.map((round) => round[name])), digits);
    return [
      String(connections),
      server,
      show(median(ratios), 2),
      middle("requestsPerSecond", 0),
      middle("p50Ms", 2),
      middle("p99Ms", 2),
      middle("serverMicros", 0),
      middle("clientMicros", 0),
      show(Math.max(...rounds.map((one) => one.peakRssBytes)) / 1e6, 0),
    ];
  });
  const header =
    "conn. | server | of the floor | requests/s | p50 ms | p99 ms | CPU µs | client µs | peak MB";
  const rule = "---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---:";
  return [header, rule, ...rows.map((row) => row.join(" | "))].map((line) => `| ${line} |`).join("\n");
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** "–" for a value that could not be measured. */
export function show(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
