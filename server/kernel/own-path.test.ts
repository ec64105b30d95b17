import { expect, it } from "vitest";
import { ownPathOrRoot } from "./own-path";

it.each(["/", "/n/1/people?q=a%20b#x", "/setup?token=x", "/n//people"])("accepts %j", (path) => {
  expect(ownPathOrRoot(path)).toBe(path);
});

it.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r\n//evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "evil.example",
  "",
  undefined,
  ["/a", "/b"],
])("replaces %j by the first page", (next) => {
  expect(ownPathOrRoot(next)).toBe("/");
});
