import { describe, expect, it, vi } from "vitest";
import {
  callerOf,
  ignoredProxyIssue,
  lockoutSubject,
  networkSubject,
  parseProxyTrust,
} from "./caller-address";

describe("where a request comes from", () => {
  it("is the connection's address by default, and a forwarded header is ignored", () => {
    const trust = parseProxyTrust("off");
    expect(trust("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
    expect(trust(undefined, "198.51.100.1")).toBeNull();
  });

  it("writes IPv4 mapped into IPv6 as IPv4", () => {
    expect(parseProxyTrust("off")("::ffff:203.0.113.7", undefined)).toBe("203.0.113.7");
  });

  it("with one proxy is the entry that the proxy added, not entries that the caller sent", () => {
    const trust = parseProxyTrust("1");
    expect(trust("10.0.0.1", "6.6.6.6, 203.0.113.7")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", undefined)).toBe("10.0.0.1");
    expect(trust("10.0.0.1", "not an address")).toBe("10.0.0.1");
  });

  it("with two proxies is the second to last entry, or the only one", () => {
    const trust = parseProxyTrust("2");
    expect(trust("10.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.9")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", "203.0.113.7")).toBe("203.0.113.7");
  });

  it("with trusted networks is the last address outside of them", () => {
    const trust = parseProxyTrust("10.0.0.0/8, loopback, 2001:db8::/32");
    expect(trust("127.0.0.1", "6.6.6.6, 203.0.113.7, 10.1.2.3")).toBe("203.0.113.7");
    expect(trust("203.0.113.9", "6.6.6.6")).toBe("203.0.113.9");
    expect(trust("2001:db8::1", "[2001:4860::8]:443")).toBe("2001:4860::8");
    expect(trust("10.0.0.1", "203.0.113.7:5555")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", "nonsense")).toBe("10.0.0.1");
  });

  it("rejects an invalid setting and names the invalid part", () => {
    for (const text of ["yes", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "example.org"]) {
      expect(() => parseProxyTrust(text)).toThrow(/must be off, a number of proxies, or addresses/);
    }
  });
});

describe("a proxy that TRUST_PROXY does not name", () => {
  it.each<[string, string, string, boolean]>([
    ["beside us, with TRUST_PROXY off", "off", "127.0.0.1", true],
    ["in our network, with TRUST_PROXY off", "off", "::ffff:10.0.0.2", true],
    ["elsewhere: any caller can send the header", "off", "203.0.113.9", false],
    ["beside us, with TRUST_PROXY set", "1", "127.0.0.1", false],
  ])("is reported: %s", (_, setting, peer, isReported) => {
    const log = { warn: vi.fn() };
    const app = { config: { TRUST_PROXY: parseProxyTrust(setting) }, log };
    const socket = { remoteAddress: peer };
    callerOf(app, { socket, headers: {} });
    expect(ignoredProxyIssue(app.config)).toBeNull();
    for (let i = 0; i < 3; i++) callerOf(app, { socket, headers: { "x-forwarded-for": "198.51.100.1" } });
    expect(ignoredProxyIssue(app.config) !== null).toBe(isReported);
    expect(log.warn.mock.calls).toHaveLength(isReported ? 1 : 0);
  });

  it("is reported for an hour", () => {
    vi.useFakeTimers();
    const config = { TRUST_PROXY: parseProxyTrust("off") };
    const socket = { remoteAddress: "127.0.0.1" };
    callerOf({ config, log: { warn() {} } }, { socket, headers: { "x-forwarded-for": "198.51.100.1" } });
    vi.advanceTimersByTime(59 * 60_000);
    expect(ignoredProxyIssue(config)).toMatch(/set TRUST_PROXY/);
    vi.advanceTimersByTime(2 * 60_000);
    expect(ignoredProxyIssue(config)).toBeNull();
    vi.useRealTimers();
  });
});

it.each([
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
