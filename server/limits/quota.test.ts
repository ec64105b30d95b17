import { expect, test } from "vitest";
import { quotaHeaders, quotaResult, type WindowState } from "./quota";

const minute: WindowState = {
  name: "minute",
  quota: 60,
  windowSeconds: 60,
  remaining: 59,
  resetSeconds: 12,
  resetsAt: 1_800_000_000,
};
const hour: WindowState = {
  name: "hour",
  quota: 500,
  windowSeconds: 3600,
  remaining: 480,
  resetSeconds: 1812,
  resetsAt: 1_800_001_800,
};
const day: WindowState = {
  name: "day",
  quota: 3000,
  windowSeconds: 86_400,
  remaining: 2000,
  resetSeconds: 40_000,
  resetsAt: 1_800_040_000,
};

test("headers are the draft's structured fields and the tightest window in X-RateLimit", () => {
  expect(quotaHeaders(quotaResult([minute, hour, day], null))).toEqual({
    "RateLimit-Policy": '"minute";q=60;w=60, "hour";q=500;w=3600, "day";q=3000;w=86400',
    RateLimit: '"minute";r=59;t=12, "hour";r=480;t=1812, "day";r=2000;t=40000',
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Reset": "1800000000",
  });
});

test("of windows with as little left the one that resets later is the tightest", () => {
  const headers = quotaHeaders(
    quotaResult([minute, { ...hour, remaining: 3 }, { ...day, remaining: 3 }], null),
  );
  expect(headers["X-RateLimit-Limit"]).toBe("3000");
  expect(headers["X-RateLimit-Reset"]).toBe("1800040000");
});

test("without a policy there are no headers", () => {
  expect(quotaHeaders(quotaResult([], null))).toEqual({});
});

test("a rejection never invites a second one: it waits for every window that is used up", () => {
  const full = { ...minute, remaining: 0 };
  expect(quotaResult([full, hour, day], "minute")).toMatchObject({
    allowed: false,
    retryAfterSeconds: 12,
    rejectedBy: "minute",
  });
  expect(quotaResult([full, { ...hour, remaining: 0 }, day], "minute").retryAfterSeconds).toBe(1812);
});
