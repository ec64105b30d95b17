import { describe, expect, it } from "vitest";
import { lockoutSubject } from "./lockout-subject";

describe("failed keys are counted by", () => {
  it("the caller's IPv4 address", () => {
    expect(lockoutSubject("203.0.113.7")).toBe("203.0.113.7");
  });

  it("an IPv6 caller's network of 64 bits, however the address is written", () => {
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
