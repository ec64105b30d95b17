import { describe, expect, it } from "vitest";
import { lockoutSubject, networkSubject } from "./lockout-subject";

describe("failed keys are counted by", () => {
  it("the caller's IPv4 address", () => {
    expect(lockoutSubject("203.0.113.7")).toBe("203.0.113.7");
  });

  it("an IPv6 caller's 64-bit network, in any notation", () => {
    expect(lockoutSubject("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(lockoutSubject("2001:db8:1:2::9")).toBe("2001:db8:1:2::/64");
    expect(lockoutSubject("2001:db8::9")).toBe("2001:db8:0:0::/64");
    expect(lockoutSubject("::1")).toBe("0:0:0:0::/64");
    expect(lockoutSubject("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  });

  it("one subject for all callers without an address", () => {
    expect(lockoutSubject(null)).toBe("unknown");
  });
});

describe("sign-ups of a network are counted by", () => {
  it("the first 24 bits of an IPv4 address, and 48 of an IPv6 network", () => {
    expect(networkSubject("203.0.113.7")).toBe("203.0.113.0/24");
    expect(networkSubject(lockoutSubject("2001:db8:1:2:3:4:5:6"))).toBe("2001:db8:1::/48");
    expect(networkSubject(lockoutSubject("2001:db8:1:ffff::9"))).toBe("2001:db8:1::/48");
  });

  it("any other subject unchanged", () => {
    expect(networkSubject("unknown")).toBe("unknown");
  });
});
