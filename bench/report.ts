import type { Measurement } from "./measure";
import type { Kind } from "./options";

/** All rounds of one server under one load. */
export interface Cell {
  kind: Kind;
  connections: number;
  server: string;
  /** In the order of the rounds, so that the same place in two cells of one load means the same minute. */
  rounds: Measurement[];
}

/**
 * The table of one kind, as aligned Markdown: medians over the rounds. The ratio is the median of each round's own
 * ratio to the floor, so what slows the machine for a while slows both sides of it.
 */
export function tableOf(kind: Kind, cells: Cell[]): string {
  const header = [
    "conn.",
    "server",
    "of the floor",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU µs",
    "client µs",
    "peak MB",
  ];
  const rows = cells
    .filter((cell) => cell.kind === kind)
    .map((cell) => {
      const floor = cells.find(
        (other) => other.kind === kind && other.connections === cell.connections && other.server === "floor",
      );
      const ratios = cell.rounds.map(
        (m, i) => m.requestsPerSecond / (floor?.rounds[i]?.requestsPerSecond ?? Number.NaN),
      );
      const middle = (name: keyof Measurement, digits: number) => {
        const values = cell.rounds.map((round) => round[name]).filter((value) => value !== undefined);
        return show(median(values), digits);
      };
      return [
        String(cell.connections),
        cell.server,
        show(median(ratios), 2),
        middle("requestsPerSecond", 0),
        middle("p50Ms", 2),
        middle("p99Ms", 2),
        middle("serverMicros", 0),
        middle("clientMicros", 0),
        show(Math.max(...cell.rounds.map((m) => m.peakRssBytes ?? Number.NaN)) / 1e6, 0),
      ];
    });
  return alignedTable(header, rows, ["server"]);
}

/** A Markdown table that reads well as plain text too. @param leftAligned columns of words; the others hold numbers */
function alignedTable(header: string[], rows: string[][], leftAligned: string[]): string {
  const widths = header.map((title, i) =>
    Math.max(title.length, 4, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const left = header.map((title) => leftAligned.includes(title));
  const line = (row: string[]) =>
    `| ${row.map((text, i) => (left[i] ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, i) => (left[i] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** "–" for what could not be measured. */
export function show(value: number, digits: number): string {
  if (!Number.isFinite(value)) return "–";
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
