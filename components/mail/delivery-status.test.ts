import { expect, test } from "vitest";
import { deliveryStatusOf } from "./delivery-status";

const at = new Date();
const none = { state: "sent", delayedAt: null, deliveredAt: null, bouncedAt: null, complainedAt: null };

test.each([
  ["deferred", { state: "deferred" }],
  ["sent", {}],
  ["delayed", { delayedAt: at }],
  ["delivered", { delayedAt: at, deliveredAt: at }],
  ["bounced", { deliveredAt: at, bouncedAt: at }],
  ["complained", { bouncedAt: at, complainedAt: at }],
  ["failed", { state: "failed", delayedAt: at }],
])("calls an email %s after %j", (status, given) => {
  expect(deliveryStatusOf({ ...none, ...given })).toBe(status);
});
