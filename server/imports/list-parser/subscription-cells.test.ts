import { expect, it } from "vitest";
import { parseList } from "./parse-list";

it.each([
  ["'Bob's form'", "Bob's form"],
  ["['Bob's form']", "Bob's form"],
  ['["Bob"" s form"]', 'Bob" s form'],
  ["Bob's 'form'", "Bob's 'form'"],
])("takes list signs and quotes only off the edges of the source %j", (source, evidence) => {
  const text = `email,source\nada@x.com,"${source.replaceAll('"', '""')}"`;
  expect(parseList(text).records[0]?.evidence).toEqual({ source: evidence });
});
