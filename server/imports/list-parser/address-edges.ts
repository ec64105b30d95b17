import type { Token } from "./entry-tokens";
import type { TextPlace } from "./list-types";

// An address may begin with an asterisk, underscore or quote, but not end with one. Pairs of them are emphasis.
const pairs = "*_~`'";
// Keeps invisible characters. `cleanAddress` removes and reports them.
const leading = /^(?:[^\S\ufeff]|['‘’“”„«»‹›:;,•·‣◦▪●○–—→✓✔])+/;
const trailing = /(?!\ufeff)[\s'’‘“”»‹›:;,.!?*_~`}\]>•·–—]/;

/** Trims `mailto:`, labels, emphasis, quotes and punctuation from the address in a word or in angle brackets. */
export function trimAddress(text: string, token: Token): TextPlace {
  let { innerFrom: from, innerTo: to } = token;
  const word = text.slice(from, to);
  const sign = word.indexOf("@");
  // No address has a colon, so the text up to the last colon before the @ sign is a label or scheme.
  const colon = word.lastIndexOf(":", sign);
  if (colon !== -1 && !word.startsWith('"') && !word.includes("://")) from += colon + 1;
  const lead = leading.exec(text.slice(from, to))?.[0];
  if (lead && lead.length < to - from) from += lead.length;
  // mailto:ada@x.com?subject=Hello, <mailto:ada@x.com|ada@x.com>, <a href="mailto:ada@x.com">
  const tail = /[?|"\\]/.exec(word.slice(sign));
  if (tail) to = Math.min(to, token.innerFrom + sign + tail.index);
  let end = to;
  while (end > from && trailing.test(text.charAt(end - 1))) end--;
  const closed = text.slice(end, token.innerTo);
  while (from < end && pairs.includes(text.charAt(from)) && closed.includes(text.charAt(from))) from++;
  if (text.charAt(from) === "{" && closed.includes("}")) from++;
  if (end === from) return { from: token.innerFrom, to: token.innerTo };
  return { from, to: end };
}
