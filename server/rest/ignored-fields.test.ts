import { expect, test } from "vitest";
import { z } from "zod";
import { ignoredFields } from "./ignored-fields";

const Person = z.object({ email: z.string(), name: z.string().optional() });

test.each([
  ["nothing unknown", { email: "a" }, null],
  ["one", { email: "a", tags: [] }, "tags"],
  [
    "several, each once, in the order of the body",
    { custom_fields: {}, email: "a", tags: 1 },
    "custom_fields, tags",
  ],
  ["what JSON allows and a header does not", { "a b": 1, "é\\n": 2, "x,y": 3 }, "a%20b, %C3%A9%5Cn, x%2Cy"],
  ["a line break", { "a\r\nSet-Cookie: x": 1 }, "a%0D%0ASet-Cookie%3A%20x"],
  ["half a character", { "\ud800": 1 }, "%EF%BF%BD"],
  ["a percent sign", { "100%": 1 }, "100%25"],
  ["the name of a method", JSON.parse('{"__proto__": 1, "constructor": 2}'), "__proto__, constructor"],
  ["no name at all", { "": 1 }, null],
  ["no object", "text", null],
  ["null", null, null],
  ["an array where one is asked for", [{ tags: 1 }], "tags"],
])("the header of a body with %s", (_, body, header) => {
  expect(ignoredFields(Person, body)).toBe(header);
});

test("of a bulk the names of all items are told once", () => {
  const body = [{ email: "a", tags: 1 }, 7, null, ["x"], { tags: 2, vip: true }, { email: "b" }];
  expect(ignoredFields(z.array(Person), body)).toBe("tags, vip");
});

test("the header is bounded: at most 20 names and 1,000 characters, `...` for more", () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]));
  const header = ignoredFields(Person, many) as string;
  expect(header.split(", ")).toHaveLength(21);
  expect(header.endsWith(", field19, ...")).toBe(true);
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${"é".repeat(1_000)}`, i]));
  const cut = ignoredFields(z.array(Person), [long]) as string;
  expect(cut.length).toBeLessThanOrEqual(1_005);
  expect(cut.endsWith(", ...")).toBe(true);
  expect(cut).toMatch(/^[\x21-\x7e, ]+$/);
});
