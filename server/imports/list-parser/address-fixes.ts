import { type EmailValidation, parseEmail } from "../../kernel/email";
import { isEnding, splitDomain } from "./domain-endings";
import type { DomainSuggestions } from "./domain-suggestions";

const percentCode = /%[0-9a-f]{2}/i;
const percentMessage =
  "The part before the @ sign has a percent code, such as %2B for a plus sign, as in links. Enter the address without percent codes.";

/** Like `parseEmail`, but rejects percent codes. They come from links: nobody's address is ada%2Bnews@example.com. */
export function parseListed(email: string): EmailValidation {
  const validation = parseEmail(email);
  if (!validation.ok || !email.includes("%") || !percentCode.test(email)) return validation;
  return { ok: false, code: "local_syntax", message: percentMessage };
}

export function withDomain(email: string, domain: string): string {
  return `${email.trim().slice(0, email.trim().lastIndexOf("@") + 1)}${domain}`;
}

// Skips the slow steps: at most two letters after the @ sign are too few for a suggestion.
const tooShort = /@\s{0,9}[\w-]{0,2}$/;

/**
 * Suggests a valid address that differs from an invalid one in a few characters. The editor decides whether to use it.
 * Returns null if several corrections are equally likely.
 */
export function suggestAddress(email: string, suggestions: DomainSuggestions): string | null {
  if (email.length > 300 || tooShort.test(email)) return null;
  const halves = splitAtSign(replaceAtAndDotWords(decodeText(email)));
  const local = halves && plainLocal(halves[0]);
  if (!halves || !local) return null;
  const domain = plainDomain(halves[1]);
  const written = parseEmail(`${local}@${domain}`);
  const host = written.ok ? written.canonical.slice(written.canonical.lastIndexOf("@") + 1) : null;
  const meant = suggestions.for(host ?? domain.toLowerCase());
  const fixed = `${local}@${meant ?? domain}`;
  const { ending } = splitDomain(meant ?? host ?? "");
  if (!parseListed(fixed).ok || !(isEnding(ending) || ending.startsWith("xn--"))) return null;
  return fixed === email ? null : fixed;
}

const entities: Record<string, string> = {
  commat: "@",
  period: ".",
  amp: "&",
  quot: '"',
  lt: "<",
  gt: ">",
  nbsp: " ",
};
const entity = /&(?:#(\d{2,6})|#x([0-9a-f]{2,5})|([a-z]{2,6}));?/gi;
const scheme = /^\s*(?:mailto|e-?mail|mail)\s*:\s*/i;

/** Decodes HTML entities, links, percent codes and full-width characters, and removes invisible characters. */
function decodeText(email: string): string {
  let text = email;
  if (text.includes("&"))
    text = text.replace(entity, (code, decimal, hex, name) => {
      if (name) return entities[name.toLowerCase()] ?? code;
      const point = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
      return point >= 32 && point <= 0xffff ? String.fromCharCode(point) : code;
    });
  if (/[^ -~]/.test(text))
    text = text
      .normalize("NFKC")
      .replace(/\p{Cf}/gu, "")
      .replaceAll("。", ".");
  const bare = text.replace(scheme, "");
  if (bare !== text) text = bare.replace(/\?.*$/s, "");
  if (!percentCode.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const atWords =
  /\s*[([{<_]\s{0,3}(?:at|ät|arroba|chiocciola|arobase|kukac|a)\s{0,3}[)\]}>_]\s*|\s+(?:at|arroba)\s+/i;
const dotWords =
  /\s*[([{<_]\s{0,3}(?:dot|punkt|punt|point|punto|ponto|\.)\s{0,3}[)\]}>_]\s*|\s+(?:dot|punkt|punto|ponto)\s+/gi;

// People write "ada (at) lovelace [dot] org" to keep addresses from crawlers.
function replaceAtAndDotWords(email: string): string {
  const signed = email.includes("@") ? email : email.replace(atWords, "@");
  return signed.includes("@") ? signed.replace(dotWords, ".") : signed;
}

/** Splits an address at its @ sign, or at one of two if the other is clearly a mistake. */
function splitAtSign(email: string): [local: string, domain: string] | null {
  const parts = email.replace(/(?:@\s*)+/g, "@").split("@");
  const [local = "", domain = "", last] = parts;
  if (parts.length === 2) return [local, domain];
  if (parts.length !== 3 || last === undefined) return null;
  const again = trimDomain(domain).toLowerCase();
  const ends = trimDomain(last).toLowerCase();
  if (again !== "" && (ends === again || ends.startsWith(`${again}.`))) return [local, last];
  return !again.includes(".") && isEnding(ends) ? [local, `${again}.${ends}`] : null;
}

function plainLocal(local: string): string | null {
  // The text may be a name and an address, or an address with a space. More than two words are no typing mistake.
  const words = joinLines(local.trim());
  if (words.split(/\s+/).length > 2) return null;
  return words
    .replace(/\s+/g, "")
    .replace(/^[<("'[]+|[>)"'\]]+$/g, "")
    .replace(/[,;]/g, ".")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.:-]+|[.:]+$/g, "");
}

function plainDomain(domain: string): string {
  const bare = trimDomain(joinLines(domain.trim()));
  const path = /^([^/]+\.[^/]+)\//.exec(bare)?.[1] ?? bare;
  // A space is a dot in "gmail com" and a mistake in "x .com".
  const joined = path.includes(".") ? path.replace(/\s+/g, "") : path.replace(/[\s/\\_]+/g, ".");
  return trimDomain(joined.replace(/[,;:.·]+/g, ".")).replace(/(\.[a-z]{2,})\d{1,3}$/i, "$1");
}

function trimDomain(domain: string): string {
  return domain.replace(/^[\s.,:;<("'[-]+|[\s.,:;!?/\\>)"'\]*_-]+$/g, "");
}

// PDF files and emails wrap addresses with a hyphen that is not part of them.
function joinLines(text: string): string {
  return text.replace(/-\s+/g, "");
}
