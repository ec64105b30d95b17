import { expect, test } from "vitest";
import { fillIn, unknownPlaceholders } from "./placeholders";

test("an unknown placeholder is named once, a known one and bare braces are not", () => {
  const text = "Dear {name}, {newsletter} {} {a b} { newsletter } {name} {Vorname}";
  expect(unknownPlaceholders(text, ["newsletter"])).toEqual(["{name}", "{Vorname}"]);
});

test("values are put in as they are, and not looked through again", () => {
  const values = { newsletter: "{newsletter} $& $1" };
  expect(fillIn("To {newsletter}, {toString}!", values)).toBe("To {newsletter} $& $1, {toString}!");
});
