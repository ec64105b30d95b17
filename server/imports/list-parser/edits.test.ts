import { expect, it } from "vitest";
import { fixAddress } from "./edits";
import type { PastedPerson } from "./list-types";

it("corrects both places of a repeated address", () => {
  const [again, address] = [
    { from: 10, to: 15 },
    { from: 20, to: 25 },
  ];
  expect(fixAddress({ address, again } as PastedPerson, "a@x.com")).toEqual([
    { from: 10, to: 15, insert: "a@x.com" },
    { from: 20, to: 25, insert: "a@x.com" },
  ]);
});
