/** A struck-out part of a text. `sign` has no words of the list: <del>…</del> or ~…~ */
export type StruckPart = { from: number; to: number; sign: string };

const strikeTag = /<(\/?)(s|del|strike)(?:\s[^<>]{0,300})?>/gi;
// Chats strike words between single tildes. A tilde before a number means "about", and before a quote it separates cells.
const betweenTildes =
  /(?<![\p{L}\p{N}_~/@])~(?=[^\s~\d"'|])(?!<\/?[a-z]+[\s>])[^~\r\n@]{0,300}@[^~\r\n]{0,300}(?<=\S)~(?![\p{L}\p{N}_~/@])/gu;

/** Finds struck-out HTML, and addresses that are struck out as in chats. */
export function findStruckOut(text: string): StruckPart[] {
  const parts = [...text.matchAll(betweenTildes)].map(({ 0: part, index }) => {
    return { from: index, to: index + part.length, sign: "~…~" };
  });
  const open: Record<string, number[]> = { s: [], del: [], strike: [] };
  for (const { 1: slash, 2: name = "", index } of text.matchAll(strikeTag)) {
    const tag = name.toLowerCase();
    if (!slash) open[tag]?.push(index);
    else {
      const from = open[tag]?.pop();
      if (from !== undefined) parts.push({ from, to: index, sign: `<${tag}>…</${tag}>` });
    }
  }
  return parts;
}
