import { describe, expect, it } from "vitest";
import { limitSubject, parseProxyTrust } from "./caller-address";

describe("where a request comes from", () => {
  it("is the connection's own address, and a forwarded header counts for nothing, by default", () => {
    const trust = parseProxyTrust("off");
    expect(trust("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
    expect(trust(undefined, "198.51.100.1")).toBeNull();
  });

  it("writes IPv4 in IPv6's clothes as IPv4", () => {
    expect(parseProxyTrust("off")("::ffff:203.0.113.7", undefined)).toBe("203.0.113.7");
  });

  it("with one proxy is the entry that proxy added, whatever the caller wrote before it", () => {
    const trust = parseProxyTrust("1");
    expect(trust("10.0.0.1", "6.6.6.6, 203.0.113.7")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", undefined)).toBe("10.0.0.1");
    expect(trust("10.0.0.1", "not an address")).toBe("10.0.0.1");
  });

  it("with two proxies is the last entry but one, or the first there is", () => {
    const trust = parseProxyTrust("2");
    expect(trust("10.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.9")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", "203.0.113.7")).toBe("203.0.113.7");
  });

  it("with trusted networks is the nearest address outside them", () => {
    const trust = parseProxyTrust("10.0.0.0/8, loopback, 2001:db8::/32");
    expect(trust("127.0.0.1", "6.6.6.6, 203.0.113.7, 10.1.2.3")).toBe("203.0.113.7");
    expect(trust("203.0.113.9", "6.6.6.6")).toBe("203.0.113.9");
    expect(trust("2001:db8::1", "[2001:4860::8]:443")).toBe("2001:4860::8");
    expect(trust("10.0.0.1", "203.0.113.7:5555")).toBe("203.0.113.7");
    expect(trust("10.0.0.1", "nonsense")).toBe("10.0.0.1");
  });

  it("rejects a setting it does not understand, naming the part", () => {
    for (const text of ["yes", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "example.org"]) {
      expect(() => parseProxyTrust(text)).toThrow(/must be off, a number of proxies, or addresses/);
    }
  });
});

describe("whom the limit on addresses counts", () => {
  it.each<[string, string | null, string | null, string | null]>([
    ["the caller, whatever they claim", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["a network of 64 bits", "2001:db8:1:2:3:4:5:6", null, "2001:db8:1:2::/64"],
    ["whom a proxy that is not named forwards for", "127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["the same, beside us", "10.0.0.2", "[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"],
    ["the caller whom a named proxy forwards for", "10.0.0.9", "10.0.0.9, 10.0.0.2", "10.0.0.9"],
    ["this machine, which nobody forwards for", "127.0.0.1", null, "127.0.0.1"],
    ["this machine, where what is forwarded is no address", "127.0.0.1", "x, %", "127.0.0.1"],
    ["whoever is forwarded, where the connection is not known", null, "203.0.113.9", "203.0.113.9"],
    ["nobody, where nobody can tell", null, null, null],
  ])("%s", (_, caller, forwarded, subject) => {
    expect(limitSubject(caller, forwarded)).toBe(subject);
  });
});
