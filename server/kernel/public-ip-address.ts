import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A network: its first address, and how many bits of it count. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** "10.0.0.0/8,127.0.0.1" → these networks. @throws Error whose message says how it is written, to follow the setting's name */
export function parseNetworks(text: string): Network[] {
  return text.split(",").flatMap((part) => {
    const given = part.trim();
    if (given === "") return [];
    // ipaddr.js would take 10/8 for 0.0.0.10/8, and 010.0.0.1 for 8.0.0.1.
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

/** Whether a network of these has the address. IPv4 that is mapped into IPv6 is IPv4. */
export function isWithin(networks: Network[], address: string): boolean {
  const found = ipaddr.process(address);
  return networks.some(([network, bits]) => network.kind() === found.kind() && found.match(network, bits));
}

/** Of IPv6, all that IANA has ever given to the internet; outside of it are such as ::7f00:1, which carries 127.0.0.1. */
const IPV6_INTERNET = parseNetworks("2000::/3");

/**
 * Whether an address is one of the internet's: none of this machine or network, of a group, or set aside for something (the
 * registries of special-purpose addresses of IANA, as ipaddr.js knows them), and none that carries another inside.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  return found.range() === "unicast" && (found.kind() === "ipv4" || isWithin(IPV6_INTERNET, address));
}
