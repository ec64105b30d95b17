import { expect, test } from "vitest";
import { type Cell, tableOf } from "./report";

function cell(server: string, paces: number[]): Cell {
  const rest = { accepted: 1000, p50Ms: 1, p99Ms: 2, clientMicros: 20 };
  const rounds = paces.map((requestsPerSecond) => ({
    ...{ ...rest, requestsPerSecond, serverMicros: Number.NaN, peakRssBytes: Number.NaN },
  }));
  return { kind: "single", connections: 16, server, rounds };
}

test("compares each round with the floor of the same round", () => {
  // The machine is half as fast in the second round: the medians alone would give 1.00.
  const table = tableOf("single", [
    cell("floor", [1000, 500, 1000]),
    cell("REST in front", [900, 450, 1000]),
  ]);
  expect(table).toContain("| 16 | REST in front | 0.90 | 900 | 1.00 | 2.00 | – | 20 | – |");
});
