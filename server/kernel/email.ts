// Pure rules about email addresses: no I/O and no clock.
/**
 * Returns the domain in lower-case A-labels (UTS 46, non-transitional); null if one of its labels is invalid. The
 * platform's URL parser decides. `parseEmail` has rejected everything that is more than a host.
 */
function toALabels(domain: string): string | null {
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
function hasSymbol(domain: string): boolean {
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

/** Why an address is rejected. Each message says what is wrong and what to do, and never quotes the input. */
export const emailFaults = {
  lone_surrogate:
    "The email contains a broken character (half of a surrogate pair). Send valid Unicode text.",
  too_long: "The email is too long: an address has at most 254 characters.",
  empty: "The email is empty. Enter an address such as ada@example.org.",
  control_char: "The email contains a line break, tab or other control character. Remove it.",
  whitespace:
    "The email contains a space. Enter only the address, without spaces, a name or a second address.",
  invisible_or_unassigned:
    "The email contains an invisible or unknown character. Type it again instead of pasting.",
  at_sign: "The email needs exactly one @ sign, as in ada@example.org.",
  local_empty: "The email has nothing before the @ sign. Enter the whole address.",
  local_non_ascii:
    "The email has an accented or non-Latin character before the @ sign, where email providers accept only " +
    "unaccented letters. Use another address of this person.",
  local_syntax:
    "The part before the @ sign may hold letters, digits and !#$%&'*+-/=?^_`{|}~, and dots only between " +
    "them. Remove anything else, such as quotes, brackets or a second dot.",
  local_too_long: "The part before the @ sign is too long: at most 64 characters.",
  encoded_word:
    "The part before the @ sign contains =?…?, which email software misreads. Use another address.",
  domain_empty: "The email has nothing after the @ sign. Enter the whole address, such as ada@example.org.",
  domain_char:
    "The domain (after the @ sign) may hold only letters, digits, hyphens and dots. Remove anything else.",
  domain_compat_char:
    "The domain contains a variant of an ordinary character, such as a full-width letter. Type it plainly.",
  domain_symbol:
    "The domain contains a symbol or punctuation mark. Use letters, digits, hyphens and plain dots.",
  no_tld: "The domain has no ending such as .org or .com. Enter the whole address.",
  empty_label: "The domain starts or ends with a dot, or has two in a row. Remove the extra dot.",
  label_syntax: "A part of the domain starts or ends with a hyphen. Hyphens are only allowed inside a part.",
  label_too_long: "A part of the domain, between two dots, is too long: at most 63 characters.",
  idna: "The domain is not a valid international domain name. Check its spelling.",
  tld: "The domain has no valid ending. Use an ending of letters, such as .org.",
  domain_too_long: "The domain is too long: at most 253 characters.",
} as const;

const severalAtSigns =
  "The email has more than one @ sign, and needs exactly one @ sign, as in ada@example.org. Remove the extra one, or " +
  "enter two addresses separately.";

export type EmailFault = keyof typeof emailFaults;

/** `email` is the given address, trimmed. `canonical` is the form that is unique in a newsletter. */
export type EmailValidation =
  | { ok: true; email: string; canonical: string }
  | { ok: false; code: EmailFault; message: string };

const longestInput = 1000;
export const longestAddress = 254;
const longestLocal = 64;
const longestDomain = 253;
const longestLabel = 63;

const printableAscii = /^[!-~]+$/;
const printableOrSpace = /^[ -~]+$/;
// The engine's Unicode version decides which characters are unassigned. A newer version accepts a few more letters.
const unseen = /[\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;
const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// `=?charset?` opens an encoded word of RFC 2047. A lone `=?` is two ordinary characters (RFC 5322).
const encodedWord = /=\?[^?]*\?/;
const asciiDomain = /^[A-Za-z0-9.-]+$/;
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/;
const emptyLabel = /^\.|\.\.|\.$/;
const hyphenAtEdge = /^-|\.-|-\.|-$/;
const topLabel = /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/** Validates one address by contract.md, section 4. Never throws, and reads at most 1,000 code units. */
export function parseEmail(input: string): EmailValidation {
  // Checked first, because it is cheap: a megabyte is rejected without a scan.
  if (input.length > longestInput) return reject("too_long");
  const email = trimBlanks(input);
  if (email === "") return reject("empty");
  const plain = printableAscii.test(email);
  const strange = plain ? null : characterFault(email);
  if (strange) return reject(strange);

  const at = email.indexOf("@");
  if (at === -1) return reject("at_sign");
  if (email.indexOf("@", at + 1) !== -1) return { ok: false, code: "at_sign", message: severalAtSigns };
  // For ASCII, lower-casing early costs one pass and changes no result.
  const folded = plain ? email.toLowerCase() : email;
  const local = folded.slice(0, at);
  const wrongLocal = localFault(local);
  if (wrongLocal) return reject(wrongLocal);

  const domain = plain ? folded.slice(at + 1) : folded.slice(at + 1).normalize("NFC");
  const wrongDomain = domainFault(domain);
  if (wrongDomain) return reject(wrongDomain);
  const ready = plain && !domain.includes("xn--");
  const host = ready ? domain : toALabels(domain);
  if (host === null) return reject("idna");
  const wrongHost = hostFault(host);
  if (wrongHost) return reject(wrongHost);

  const canonical = ready ? folded : `${local.toLowerCase()}@${host}`;
  if (email.length > longestAddress || canonical.length > longestAddress) return reject("too_long");
  return { ok: true, email, canonical };
}

/** Returns one key for all spellings of a mailbox, for throttling only: no +tag, and no dots at Gmail. */
export function throttleKey(canonical: string): string {
  const at = canonical.lastIndexOf("@");
  const domain = canonical.slice(at + 1);
  const plus = canonical.indexOf("+");
  const local = canonical.slice(0, plus > 0 && plus < at ? plus : at);
  if (domain !== "gmail.com" && domain !== "googlemail.com") return `${local}@${domain}`;
  return `${local.replaceAll(".", "")}@gmail.com`;
}

/** Whether a mailbox may have several spellings: the address has a +tag, or is at Gmail. */
export const mayHaveOtherSpellings = (canonical: string) => /\+|@g(oogle)?mail\.com$/.test(canonical);

/**
 * Masks an address for logs: `a***@lovelace.org`. Shows at most the first character, and never the whole local part.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  if (at === -1) return "***";
  const first = at === 0 ? "" : String.fromCodePoint(email.codePointAt(0) ?? 0);
  return `${first.length < at ? first : ""}***${email.slice(at)}`;
}

function reject(code: EmailFault): EmailValidation {
  return { ok: false, code, message: emailFaults[code] };
}

// Trims only spaces and tabs. A line break at the edge is a failed header injection, not a typo.
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function characterFault(email: string): EmailFault | null {
  // Of printable ASCII, only the space never occurs in an address.
  if (printableOrSpace.test(email)) return "whitespace";
  if (/\p{Cs}/u.test(email)) return "lone_surrogate";
  if (/\p{Cc}/u.test(email)) return "control_char";
  if (/\s/.test(email)) return "whitespace";
  return unseen.test(email) ? "invisible_or_unassigned" : null;
}

function localFault(local: string): EmailFault | null {
  if (local === "") return "local_empty";
  if (!dotAtom.test(local)) return /[^\0-\x7f]/.test(local) ? "local_non_ascii" : "local_syntax";
  if (local.length > longestLocal) return "local_too_long";
  return encodedWord.test(local) ? "encoded_word" : null;
}

// Finds faults of a domain before its labels are encoded.
function domainFault(domain: string): EmailFault | null {
  if (!asciiDomain.test(domain)) {
    if (domain === "") return "domain_empty";
    if (foreignAscii.test(domain)) return "domain_char";
    if (domain.normalize("NFKC") !== domain) return "domain_compat_char";
    if (hasSymbol(domain)) return "domain_symbol";
  }
  if (!domain.includes(".")) return "no_tld";
  if (emptyLabel.test(domain)) return "empty_label";
  if (hyphenAtEdge.test(domain)) return "label_syntax";
  return hasLongLabel(domain) ? "label_too_long" : null;
}

function hostFault(host: string): EmailFault | null {
  if (hasLongLabel(host)) return "label_too_long";
  if (!topLabel.test(host)) return "tld";
  return host.length > longestDomain ? "domain_too_long" : null;
}

// Counts code points. A Unicode label is too long only if no encoding can make it short enough.
function hasLongLabel(domain: string): boolean {
  if (domain.length <= longestLabel) return false;
  return domain
    .split(".")
    .some((label) => label.length > longestLabel && Array.from(label).length > longestLabel);
}
