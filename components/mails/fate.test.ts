import { expect, test } from "vitest";
import { fateOf } from "./fate";

const at = new Date();
const none = { state: "sent", delayedAt: null, deliveredAt: null, bouncedAt: null, complainedAt: null };

test("what is known last of a mail counts, and bad news more than good", () => {
  expect(fateOf({ ...none, state: "deferred" })).toBe("deferred");
  expect(fateOf(none)).toBe("sent");
  expect(fateOf({ ...none, delayedAt: at })).toBe("delayed");
  expect(fateOf({ ...none, delayedAt: at, deliveredAt: at })).toBe("delivered");
  expect(fateOf({ ...none, deliveredAt: at, bouncedAt: at })).toBe("bounced");
  expect(fateOf({ ...none, deliveredAt: at, bouncedAt: at, complainedAt: at })).toBe("complained");
  expect(fateOf({ ...none, state: "failed", delayedAt: at })).toBe("failed");
});
