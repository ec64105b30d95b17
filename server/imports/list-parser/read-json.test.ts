import { expect, it } from "vitest";
import { parseList } from "./parse-list";

it.each([
  ["a list", '["vip", "unsubscribed"]'],
  ["an object in a list", '[{"state": "unsubscribed"}]'],
])("finds an opt-out in %s", (_, tags) => {
  const [person] = parseList(`[{"email": "ada@x.com", "tags": ${tags}}]`).records;
  expect(person?.leaving?.reason).toBe("unsubscribed");
});
