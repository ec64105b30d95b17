import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Decides whose word counts on where a request comes from. */
export type ProxyTrust = (peer: string | undefined, forwardedFor: string | undefined) => string | null;

/** IPv4 in IPv6's clothes is the same address. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** An X-Forwarded-For entry as an address; some proxies add a port. */
function entryAddress(entry: string): string | null {
  const text = entry.trim().replace(/^\[([^\]]+)\](?::\d+)?$/, "$1");
  const bare = isIP(text) ? text : text.replace(/:\d+$/, "");
  return isIP(bare) ? plain(bare) : null;
}

/**
 * Reads TRUST_PROXY: `off`; a number of proxies in front of us; or addresses and networks of proxies,
 * such as `10.0.0.0/8, 192.168.1.5, loopback`.
 * @throws Error whose message says how it is written, to follow the setting's name.
 */
export function parseProxyTrust(text: string): ProxyTrust {
  const setting = text.trim().toLowerCase();
  if (setting === "off" || setting === "0") return (peer) => (peer ? plain(peer) : null);
  if (/^\d{1,2}$/.test(setting)) {
    const hops = Number(setting);
    return (peer, forwardedFor) => {
      // Each trusted proxy has added the address it saw, the nearest one last.
      const seen = forwardedFor?.split(",") ?? [];
      const entry = seen.at(-Math.min(hops, seen.length));
      return (entry && entryAddress(entry)) ?? (peer ? plain(peer) : null);
    };
  }
  const proxies = new BlockList();
  for (const part of setting.split(",").map((p) => p.trim())) {
    if (part === "loopback") {
      proxies.addSubnet("127.0.0.0", 8, "ipv4");
      proxies.addAddress("::1", "ipv6");
      continue;
    }
    const [address = "", bits, ...rest] = part.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const widest = family === "ipv6" ? 128 : 32;
    if (
      !isIP(address) ||
      rest.length > 0 ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
    ) {
      throw new Error(
        `must be off, a number of proxies, or addresses such as 10.0.0.0/8,loopback; "${part}" is none of these`,
      );
    }
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const trusted = (address: string) => proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return (peer, forwardedFor) => {
    let caller = peer ? plain(peer) : null;
    const seen = forwardedFor?.split(",") ?? [];
    // From the nearest outwards, as long as the one who says so is one of ours.
    while (caller && trusted(caller) && seen.length > 0) {
      const next = entryAddress(seen.pop() as string);
      if (!next) break;
      caller = next;
    }
    return caller;
  };
}

const HEADER = "x-rollcall-caller";

/** Known to this process only, shared by the two copies of this module in it (Next bundles its own). */
const shared = globalThis as Record<symbol, unknown>;
const SECRET = Symbol.for("rollcall.caller");
if (shared[SECRET] === undefined) shared[SECRET] = randomBytes(16).toString("hex");
const secret = shared[SECRET] as string;

/** Notes the caller's address on a request that goes on to Next; a header of that name from outside is dropped. */
export function noteCaller(request: IncomingMessage, trust: ProxyTrust): void {
  request.headers[HEADER] =
    `${secret} ${trust(request.socket.remoteAddress, request.headers["x-forwarded-for"] as string) ?? ""}`;
}

/**
 * The caller's address as our own server noted it, or null where there is none to trust
 * (a plain `next start` without our server in front).
 */
export function peerOf(request: Request): string | null {
  const note = request.headers.get(HEADER) ?? "";
  const proof = Buffer.from(note.slice(0, secret.length));
  if (proof.length !== secret.length || !timingSafeEqual(proof, Buffer.from(secret))) return null;
  return note.slice(secret.length + 1) || null;
}
