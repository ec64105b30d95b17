import { expect, test } from "vitest";
import { fillIn, unknownPlaceholders } from "./placeholders";

test("lists each unknown placeholder once, but no known one and no empty braces", () => {
  const text = "Dear {name}, {newsletter} {} {a b} { newsletter } {name} {Vorname}";
  expect(unknownPlaceholders(text, ["newsletter"])).toEqual(["{name}", "{Vorname}"]);
});

test("fills in values unchanged, without replacing placeholders inside them", () => {
  const values = { newsletter: "{newsletter} $& $1" };
  expect(fillIn("To {newsletter}, {toString}!", values)).toBe("To {newsletter} $& $1, {toString}!");
});
