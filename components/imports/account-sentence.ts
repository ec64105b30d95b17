import type { Texts } from "../texts/texts";
import type { Reading } from "./reading/messages";

/** "214 lines: 180 people, 12 of them twice; 1 header, 3 headings, 30 empty." The line counts add up. */
export function accountSentence(
  { account, counts, peopleToFix: fix }: Pick<Reading, "account" | "counts" | "peopleToFix">,
  t: Texts<"imports.account">,
): string {
  const { lines, people, peopleLines, header, headings, withoutAddress, empty } = account;
  const all =
    people === peopleLines ? t("people", { people }) : t("peopleOnLines", { people, lines: peopleLines });
  const some = someOf({ twice: counts.twice, fix }, t);
  const others = [
    header > 0 && t("headers", { n: header }),
    headings > 0 && t("headings", { n: headings }),
    withoutAddress > 0 && t("withoutAddress", { n: withoutAddress }),
    empty > 0 && t("empty", { n: empty }),
  ].filter(Boolean);
  const first = some ? `${all}, ${some}` : all;
  const parts = others.length > 0 ? `${first}${some ? ";" : ","} ${others.join(", ")}` : first;
  return t("lines", { n: lines, parts });
}

function someOf({ twice, fix }: { twice: number; fix: number }, t: Texts<"imports.account">): string {
  if (twice > 0 && fix > 0) return t("twiceAndToFix", { twice, fix });
  if (twice > 0) return t("twice", { twice });
  return fix > 0 ? t("toFix", { fix }) : "";
}
