import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { lockoutSubject } from "../domain/lockout-subject";

/** Finds the address a request comes from: the connection's, or the forwarded one where a trusted proxy reports it. */
export type ProxyTrust = (peer: string | undefined, forwardedFor: string | undefined) => string | null;

type IsTrusted = (address: string, distance: number) => boolean;

function readTrust(setting: string): IsTrusted {
  if (setting === "off") return () => false;
  if (/^\d{1,2}$/.test(setting)) return (_, distance) => distance < Number(setting);
  const proxies = setting.split(",").map((part) => {
    try {
      return proxyAddr.compile(part.trim());
    } catch {
      throw new Error(
        `must be off, a number of proxies, or addresses such as 10.0.0.0/8,loopback; "${part.trim()}" is none of these`,
      );
    }
  });
  return (address, distance) => proxies.some((isTrusted) => isTrusted(address, distance));
}

/** Some proxies add a port to what they forward. */
const withoutPorts = (forwardedFor: string) =>
  forwardedFor.replace(/\[([^\],]+)\](?::\d+)?/g, "$1").replace(/(\d+(?:\.\d+){3}):\d+/g, "$1");

/**
 * Reads TRUST_PROXY: `off`; a number of proxies in front of us; or addresses and networks of proxies,
 * such as `10.0.0.0/8, 192.168.1.5, loopback`.
 * @throws Error whose message says how it is written, to follow the setting's name.
 */
export function parseProxyTrust(text: string): ProxyTrust {
  const isTrusted = readTrust(text.trim().toLowerCase());
  return (peer, forwardedFor = "") => {
    if (!peer) return null;
    const headers = { "x-forwarded-for": withoutPorts(forwardedFor) };
    const found = proxyAddr({ headers, socket: { remoteAddress: peer } } as never, isTrusted);
    // The same address is written in one way only: IPv4 mapped into IPv6 is IPv4.
    return ipaddr.process(isIP(found) ? found : peer).toString();
  };
}

const BESIDE_US = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

/**
 * The address that the limit on addresses counts: the caller's. Where that is a proxy beside us which TRUST_PROXY does not name, all
 * people would share one limit: then the address it forwards for, which is believed for nothing else. null: nobody can tell.
 * @param forwardedFor the header as it came
 */
export function limitSubject(caller: string | null, forwardedFor?: string | null): string | null {
  const forwarded = withoutPorts(forwardedFor ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => isIP(part))
    .map((part) => ipaddr.process(part).toString());
  const isStranger = caller !== null && isIP(caller) && !BESIDE_US.has(ipaddr.parse(caller).range());
  // Who is among those forwarded was found there: the proxy is named.
  const isFound = isStranger || (caller !== null && forwarded.includes(caller));
  const subject = isFound ? caller : (forwarded.at(-1) ?? caller);
  return subject && lockoutSubject(subject);
}
