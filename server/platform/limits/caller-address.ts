import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type pino from "pino";
import proxyAddr from "proxy-addr";

/** Finds the caller's address: the connection's address, or the forwarded one when a trusted proxy reports it. */
type ProxyTrust = (peer: string | undefined, forwardedFor: string | undefined) => string | null;

type IsTrusted = (address: string, distance: number) => boolean;

function readTrust(setting: string): IsTrusted {
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

/** Removes ports, which some proxies add to forwarded addresses. */
const withoutPorts = (forwardedFor: string) =>
  forwardedFor.replace(/\[([^\],]+)\](?::\d+)?/g, "$1").replace(/(\d+(?:\.\d+){3}):\d+/g, "$1");

/**
 * Parses TRUST_PROXY: `off`; the number of proxies in front of Rollcall; or their addresses and networks, such as
 * `10.0.0.0/8, 192.168.1.5, loopback`.
 * @throws Error whose message follows the setting's name and describes the format
 */
export function parseProxyTrust(text: string): ProxyTrust {
  const setting = text.trim().toLowerCase();
  return setting === "off" ? trustNoProxy : trustFor(readTrust(setting));
}

const trustFor =
  (isTrusted: IsTrusted): ProxyTrust =>
  (peer, forwardedFor = "") => {
    if (!peer) return null;
    const headers = { "x-forwarded-for": withoutPorts(forwardedFor) };
    const found = proxyAddr({ headers, socket: { remoteAddress: peer } } as never, isTrusted);
    // Normalises the notation. IPv4 mapped into IPv6 becomes IPv4.
    return ipaddr.process(isIP(found) ? found : peer).toString();
  };

const trustNoProxy = trustFor(() => false);

const BESIDE_US = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

type ProxyConfig = { TRUST_PROXY: ProxyTrust };

/** When a local proxy last forwarded a request while TRUST_PROXY was off, in milliseconds, for each app's settings. */
const ignoredProxyAt = new WeakMap<ProxyConfig, number>();

const ISSUE_MS = 3_600_000;

/** Returns a message about such a proxy for the operator; null when none was seen within an hour. */
export function ignoredProxyIssue(config: ProxyConfig): string | null {
  const at = ignoredProxyAt.get(config);
  if (at === undefined || Date.now() - at > ISSUE_MS) return null;
  return (
    "Requests arrive with X-Forwarded-For, and TRUST_PROXY is off: all visitors share the proxy's address and its " +
    "rate limits. If a proxy is in front, set TRUST_PROXY."
  );
}

type Proxied = { config: ProxyConfig; log: Pick<pino.Logger, "warn"> };
type Incoming = { socket: { remoteAddress?: string | undefined }; headers: IncomingHttpHeaders };

/** Returns the caller's address. Headers of a proxy that TRUST_PROXY does not name are ignored, with one log line. */
export function callerOf({ config, log }: Proxied, { socket, headers }: Incoming): string | null {
  const forwardedFor = headers["x-forwarded-for"] as string | undefined;
  const caller = config.TRUST_PROXY(socket.remoteAddress, forwardedFor);
  const isIgnored = config.TRUST_PROXY === trustNoProxy && forwardedFor !== undefined;
  if (isIgnored && caller && BESIDE_US.has(ipaddr.parse(caller).range())) {
    const isFirst = !ignoredProxyAt.has(config);
    ignoredProxyAt.set(config, Date.now());
    if (isFirst) log.warn(ignoredProxyIssue(config));
  }
  return caller;
}

/**
 * Returns the subject for counting failures: the caller's IPv4 address, or its 64-bit IPv6 network, which is one
 * household or server.
 */
export function lockoutSubject(caller: string | null): string {
  if (caller === null) return "unknown";
  if (!ipaddr.IPv6.isValid(caller)) return caller;
  const network = ipaddr.IPv6.parse(caller).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}

/** Returns the subject's network, usually that of one provider: the first 24 bits of IPv4, 48 of IPv6. */
export function networkSubject(subject: string): string {
  if (ipaddr.IPv4.isValid(subject)) return `${subject.split(".").slice(0, 3).join(".")}.0/24`;
  return /:.*\/64$/.test(subject) ? `${subject.split(":").slice(0, 3).join(":")}::/48` : subject;
}
