import { expect, test } from "vitest";
import { lockoutSubject, networkSubject } from "./lockout-subject";

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::9", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  [null, "unknown", "unknown"],
])("failures of %s are counted by %s, and sign-ups of its network by %s", (caller, subject, network) => {
  expect(lockoutSubject(caller)).toBe(subject);
  expect(networkSubject(subject)).toBe(network);
});
