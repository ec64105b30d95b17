import { expect, it } from "vitest";
import { parseList } from "./parse-list";

it("finds the column of names without a title, even if most names are missing", () => {
  const text = "ada@x.com,-\ngrace@x.com,-\nalan@x.com,---\neve@x.com,Eve Adams";
  expect(parseList(text).records.map(({ name }) => name)).toEqual(["", "", "", "Eve Adams"]);
});
