import { expect, test } from "vitest";
import { maskAddress } from "./ip-address";

test.each([
  ["203.0.113.77", "203.0.113.*"],
  ["::ffff:203.0.113.77", "203.0.113.*"],
  ["2001:db8:12:34::5", "2001:db8:12:*"],
  ["unknown", ""],
  [null, ""],
])("masks %s as %s", (address, masked) => {
  expect(maskAddress(address)).toBe(masked);
});
