import { expect, test } from "vitest";
import { textsInEnglish } from "../texts/testing/in-english";
import { dayName } from "./time";

test("names days across months, years and a change of the clock", () => {
  const t = textsInEnglish("ui.time");
  const of = (at: string, now: string) => dayName(new Date(at), t, "en", new Date(now));
  expect(of("2026-03-01T00:00:00", "2026-03-01T23:59:59")).toBe("Today");
  expect(of("2026-02-28T23:59:59", "2026-03-01T00:00:00")).toBe("Yesterday");
  expect(of("2025-12-31T12:00:00", "2026-01-01T12:00:00")).toBe("Yesterday");
  expect(of("2026-03-29T00:30:00", "2026-03-30T00:10:00")).toBe("Yesterday");
  expect(of("2026-11-16T12:00:00", "2026-11-24T12:00:00")).toBe("Monday 16 November");
  expect(of("2024-03-03T12:00:00", "2026-11-24T12:00:00")).toBe("3 March 2024");
});
