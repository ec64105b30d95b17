// Writings of the same text that are read as one. Every replacement is as long as what it replaces, so that places in the
// plain text are places in the text as given.

const blank = (length: number) => " ".repeat(length);

/** The text with formulas of links, HTML's escaped brackets, separator controls and single-quoted cells written plainly. */
export function plainText(text: string): string {
  let plain = text;
  if (/<a\s[^<>]*mailto:/i.test(plain)) plain = withoutTags(plain);
  if (/=HYPERLINK\(/i.test(plain)) plain = withoutFormulas(plain);
  if (/&(?:lt|gt|quot|amp|nbsp);/i.test(plain)) plain = plain.replace(entity, writeEntity);
  if (plain.includes("\u001f")) plain = plain.replaceAll("\u001f", ",").replaceAll("\u001e", ";");
  if (/^\s*'/.test(plain)) plain = doubleQuoted(plain);
  return plain;
}

// <a href="mailto:ada@x.com?subject=Hello">Ada</a> is ada@x.com (Ada).
function withoutTags(text: string): string {
  return (
    text
      .replace(
        /(<a\s[^<>]*?["']mailto:)([^"'<>?\s]+)([^<>]*)>([^<>]*)<\/a>/gi,
        (...[, before = "", address = "", after = "", shown = ""]: string[]) =>
          `${blank(before.length)}${address}${blank(after.length)}(${shown.includes("@") ? blank(shown.length) : shown})${blank(3)}`,
      )
      // What is struck out is written as in Markdown.
      .replace(/<\/?(?:s|del|strike)>/gi, (whole) => `~~${blank(whole.length - 2)}`)
      .replace(/<\/?([a-z][a-z0-9]*)(?:\s[^<>@]*)?\/?>/gi, (whole, name: string) =>
        /^(?:li|p|br|tr|td|th|div|ul|ol|h\d)$/i.test(name)
          ? `;${blank(whole.length - 1)}`
          : blank(whole.length),
      )
  );
}

// =HYPERLINK("mailto:ada@x.com","Ada"), and with its quotes doubled within a cell of CSV.
function withoutFormulas(text: string): string {
  return text.replace(
    /=HYPERLINK\((""?)(?:mailto:)?([^"\n]{0,320})\1([,;]\s?)\1([^"\n]{0,320})\1\)/gi,
    (...[whole = "", quote = "", target = "", parted = "", shown = ""]: string[]) => {
      const start = whole.indexOf(target, 11);
      const doubled = quote.length === 2;
      const name = shown.includes("@") ? blank(shown.length) : shown;
      const between = doubled
        ? blank(2 * quote.length + parted.length)
        : `${blank(quote.length)}${parted}${blank(quote.length)}`;
      // Within one cell there is no second one: the name stands before its address in brackets there.
      const plain = `${blank(start)}${target}${between}${name}`;
      return plain + blank(whole.length - plain.length);
    },
  );
}

const entity = /&(lt|gt|quot|amp|nbsp);/gi;
const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " };

function writeEntity(whole: string, name: string): string {
  const character = characters[name.toLowerCase()] ?? " ";
  const rest = blank(whole.length - 1);
  return name.toLowerCase() === "gt" ? character + rest : rest + character;
}

// 'ada@x.com','Lovelace, Ada': what Python and SQL print of rows.
function doubleQuoted(text: string): string {
  const rows = text.split("\n", 50).filter((line) => line.trim() !== "");
  const quoted = rows.filter((line) => /^\s*'[^']*(?:''[^']*)*'\s*[,;\t].*'\s*[,;]?\s*$/.test(line));
  if (quoted.length * 5 < rows.length * 4) return text;
  return text.replace(/(^|[,;\t])(\s*)'((?:[^'\n]|'')*)'(?=\s*(?:[,;\t\r\n]|$))/gm, '$1$2"$3"');
}
