/** Callers without an address are counted together. */
const UNKNOWN = "unknown";

/** What failures are counted by: the caller's address, or its IPv6 network of 64 bits, which is one household or server. */
export function lockoutSubject(caller: string | null): string {
  if (caller === null) return UNKNOWN;
  if (!caller.includes(":")) return caller;
  const [head = "", tail] = caller.split("%")[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  while (tail !== undefined && groups.length + after.length < 8) groups.push("0");
  return `${[...groups, ...after].slice(0, 4).join(":")}::/64`;
}
