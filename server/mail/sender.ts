/** Line breaks would end a header, and format characters can hide text; both become spaces. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]+/gu;
/** Characters that a display name may hold without quotes (RFC 5322, atext and space), and any letter beyond ASCII. */
const PLAIN = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ \u{a0}-\u{10ffff}-]+$/u;
const ADDRESS = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+$/;

/**
 * A text that is safe in one header line and readable: no line breaks or invisible characters, single spaces, at most
 * `max` characters.
 */
export function headerLine(text: string, max = 120): string {
  const line = text.replace(UNFIT, " ").replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= max
    ? line
    : `${characters
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}

/**
 * Builds the From header from a setting such as `Weekly <hello@x.org>`, `"Weekly, the" <hello@x.org>` or `hello@x.org`.
 * @param setting the newsletter's own sender, or MAIL_FROM
 * @param fallbackName shown when the setting is a bare address
 */
export function formatSender(setting: string, fallbackName: string): string {
  const line = headerLine(setting, 500);
  const open = line.endsWith(">") ? line.lastIndexOf("<") : -1;
  const address = open === -1 ? line : line.slice(open + 1, -1).trim();
  // An unreadable setting stays as it is: Resend rejects it, and the mail shows Resend's reason.
  if (!ADDRESS.test(address)) return line;
  const given = open === -1 ? "" : unquote(line.slice(0, open).trim());
  const name = headerLine(given || fallbackName, 78);
  if (name === "") return address;
  return `${PLAIN.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`} <${address}>`;
}

function unquote(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name;
}
