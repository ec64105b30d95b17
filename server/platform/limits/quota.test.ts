import { expect, test } from "vitest";
import { quotaOf, type WindowState } from "./quota";

type Numbers = [quota: number, windowSeconds: number, remaining: number, resetSeconds: number];
/** A window that ends this many seconds after 1,799,999,988. */
const window = (name: string, [quota, windowSeconds, remaining, resetSeconds]: Numbers): WindowState => ({
  ...{ name, quota, windowSeconds, remaining, resetSeconds },
  resetsAt: 1_799_999_988 + resetSeconds,
});
const minute = window("minute", [60, 60, 59, 12]);
const hour = window("hour", [500, 3600, 480, 1812]);
const day = window("day", [3000, 86_400, 2000, 40_000]);

test("Retry-After covers every exhausted window, so that the next request is not rejected again", () => {
  const full = { ...minute, remaining: 0 };
  expect(quotaOf([full, hour, day])).toMatchObject({
    allowed: false,
    retryAfterSeconds: 12,
    rejectedBy: "minute",
  });
  expect(quotaOf([full, { ...hour, remaining: 0 }, day]).retryAfterSeconds).toBe(1812);
});
