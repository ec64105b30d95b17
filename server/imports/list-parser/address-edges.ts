import type { Token } from "./entry-tokens";
import type { TextPlace } from "./list-types";

// An asterisk, underscore or quote may begin an address; none of these ends one. In pairs they are emphasis.
const pairs = "*_~`'";
// Invisible characters stay: `cleanAddress` removes them, which is reported.
const leading = /^(?:[^\S\ufeff]|['‘’“”„«»‹›:;,•·‣◦▪●○–—→✓✔])+/;
const trailing = /(?!\ufeff)[\s'’‘“”»‹›:;,.!?*_~`}\]>•·–—]/;

/** The address within a word or angle brackets: without `mailto:`, a label, emphasis, quotes and the sentence's dots. */
export function trimAddress(text: string, token: Token): TextPlace {
  let { innerFrom: from, innerTo: to } = token;
  const word = text.slice(from, to);
  const sign = word.indexOf("@");
  // A label or scheme is whatever ends in the last colon before the @ sign; no address has a colon.
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
  if (end === from) return { from: token.innerFrom, to: token.innerTo, quoting: "bare" };
  return { from, to: end, quoting: "bare" };
}
