import { expect, it } from "vitest";
import { readJsonValue } from "./json-nodes";

it("reads 64 levels, and keeps the people above a deeper one", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}"a@x.com"${"]".repeat(levels)}`;
  expect(readJsonValue(nested(64), 10).brokenAt).toBeNull();
  const { node, brokenAt } = readJsonValue(`["ada@x.com", ${nested(64)}]`, 10);
  expect(brokenAt).toBe(10 + '["ada@x.com", '.length + 63);
  expect(node).toMatchObject({ kind: "array", items: [{ value: "ada@x.com" }, { kind: "array" }] });
});

it("keeps the keys, the values and the places of an object", () => {
  const { node } = readJsonValue('{"mail": "ada@x.com", "age": 36, "tags": ["x"],}', 5);
  expect(node).toMatchObject({
    ...{ kind: "object", complete: true, from: 5, to: 53, keys: ["mail", "age", "tags"] },
    values: [
      { kind: "string", value: "ada@x.com", from: 15, to: 24 },
      { kind: "other", value: "36", from: 34, to: 36 },
      { kind: "array", items: [{ value: "x" }] },
    ],
  });
});

it("keeps the parsed part of a broken object, and marks it as incomplete", () => {
  const { node, brokenAt } = readJsonValue('{"mail": "ada@x.com", "age" 36}', 5);
  expect(node).toMatchObject({
    ...{ kind: "object", complete: false, keys: ["mail", "age"] },
    values: [{ value: "ada@x.com" }],
  });
  expect(brokenAt).toBe(33);
});
