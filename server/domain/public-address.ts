import ipaddr from "ipaddr.js";

/** A network: its first address, and how many bits of it count. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** "10.0.0.0/8,127.0.0.1" → these networks. @throws Error whose message says how it is written, to follow the setting's name */
export function parseNetworks(text: string): Network[] {
  return text.split(",").flatMap((part) => {
    const given = part.trim();
    if (given === "") return [];
    if (ipaddr.isValidCIDR(given)) return [ipaddr.parseCIDR(given)];
    if (!ipaddr.isValid(given))
      throw new Error(
        `must be addresses or networks, such as 10.0.0.0/8,127.0.0.1; "${given}" is neither. Names are not taken, since they can lead anywhere`,
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

/**
 * Whether an address is one of the internet's: none of this machine or network, of a group, or set aside for something (the
 * registries of special-purpose addresses of IANA, as ipaddr.js knows them), and none that carries another inside.
 */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}
