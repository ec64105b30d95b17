import { ChangeSet } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { ChangeLog } from "./change-log";

const insert = (length: number, at: number, text: string) =>
  ChangeSet.of({ from: at, insert: text }, length).desc;

describe("the log of changes", () => {
  it("tells where a place of an earlier version is now", () => {
    const log = new ChangeLog();
    log.add(insert(10, 0, "abc"));
    log.add(insert(13, 5, "de"));
    expect(log.version).toBe(2);
    expect(log.since(0)?.mapPos(4)).toBe(9);
    expect(log.since(1)?.mapPos(4)).toBe(4);
    expect(log.since(2)).toBeNull();
  });

  it("does not pretend to know what it has forgotten", () => {
    const log = new ChangeLog();
    for (let version = 0; version < 3; version++) log.add(insert(10 + version, 0, "x"));
    log.forgetBefore(2);
    expect(log.knows(1)).toBe(false);
    expect(log.knows(2)).toBe(true);
    expect(log.since(2)?.mapPos(0, 1)).toBe(1);
  });
});
