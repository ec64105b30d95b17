import { count, counted, people } from "../ui/numbers";
import type { Reading } from "./reading/messages";

/** "214 lines: 180 people, 12 of them twice; 1 header, 3 headings, 30 empty." Its numbers of lines add up. */
export function accountSentence({ account, counts, peopleToFix }: Reading): string {
  const { lines, people: all, peopleLines, header, headings, withoutAddress, empty } = account;
  const onLines = all === peopleLines ? "" : ` on ${counted(peopleLines, "line")}`;
  const some = [
    counts.twice > 0 && `${count(counts.twice)} of them twice`,
    peopleToFix > 0 && `${count(peopleToFix)} to fix`,
  ].filter(Boolean);
  const others = [
    header > 0 && counted(header, "header"),
    headings > 0 && counted(headings, "heading"),
    withoutAddress > 0 && `${count(withoutAddress)} without an address`,
    empty > 0 && `${count(empty)} empty`,
  ].filter(Boolean);
  const first = `${people(all)}${onLines}${some.length > 0 ? `, ${some.join(" and ")}` : ""}`;
  const rest = others.join(", ");
  return `${counted(lines, "line")}: ${first}${rest === "" ? "" : `${some.length > 0 ? ";" : ","} ${rest}`}.`;
}
