// The file by name: "punycode" alone is Node's own module, which is deprecated and not in browsers.
import punycode from "punycode/punycode.js";

// International domains to A-labels (UTS 46, non-transitional). Platforms disagree (STRAẞE: strasse on Node 20,
// straße on 24; only 24 checks directions); the tables of npm's tr46 weigh 62 kB gzipped. As `parseEmail` rejects
// compatibility forms and symbols, lower case + NFC + Punycode is all that is left to do.

/** The domain in lower-case A-labels, or null where a label of it (of 63 code points at most) is not valid. */
export function toALabels(domain: string): string | null {
  const labels: string[] = [];
  for (const label of domain.split(".")) {
    const unicode = toULabel(label);
    if (unicode === null) return null;
    labels.push(unicode);
  }
  if (!readsOneWay(labels)) return null;
  return labels.map((label) => (isAscii(label) ? label : `xn--${punycode.encode(label)}`)).join(".");
}

/** Whether a domain holds more than ASCII, letters, marks, digits and the punctuation of words. */
export function hasSymbol(domain: string): boolean {
  return /[^\0-\x7f\p{L}\p{M}\p{Nd}]/u.test(domain.replace(wordPunctuation, ""));
}

// RFC 5892: the exceptions of 2.6, and beside the right letters those of appendix A: paral·lel.cat, カ・キ.jp.
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
// What an A-label may hold on top, since nobody can misread it there: emoji (i❤.ws is real), and the joiners
// that Indic and Arabic spelling needs.
const emoji = /(?!\p{Cn})\p{Extended_Pictographic}/gu;
const joiner = /(?<=\p{M})[\u200C\u200D]|(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic})/gu;

function toULabel(label: string): string | null {
  const folded = Array.from(label, foldCase).join("").normalize("NFC");
  if (!folded.startsWith("xn--")) return isAscii(folded) || isNameLike(folded) ? folded : null;
  const decoded = decodePunycode(folded.slice(4));
  if (decoded === null || isAscii(decoded) || `xn--${punycode.encode(decoded)}` !== folded) return null;
  if (decoded.normalize("NFKC") !== decoded) return null;
  return isNameLike(decoded.replace(joiner, "").replace(emoji, "")) ? decoded : null;
}

// One code point at a time: on whole words toLowerCase knows the final sigma, which UTS 46 doesn't.
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

// The blocks that Unicode reserves for right-to-left scripts; JavaScript has no escape for Bidi_Class.
const rtlBlocks = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}`;
const arabicDigits = String.raw`\u0660-\u0669\u{10D30}-\u{10D39}\u{10D40}-\u{10D49}`;
const europeanDigits = String.raw`0-9\u06F0-\u06F9`;
const rightToLeft = new RegExp(String.raw`(?![\p{M}${europeanDigits}])[${rtlBlocks}]`, "u");
const leftToRight = new RegExp(String.raw`[^\p{Mn}\p{Me}\u200C\u200D${europeanDigits}${rtlBlocks}-]`, "u");
const arabicDigit = new RegExp(`[${arabicDigits}]`, "u");
const europeanDigit = new RegExp(`[${europeanDigits}]`, "u");
const badEdge = new RegExp(String.raw`^[${europeanDigits}${arabicDigits}-]|-\p{M}*$`, "u");

// RFC 5893: once one label runs right to left, no label may mix directions or begin with a digit.
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

/** The Unicode form of a label after `xn--`; null for what is no Punycode. */
function decodePunycode(text: string): string | null {
  try {
    return punycode.decode(text);
  } catch {
    return null;
  }
}
