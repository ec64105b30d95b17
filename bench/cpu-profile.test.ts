import { expect, test } from "vitest";
import { type CpuProfile, spentByArea } from "./cpu-profile";

test("counts a built-in function for the package that calls it", () => {
  const frame = (functionName: string, url: string) => ({
    functionName,
    url,
    lineNumber: 0,
    columnNumber: 0,
  });
  const profile: CpuProfile = {
    nodes: [
      { id: 1, callFrame: frame("(root)", ""), children: [2, 3, 5] },
      { id: 2, callFrame: frame("(idle)", "") },
      {
        id: 3,
        callFrame: frame("query", "file:///list/node_modules/pg-protocol/dist/serializer.js"),
        children: [4],
      },
      // Named like something that every object has.
      { id: 4, callFrame: frame("toString", "") },
      { id: 5, callFrame: frame("create", "file:///list/server/subscribers/subscribers.ts") },
    ],
    samples: [2, 4, 3, 5],
    timeDeltas: [0, 50, 30, 10, 5],
  };
  const spent = spentByArea(profile, "/list");
  expect(spent.idleMicros).toBe(50);
  expect(spent.areas).toEqual([
    ["pg", 40],
    ["server/subscribers", 5],
  ]);
});
