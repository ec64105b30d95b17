import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedLists, objections } from "./testing/lists";

const folder = new URL("./testing/lists/", import.meta.url);
// Files of bytes are decoded first, as in the browser: components/imports holds them to the same expectations.
const lists = expectedLists(folder).filter(([, { file }]) => !file.includes(".bin."));

describe("lists as people have them", () => {
  it.each(lists)("%s", (_, list) => {
    expect(objections(readFileSync(new URL(list.file, folder), "utf8"), list)).toEqual([]);
  });
});
