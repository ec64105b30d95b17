import ipaddr from "ipaddr.js";

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
