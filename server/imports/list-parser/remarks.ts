import type { Entry } from "./entries";
import { mentionsOptOut } from "./leaving-signs";

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
