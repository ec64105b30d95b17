import { expect, test } from "vitest";
import type { WindowState } from "../platform/limits/counters";
import { quotaHeaders } from "./envelope";

type Numbers = [quota: number, windowSeconds: number, remaining: number, resetSeconds: number];
/** A window that ends this many seconds after 1,799,999,988. */
const window = (name: string, [quota, windowSeconds, remaining, resetSeconds]: Numbers): WindowState => ({
  ...{ name, quota, windowSeconds, remaining, resetSeconds },
  resetsAt: 1_799_999_988 + resetSeconds,
});
const minute = window("minute", [60, 60, 59, 12]);
const hour = window("hour", [500, 3600, 480, 1812]);
const day = window("day", [3000, 86_400, 2000, 40_000]);

test("lists all windows in RateLimit, and the tightest window in X-RateLimit", () => {
  expect(quotaHeaders({ windows: [minute, hour, day] })).toEqual({
    "RateLimit-Policy": '"minute";q=60;w=60, "hour";q=500;w=3600, "day";q=3000;w=86400',
    RateLimit: '"minute";r=59;t=12, "hour";r=480;t=1812, "day";r=2000;t=40000',
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Reset": "1800000000",
  });
});

test("prefers the later reset among windows with equal remaining requests", () => {
  const headers = quotaHeaders({ windows: [minute, { ...hour, remaining: 3 }, { ...day, remaining: 3 }] });
  expect(headers["X-RateLimit-Limit"]).toBe("3000");
  expect(headers["X-RateLimit-Reset"]).toBe("1800039988");
});

test("returns no headers without a policy", () => {
  expect(quotaHeaders({ windows: [] })).toEqual({});
});
