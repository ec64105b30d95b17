import { expect, it } from "vitest";
import { cutTokens } from "./entry-tokens";

const cut = (text: string) =>
  cutTokens(text, 0, text.length).map(({ kind, innerFrom, innerTo }) => [
    kind,
    text.slice(innerFrom, innerTo),
  ]);

it("reads an entry in quotes as if it had none, and pairs its closing quote with no later quote", () => {
  expect(cut('"Ada ada@x.com", "Grace grace@x.com"')).toEqual([
    ["word", "Ada"],
    ["word", "ada@x.com"],
    ["separator", ","],
    ["word", "Grace"],
    ["word", "grace@x.com"],
  ]);
});

it("keeps a quoted name and a quoted address before angle brackets whole", () => {
  expect(cut('"Lovelace, Ada" <ada@x.com>; "grace@x.com" <grace@x.com>')).toEqual([
    ["quoted", "Lovelace, Ada"],
    ["angle", "ada@x.com"],
    ["separator", ";"],
    ["quoted", "grace@x.com"],
    ["angle", "grace@x.com"],
  ]);
});

it("reads quotes without a pair as ordinary characters", () => {
  expect(cut('“Ada ada@x.com, "Grace grace@x.com')).toEqual([
    ["word", "Ada"],
    ["word", "ada@x.com"],
    ["separator", ","],
    ["word", "Grace"],
    ["word", "grace@x.com"],
  ]);
});
