import { expect, test } from "vitest";
import { SegmentGroups } from "@/server/contract/segments";
import { groupsOfView } from "./groups-of-view";

const none = {
  q: "",
  status: null,
  source: null,
  tags: null,
  fields: null,
  added: null,
  confirmed: null,
  import: null,
  importPart: null,
};
const fields = [
  { key: "seats", label: "Seats", type: "number", choices: [] },
  { key: "company", label: "Company", type: "text", choices: [] },
] as unknown as Parameters<typeof groupsOfView>[1];

test("every chip becomes a condition that lets the same people in, and what is searched one of two", () => {
  const id = "01900000-0000-7000-8000-000000000001";
  const { groups, isCut } = groupsOfView(
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
    [],
  );
  expect(isCut).toBe(false);
  expect(groups).toEqual([
    {
      match: "all",
      conditions: [
        { about: "status", is: ["pending", "active"] },
        { about: "source", is: ["api"] },
        { about: "tag", is: ["VIP", "new"] },
        { about: "field", key: "seats", test: "is", value: 3 },
        { about: "field", key: "company", test: "is", value: "Navy: Hopper" },
        // As the chip: from the first moment of the first day to the last of the last, where the reader is.
        { about: "added", test: "after", at: new Date(2026, 2, 1).toISOString() },
        { about: "added", test: "before", at: new Date(2026, 3, 1).toISOString() },
        { about: "confirmed", test: "before", at: new Date(2026, 4, 1).toISOString() },
        { about: "import", id, part: "added" },
      ],
    },
    {
      match: "any",
      conditions: [
        { about: "email", test: "contains", value: "Ada" },
        { about: "name", test: "contains", value: "Ada" },
      ],
    },
  ]);
  expect(SegmentGroups.parse(groups)).toEqual(groups);
});

test("days that end today go on with time, the segment that is shown stays, and a short search is cut to what a segment can ask", () => {
  const base: SegmentGroups = [{ match: "none", conditions: [{ about: "tag", is: ["old"] }] }];
  const { groups, isCut } = groupsOfView({ ...none, q: "ad", added: { days: 7 } }, fields, base);
  expect(groups).toEqual([
    ...base,
    { match: "all", conditions: [{ about: "added", test: "within_days", days: 7 }] },
    {
      match: "any",
      conditions: [
        { about: "email", test: "starts_with", value: "ad" },
        { about: "name", test: "starts_with", value: "ad" },
      ],
    },
  ]);
  expect(isCut).toBe(true);
  expect(groupsOfView(none, fields, [])).toEqual({ groups: [], isCut: false });
});
