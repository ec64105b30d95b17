// Converts notations of the same text to one. Every replacement keeps its length, so that offsets in the plain text are
// offsets in the original.

const blank = (length: number) => " ".repeat(length);

/**
 * Converts link formulas, HTML tags and entities, separator control characters and single-quoted cells to plain text.
 */
export function plainText(text: string): string {
  let plain = text;
  if (/<a\s[^<>]*mailto:/i.test(plain)) plain = withoutTags(plain);
  if (/=HYPERLINK\(/i.test(plain)) plain = withoutFormulas(plain);
  if (/&(?:lt|gt|quot|amp|nbsp);/i.test(plain)) plain = plain.replace(entity, writeEntity);
  if (plain.includes("\u001f")) plain = plain.replaceAll("\u001f", ",").replaceAll("\u001e", ";");
  if (/^\s*'/.test(plain)) plain = doubleQuoted(plain);
  return plain;
}

// <a href="mailto:ada@x.com?subject=Hello">Ada</a> becomes ada@x.com (Ada).
function withoutTags(text: string): string {
  return (
    text
      .replace(
        /(<a\s[^<>]*?["']mailto:)([^"'<>?\s]+)([^<>]*)>([^<>]*)<\/a>/gi,
        (...[, before = "", address = "", after = "", shown = ""]: string[]) =>
          `${blank(before.length)}${address}${blank(after.length)}(${shown.includes("@") ? blank(shown.length) : shown})${blank(3)}`,
      )
      // Marks struck-out text as Markdown does.
      .replace(/<\/?(?:s|del|strike)>/gi, (whole) => `~~${blank(whole.length - 2)}`)
      .replace(/<\/?([a-z][a-z0-9]*)(?:\s[^<>@]*)?\/?>/gi, (whole, name: string) =>
        /^(?:li|p|br|tr|td|th|div|ul|ol|h\d)$/i.test(name)
          ? `;${blank(whole.length - 1)}`
          : blank(whole.length),
      )
  );
}

// Formulas such as =HYPERLINK("mailto:ada@x.com","Ada"), also with doubled quotes in a CSV cell.
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
      // A formula within a CSV cell cannot hold a second cell, so it has no separator before the name.
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

// Python and SQL print rows as 'ada@x.com','Lovelace, Ada'.
function doubleQuoted(text: string): string {
  const rows = text.split("\n", 50).filter((line) => line.trim() !== "");
  const quoted = rows.filter((line) => /^\s*'[^']*(?:''[^']*)*'\s*[,;\t].*'\s*[,;]?\s*$/.test(line));
  if (quoted.length * 5 < rows.length * 4) return text;
  return text.replace(/(^|[,;\t])(\s*)'((?:[^'\n]|'')*)'(?=\s*(?:[,;\t\r\n]|$))/gm, '$1$2"$3"');
}
