import type { Entry } from "./entries";
import { mentionsOptOut } from "./leaving-signs";
import { signOfTitle } from "./title-signs";
import { yesOrNo } from "./yes-or-no";

const longestLooked = 4000;

/** Splits the text beside the addresses of a line at brackets, dashes and commas. */
export function piecesBeside(text: string, people: readonly Entry[], from: number, to: number): string[] {
  let beside = "";
  let at = from;
  for (const { address } of people) {
    beside += `${text.slice(at, address.from).slice(0, longestLooked)}|`;
    at = Math.max(at, address.to);
  }
  beside += text.slice(at, Math.min(to, at + longestLooked));
  return beside
    .split(/[()[\]<>|;,\t]|\s[-–—:]+\s?|:\s/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** Removes words about opting out from a name: "Ann (unsubscribed)". */
export function withoutRemark(name: string): string {
  if (name === "" || !mentionsOptOut(name)) return name;
  const kept = name
    .split(/\s*[()[\]]\s*|\s[-–—:]+\s/)
    .filter((piece) => piece !== "" && !mentionsOptOut(piece));
  return kept.join(" ");
}

/** The mark of a struck-out or deceased person at the start of a line. */
export const strikeMark = (line: string, explainsBoxes: boolean): string | undefined =>
  (/^\s*(x|[×✗✘☒❌†✝⊘]|--)\s/i.exec(line) ?? (explainsBoxes ? emptyBox.exec(line) : null))?.[1];
const emptyBox = /^[\s*•-]*(\[ ?\]|[☐□])/;

/** Whether a line explains empty boxes: "[ ] = no newsletter". */
export const isBoxLegend = (line: string) => /(?:\[ ?\]|[☐□])\s*[=:→]/.test(line.slice(0, longestLooked));

/** Whether a text is a no, alone or after a title or question: "Newsletter: nein". */
export function isRefusal(text: string): boolean {
  const [whole = "", answer = ""] =
    /(\p{L}{2,12}|[✗✘❌])(?:[ ,]+(?:danke|thanks?|thank you|merci|gracias))?[.!]?\s*$/u.exec(text) ?? [];
  if (yesOrNo(answer) !== false) return false;
  const title = text.slice(0, text.length - whole.length);
  return /^\P{L}*$|\?\W*$/u.test(title) || signOfTitle(title) !== null;
}
