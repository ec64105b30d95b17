import data from "./domains.json";

// Reserved by RFC 2606 and RFC 6762, or used inside organisations, so never a typing mistake.
const reserved = "example test invalid localhost local internal lan home corp onion";

const topLevel = new Set(
  [data.endings.countries, data.endings.generic, reserved].flatMap((names) => names.split(" ")),
);
// Second levels of countries under which people register names.
const secondLevel = new Set(
  "com co net org edu gov ac ne or go ad gr lg gob gouv info biz web ltd plc me nhs sch mil nom gen id in art asn".split(
    " ",
  ),
);

/** Whether an ending exists. It may have two parts, such as co.uk. */
export function isEnding(ending: string): boolean {
  const dot = ending.indexOf(".");
  if (dot === -1) return topLevel.has(ending);
  const last = ending.slice(dot + 1);
  return last.length === 2 && topLevel.has(last) && secondLevel.has(ending.slice(0, dot));
}

/**
 * Splits a domain into its registered name and its ending: "lovelace" and "co.uk". Without a dot the ending is empty.
 */
export function splitDomain(domain: string): { name: string; ending: string } {
  const last = domain.lastIndexOf(".");
  if (last === -1) return { name: domain, ending: "" };
  const before = domain.lastIndexOf(".", last - 1);
  const at = before > 0 && isEnding(domain.slice(before + 1)) ? before : last;
  return { name: domain.slice(0, at), ending: domain.slice(at + 1) };
}
