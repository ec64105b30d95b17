import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Names of this machine, as in a URL or in HOST. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** A network: its first address and its prefix length in bits. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses "10.0.0.0/8,127.0.0.1". @throws Error whose message follows the setting's name and describes the format */
export function parseNetworks(text: string): Network[] {
  return text.split(",").flatMap((part) => {
    const given = part.trim();
    if (given === "") return [];
    // ipaddr.js would read 10/8 as 0.0.0.10/8, and 010.0.0.1 as 8.0.0.1.
    const isPlain = isIP(given.split("/")[0] ?? "") !== 0;
    if (isPlain && ipaddr.isValidCIDR(given)) return [ipaddr.parseCIDR(given)];
    if (!isPlain || !ipaddr.isValid(given))
      throw new Error(
        `must be addresses or networks, such as 10.0.0.0/8,127.0.0.1; "${given}" is neither. Host names are not allowed, since they can resolve to any address`,
      );
    const address = ipaddr.parse(given);
    return [[address, address.kind() === "ipv4" ? 32 : 128]];
  });
}

/** Whether a text is an address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  try {
    return parseNetworks(text).length === 1;
  } catch {
    return false;
  }
}

/** Whether one of these networks contains the address. IPv4 mapped into IPv6 counts as IPv4. */
export function isWithin(networks: Network[], address: string): boolean {
  const found = ipaddr.process(address);
  return networks.some(([network, bits]) => network.kind() === found.kind() && found.match(network, bits));
}

/**
 * All IPv6 addresses that IANA assigns to the internet. Outside of it are addresses such as ::7f00:1, which embeds
 * 127.0.0.1.
 */
const IPV6_INTERNET = parseNetworks("2000::/3");

/**
 * Whether an address is public. Excludes private, local, multicast and reserved addresses (IANA's special-purpose
 * registries, as ipaddr.js knows them), and addresses that embed another address.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  return found.range() === "unicast" && (found.kind() === "ipv4" || isWithin(IPV6_INTERNET, address));
}

/** Removes the last part of an address, which identifies one household or machine; "" for an unknown address. */
export function maskAddress(address: string | null): string {
  if (!address || !ipaddr.isValid(address)) return "";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join(".")}.*`;
  const network = parsed.parts.slice(0, 3).map((part) => part.toString(16));
  return `${network.join(":")}:*`;
}
