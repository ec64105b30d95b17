import ipaddr from "ipaddr.js";

/** Removes the last part of an address, which identifies one household or machine; "" for an unknown address. */
export function maskAddress(address: string | null): string {
  if (!address || !ipaddr.isValid(address)) return "";
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join(".")}.*`;
  const network = parsed.parts.slice(0, 3).map((part) => part.toString(16));
  return `${network.join(":")}:*`;
}
