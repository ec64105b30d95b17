// Converts international domains to A-labels (UTS 46, non-transitional). Platforms disagree: Node 20 maps STRAẞE to
// strasse, Node 24 to straße, and only 24 checks directions. The tables of npm's tr46 weigh 62 kB gzipped. `parseEmail`
// rejects compatibility forms and symbols, so lower case, NFC and Punycode are enough.

/** Returns the domain in lower-case A-labels; null if one of its labels (at most 63 code points) is invalid. */
export function toALabels(domain: string): string | null {
  const labels: string[] = [];
  for (const label of domain.split(".")) {
    const unicode = toULabel(label);
    if (unicode === null) return null;
    labels.push(unicode);
  }
  if (!readsOneWay(labels)) return null;
  return labels.map((label) => (isAscii(label) ? label : `xn--${encodePunycode(label)}`)).join(".");
}

/**
 * Whether a domain contains symbols: anything other than ASCII, letters, marks, digits and the punctuation of words.
 */
export function hasSymbol(domain: string): boolean {
  return /[^\0-\x7f\p{L}\p{M}\p{Nd}]/u.test(domain.replace(wordPunctuation, ""));
}

// The exceptions of RFC 5892, section 2.6, and appendix A next to the right letters: paral·lel.cat, カ・キ.jp.
const wordPunctuation = new RegExp(
  [
    String.raw`[\u06FD\u06FE\u0F0B\u3007]`,
    String.raw`(?<=l)\u00B7(?=l)`,
    String.raw`\u0375(?=\p{Script=Greek})`,
    String.raw`(?<=\p{Script=Hebrew})[\u05F3\u05F4]`,
    String.raw`(?<=[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])\u30FB`,
    String.raw`\u30FB(?=[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])`,
  ].join("|"),
  "gu",
);
// Characters that an A-label may also hold, because readers see it encoded: emoji (i❤.ws is real) and joiners, which
// Indic and Arabic spelling needs.
const emoji = /(?!\p{Cn})\p{Extended_Pictographic}/gu;
const joiner = /(?<=\p{M})[\u200C\u200D]|(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic})/gu;

function toULabel(label: string): string | null {
  const folded = Array.from(label, foldCase).join("").normalize("NFC");
  if (!folded.startsWith("xn--")) return isAscii(folded) || isNameLike(folded) ? folded : null;
  const decoded = decodePunycode(folded.slice(4));
  if (decoded === null || isAscii(decoded) || `xn--${encodePunycode(decoded)}` !== folded) return null;
  if (decoded.normalize("NFKC") !== decoded) return null;
  return isNameLike(decoded.replace(joiner, "").replace(emoji, "")) ? decoded : null;
}

// Folds one code point at a time. On whole words, toLowerCase applies the final sigma, which UTS 46 does not.
function foldCase(character: string): string {
  return /\p{Script=Cherokee}/u.test(character) ? character.toUpperCase() : character.toLowerCase();
}

function isNameLike(label: string): boolean {
  if (hasSymbol(label) || /^\p{M}|\p{Default_Ignorable_Code_Point}/u.test(label)) return false;
  if (label.normalize("NFKC") !== label) return false;
  return Array.from(label).every(isFolded);
}

// Case folding goes further than lower case (ᾳ → αι, ᲀ → в). Those few letters are rejected, not replaced.
function isFolded(character: string): boolean {
  if (foldCase(character) !== character) return false;
  if (/[ßςı\p{Script=Cherokee}]/u.test(character)) return true;
  return Array.from(character.toUpperCase(), foldCase).join("").normalize("NFC") === character;
}

// The blocks that Unicode reserves for right-to-left scripts. JavaScript has no escape for Bidi_Class.
const rtlBlocks = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
const arabicDigits = String.raw`\u0660-\u0669\u{10D30}-\u{10D39}\u{10D40}-\u{10D49}`;
const europeanDigits = String.raw`0-9\u06F0-\u06F9`;
const rightToLeft = new RegExp(String.raw`(?![\p{M}${europeanDigits}])[${rtlBlocks}]`, "u");
const leftToRight = new RegExp(String.raw`[^\p{Mn}\p{Me}\u200C\u200D${europeanDigits}${rtlBlocks}-]`, "u");
const arabicDigit = new RegExp(`[${arabicDigits}]`, "u");
const europeanDigit = new RegExp(`[${europeanDigits}]`, "u");
const badEdge = new RegExp(String.raw`^[${europeanDigits}${arabicDigits}-]|-\p{M}*$`, "u");

// RFC 5893: if one label contains right-to-left letters, no label may mix directions or begin with a digit.
function readsOneWay(labels: string[]): boolean {
  if (!labels.some((label) => rightToLeft.test(label))) return true;
  return labels.every((label) => {
    if (badEdge.test(label)) return false;
    if (!rightToLeft.test(label)) return true;
    return !leftToRight.test(label) && !(arabicDigit.test(label) && europeanDigit.test(label));
  });
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

// Punycode (RFC 3492), with the parameter names of its section 5.
const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialN = 0x80;
const digits = "abcdefghijklmnopqrstuvwxyz0123456789";

function encodePunycode(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < initialN);
  let output = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : "";
  let bias = initialBias;
  let n = initialN;
  let delta = 0;
  for (let handled = basic.length; handled < points.length; n++, delta++) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta++;
      if (point !== n) continue;
      output += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
  }
  return output;
}

function encodeDelta(delta: number, bias: number): string {
  let output = "";
  let rest = delta;
  for (let k = base; ; k += base) {
    const t = threshold(k, bias);
    if (rest < t) return output + digits.charAt(rest);
    output += digits.charAt(t + ((rest - t) % (base - t)));
    rest = Math.floor((rest - t) / (base - t));
  }
}

function decodePunycode(text: string): string | null {
  const hyphen = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(hyphen, 0)), (character) => character.charCodeAt(0));
  let bias = initialBias;
  let n = initialN;
  let position = 0;
  for (let at = hyphen + 1; at < text.length; ) {
    const start = position;
    for (let weight = 1, k = base; ; k += base) {
      const digit = at < text.length ? digits.indexOf(text.charAt(at++)) : -1;
      if (digit === -1) return null;
      position += digit * weight;
      if (position > Number.MAX_SAFE_INTEGER) return null;
      const t = threshold(k, bias);
      if (digit < t) break;
      weight *= base - t;
    }
    const length = points.length + 1;
    bias = adapt(position - start, length, start === 0);
    n += Math.floor(position / length);
    if (n > 0x10ffff) return null;
    position %= length;
    points.splice(position++, 0, n);
  }
  return String.fromCodePoint(...points);
}

function threshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, tMin), tMax);
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? damp : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
