import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type pino from "pino";
import proxyAddr from "proxy-addr";

/** Finds the address a request comes from: the connection's, or the forwarded one where a trusted proxy reports it. */
export type ProxyTrust = (peer: string | undefined, forwardedFor: string | undefined) => string | null;

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

/** Some proxies add a port to what they forward. */
const withoutPorts = (forwardedFor: string) =>
  forwardedFor.replace(/\[([^\],]+)\](?::\d+)?/g, "$1").replace(/(\d+(?:\.\d+){3}):\d+/g, "$1");

/**
 * Reads TRUST_PROXY: `off`; a number of proxies in front of us; or addresses and networks of proxies,
 * such as `10.0.0.0/8, 192.168.1.5, loopback`.
 * @throws Error whose message says how it is written, to follow the setting's name.
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
    // The same address is written in one way only: IPv4 mapped into IPv6 is IPv4.
    return ipaddr.process(isIP(found) ? found : peer).toString();
  };

const trustNoProxy = trustFor(() => false);

const BESIDE_US = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

type ProxyConfig = { TRUST_PROXY: ProxyTrust };

/** When a proxy beside us last forwarded a request while TRUST_PROXY was off, in milliseconds, by each app's settings. */
const ignoredProxyAt = new WeakMap<ProxyConfig, number>();

const ISSUE_MS = 3_600_000;

/** What to tell the operator about such a proxy; null when none was seen for an hour. */
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

/** The caller's address. A proxy that TRUST_PROXY does not name is never believed, and logged once. */
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
