import { expect, test } from "vitest";
import { deliveryStatusOf } from "./delivery-status";

const at = new Date();
const none = { state: "sent", delayedAt: null, deliveredAt: null, bouncedAt: null, complainedAt: null };

test("the latest report of a mail counts, and bad news more than good", () => {
  expect(deliveryStatusOf({ ...none, state: "deferred" })).toBe("deferred");
  expect(deliveryStatusOf(none)).toBe("sent");
  expect(deliveryStatusOf({ ...none, delayedAt: at })).toBe("delayed");
  expect(deliveryStatusOf({ ...none, delayedAt: at, deliveredAt: at })).toBe("delivered");
  expect(deliveryStatusOf({ ...none, deliveredAt: at, bouncedAt: at })).toBe("bounced");
  expect(deliveryStatusOf({ ...none, deliveredAt: at, bouncedAt: at, complainedAt: at })).toBe("complained");
  expect(deliveryStatusOf({ ...none, state: "failed", delayedAt: at })).toBe("failed");
});
