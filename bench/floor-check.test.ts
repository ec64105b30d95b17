import { expect, test } from "vitest";
import { checkItem } from "./floor-check";

test("the floor rejects what a careful service rejects", () => {
  expect(checkItem({ email: " Ada@Example.org ", name: "Ada King Lovelace" })).toEqual({
    email: "Ada@Example.org",
    emailCanonical: "ada@example.org",
    firstName: "Ada",
    lastName: "King Lovelace",
    status: "active",
  });
  for (const bad of [
    null,
    [],
    {},
    { email: 1 },
    { email: "a@b" },
    { email: "a@@b.org" },
    { email: "a@b.org", status: null },
  ]) {
    expect(checkItem(bad)).toHaveProperty("message");
  }
});
