import { expect, test } from "vitest";
import { Filter } from "@/server/subscribers/schema/filter";
import { filterOfView } from "./conditions-of-view";

const none = {
  ...{ q: "", status: [], source: [], tags: [], fields: [] },
  ...{ added: null, confirmed: null, import: null, importPart: null },
};
const fields = [
  { key: "seats", label: "Seats", type: "number", choices: [] },
  { key: "company", label: "Company", type: "text", choices: [] },
] as unknown as Parameters<typeof filterOfView>[1];

test("makes a condition of each control of the list", () => {
  const id = "01900000-0000-7000-8000-000000000001";
  const { filter, isLeftOut } = filterOfView(
    {
      ...none,
      q: " Ada ",
      status: ["pending", "active"],
      source: ["api"],
      tags: ["VIP", "new"],
      fields: ["seats:3", "company:Navy: Hopper"],
      added: { from: "2026-03-01", to: "2026-03-31" },
      confirmed: { from: null, to: "2026-04-30" },
      import: id,
    },
    fields,
    null,
  );
  expect(isLeftOut).toBe(false);
  expect(filter).toEqual({
    match: "all",
    conditions: [
      { about: "search", value: "Ada" },
      { about: "status", is: ["pending", "active"] },
      { about: "source", is: ["api"] },
      { about: "tag", is: ["VIP", "new"] },
      { about: "field", key: "seats", test: "is", value: 3 },
      { about: "field", key: "company", test: "equals", value: "Navy: Hopper" },
      // From the first moment of the first day to the last of the last, where the reader is.
      { about: "added", test: "after", at: new Date(2026, 2, 1).toISOString() },
      { about: "added", test: "before", at: new Date(2026, 3, 1).toISOString() },
      { about: "confirmed", test: "before", at: new Date(2026, 4, 1).toISOString() },
      { about: "import", id, part: "added" },
    ],
    not: [],
  });
  expect(Filter.parse(filter)).toEqual(filter);
});

test("adds the controls to the conditions of the list's segment, with days relative to now", () => {
  const old = { about: "tag", is: ["old"] } as const;
  const base: Filter = { match: "any", conditions: [], not: [{ ...old, is: ["old"] }] };
  expect(filterOfView({ ...none, added: { days: 7 } }, fields, base)).toEqual({
    filter: { match: "all", conditions: [{ about: "added", test: "within_days", days: 7 }], not: base.not },
    isLeftOut: false,
  });
  expect(filterOfView(none, fields, null)).toEqual({ filter: null, isLeftOut: false });
});

test("leaves the controls out when the segment matches any of several conditions", () => {
  const old = { about: "tag", is: ["old"] } as const;
  const base: Filter = {
    match: "any",
    conditions: [
      { ...old, is: ["new"] },
      { ...old, is: ["old"] },
    ],
    not: [],
  };
  expect(filterOfView({ ...none, q: "ada" }, fields, base)).toEqual({ filter: base, isLeftOut: true });
  expect(filterOfView(none, fields, base)).toEqual({ filter: base, isLeftOut: false });
});
