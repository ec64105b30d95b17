import { describe, expect, it, vi } from "vitest";
import { idAt, newId } from "./ids";

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const msOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

describe("an id", () => {
  it("is a UUID v7 of the current time", () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(V7);
    expect(msOf(id)).toBeGreaterThanOrEqual(before);
    expect(msOf(id)).toBeLessThanOrEqual(Date.now() + 1);
  });

  it("is higher than all earlier ids, even with many in one millisecond", () => {
    const ids = Array.from({ length: 50_000 }, newId);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("still rises when the clock is set back", () => {
    const first = newId();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() - 60_000);
    const second = newId();
    vi.restoreAllMocks();
    expect(second > first).toBe(true);
  });

  it("can be made for a past time", () => {
    const time = new Date("2026-06-11T17:00:00Z");
    expect(idAt(time)).toMatch(V7);
    expect(msOf(idAt(time))).toBe(time.getTime());
    expect(idAt(time)).not.toBe(idAt(time));
  });
});
