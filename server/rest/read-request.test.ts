import { expect, test } from "vitest";
import { z } from "zod";
import { ignoredFields } from "./read-request";

const Person = z.object({ email: z.string(), name: z.string().optional() });

test.each([
  ["known fields", { email: "a" }, null],
  ["unknown fields", { custom_fields: {}, email: "a", tags: 1 }, "custom_fields, tags"],
  [
    "characters that a header can't have",
    { "a\r\nb": 1, "x,y": 3, "\ud800": 1 },
    "a%0D%0Ab, x%2Cy, %EF%BF%BD",
  ],
  ["names of methods", JSON.parse('{"__proto__": 1, "constructor": 2}'), "__proto__, constructor"],
  ["an empty name", { "": 1 }, null],
  ["a text", "text", null],
  ["an array instead of an object", [{ tags: 1 }], "tags"],
])("the header of a body with %s", (_, body, header) => {
  expect(ignoredFields(Person, body)).toBe(header);
});

test("names the fields of all items of a bulk once", () => {
  const body = [{ email: "a", tags: 1 }, 7, null, ["x"], { tags: 2, vip: true }, { email: "b" }];
  expect(ignoredFields(z.array(Person), body)).toBe("tags, vip");
});

test("is limited to 1,000 characters", () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]));
  expect(ignoredFields(Person, many)).toMatch(/^field0, field1, .*, field110, \.\.\.$/);
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${"é".repeat(1_000)}`, i]));
  const cut = ignoredFields(z.array(Person), [long]) as string;
  expect(cut.length).toBeLessThanOrEqual(1_005);
  expect(cut.endsWith(", ...")).toBe(true);
  expect(cut).toMatch(/^[\x21-\x7e, ]+$/);
});
