import { expect, test } from "vitest";
import { addSection, type Cell, conclusionOf, type Kind, tableOf } from "./report";

function cell(server: string, paces: number[], kind: Kind = "single"): Cell {
  const rest = { accepted: 1000, p50Ms: 1, p99Ms: 2, clientMicros: 20 };
  const rounds = paces.map((requestsPerSecond) => ({
    ...{ ...rest, requestsPerSecond, serverMicros: Number.NaN, peakRssBytes: Number.NaN },
  }));
  return { kind, connections: 16, server, rounds };
}

test("compares each round with the floor of the same round", () => {
  // The machine is half as fast in the second round: the medians alone would give 1.00.
  const table = tableOf("single", [cell("floor", [1000, 500, 1000]), cell("Rollcall", [900, 450, 1000])]);
  expect(table).toContain("| 16 | Rollcall | 0.90 | 900 | 1.00 | 2.00 | – | 20 | – |");
});

test("concludes from the ratios at 16 connections", () => {
  const of = (kind: Kind, paces: Record<string, number[]>) =>
    Object.entries(paces).map(([server, list]) => cell(server, list, kind));
  const single = { floor: [1000, 500], "by hand": [750, 375], Directus: [9, 4.5], Rollcall: [900, 450] };
  const bulk = { floor: [100, 50], "by hand": [80, 40], Directus: [5, 2.5], Rollcall: [50, 25] };
  expect(conclusionOf([...of("single", single), ...of("bulk", bulk)]).split("\n")).toEqual([
    "With 16 connections, one process of Rollcall adds 675 people a second one at a time, and 3,750 in bulks of 100.",
    "That is 0.90 and 0.50 of what the floor adds, and 1.20 and 0.63 of what the same work by hand adds on the same tables.",
    "Of Rollcall's rate, Directus reaches 0.01 and 0.10.",
  ]);
});

test("a section replaces only its own earlier text, and sections are in the order of their numbers", () => {
  const first = addSection("", "# Lists", "10,000,000 people", "ten");
  const both = addSection(`${first}\n## Why\n\nby hand\n`, "# Lists", "1,000,000 people", "one");
  const later = addSection(both, "# Longer lists", "1,000,000 people", "another");
  expect(later).toBe(
    "# Longer lists\n\n## 1,000,000 people\n\nanother\n\n## 10,000,000 people\n\nten\n\n## Why\n\nby hand\n",
  );
});
