/**
 * Returns the domain in lower-case A-labels (UTS 46, non-transitional); null if one of its labels is invalid. The
 * platform's URL parser decides. `parseEmail` has rejected everything that is more than a host.
 */
export function toALabels(domain: string): string | null {
  // Not URL.canParse: Node 20 sometimes rejects letters outside of ASCII there.
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
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
