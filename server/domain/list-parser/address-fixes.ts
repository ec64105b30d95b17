import { parseEmail } from "../email";
import type { DomainSuggestions } from "./domain-suggestions";

/** The same address at another domain. */
export function withDomain(email: string, domain: string): string {
  return `${email.trim().slice(0, email.trim().lastIndexOf("@") + 1)}${domain}`;
}

// With two letters at most after the @ sign, nothing can be made of it; told before the costly steps.
const hopeless = /@\s{0,9}[\w-]{0,2}$/;

/** What an invalid address was probably meant to be, where removing or replacing a few characters makes it valid. */
export function fixAddress(email: string, suggestions: DomainSuggestions): string | null {
  if (email.length > 300 || hopeless.test(email)) return null;
  const fixed = spelledOut(email)
    .normalize("NFKC")
    // A hyphen at the end of a line is the line's.
    .replace(/-[ \t]*[\r\n]+/g, "")
    .replace(/\s+/g, "")
    .replace(/@+/g, "@")
    .replace(/^[<("'[]+|[>)"'\]]+$/g, "")
    .replace(/[,;]/g, ".")
    .replace(/\.{2,}/g, ".")
    .replace(/^[.:-]+|[.:-]+$/g, "")
    .replace(/\.?@\.?/g, "@");
  const validation = parseEmail(fixed);
  if (!validation.ok || fixed === email) return null;
  const better = suggestions.for(validation.canonical.slice(validation.canonical.lastIndexOf("@") + 1));
  return better ? withDomain(fixed, better) : fixed;
}

// ada (at) lovelace [dot] org, ada at lovelace dot org: written so that no machine reads it.
function spelledOut(email: string): string {
  if (email.includes("@")) return email;
  return email
    .replace(/[([{]\s{0,3}at\s{0,3}[)\]}]|\s+at\s+/i, "@")
    .replace(/[([{]\s{0,3}(?:dot|punkt|point)\s{0,3}[)\]}]|\s+(?:dot|punkt|point)\s+/gi, ".");
}
