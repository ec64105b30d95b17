import type { LoadResult } from "./load";

export const kinds = ["single", "bulk"] as const;
export type Kind = (typeof kinds)[number];

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

/** Finds one server's rounds under one load. */
const roundsOf = (cells: Cell[], { kind, connections, server }: Omit<Cell, "rounds">) =>
  cells.find((one) => one.kind === kind && one.connections === connections && one.server === server)?.rounds;

/** The median of each round's own ratio, so that a slow minute of the machine affects both sides of it. */
const ratioOf = (rounds: Cell["rounds"] = [], base: Cell["rounds"] = []) =>
  median(rounds.map((one, i) => one.requestsPerSecond / (base[i]?.requestsPerSecond ?? Number.NaN)));

/** The table of one kind, in Markdown: medians over the rounds. */
export function tableOf(kind: Kind, cells: Cell[]): string {
  const ofKind = cells.filter((cell) => cell.kind === kind);
  const rows = ofKind.map(({ connections, server, rounds }) => {
    const floor = roundsOf(cells, { kind, connections, server: "floor" });
    const middle = (name: keyof Cell["rounds"][number], digits: number) =>
      show(median(rounds.map((round) => round[name])), digits);
    return [
      String(connections),
      server,
      show(ratioOf(rounds, floor), 2),
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

/** What the figures at 16 connections say about Rollcall, in three sentences. */
export function conclusionOf(cells: Cell[]): string {
  const roundsAt16 = (kind: Kind, server: string) => roundsOf(cells, { kind, connections: 16, server });
  const pair = (server: string, base: string) =>
    kinds.map((kind) => show(ratioOf(roundsAt16(kind, server), roundsAt16(kind, base)), 2)).join(" and ");
  const [single, bulks] = kinds.map((kind) =>
    median((roundsAt16(kind, "Rollcall") ?? []).map((one) => one.requestsPerSecond)),
  ) as [number, number];
  const others = ["Next and Prisma", "Directus"].filter((name) => roundsAt16("single", name));
  return [
    `With 16 connections, one process of Rollcall adds ${show(single, 0)} people a second one at a time, and ${show(bulks * 100, 0)} in bulks of 100.`,
    `That is ${pair("Rollcall", "floor")} of what the floor adds, and ${pair("Rollcall", "by hand")} of what the same work by hand adds on the same tables.`,
    `Of Rollcall's rate, ${others.map((name) => `${name} reaches ${pair(name, "Rollcall")}`).join(", and ")}.`,
  ].join("\n");
}

export function median(values: number[]): number {
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

/** Adds a section to a report in place of an earlier one with the same title. Sections are in the order of their numbers. */
export function addSection(report: string, head: string, title: string, section: string): string {
  const others = report
    .split(/^(?=## )/m)
    .filter((one) => one.startsWith("## ") && !one.startsWith(`## ${title}\n`));
  const all = [...others.map((one) => one.trimEnd()), `## ${title}\n\n${section}`];
  const size = (one: string) => Number.parseInt(one.slice(3).replaceAll(",", ""), 10);
  // A section without a number is written by hand and stays at the end.
  const sorted = all.toSorted((a, b) => (size(a) || Number.MAX_VALUE) - (size(b) || Number.MAX_VALUE));
  return `${[head, ...sorted].join("\n\n")}\n`;
}
