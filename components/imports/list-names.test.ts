import { expect, it } from "vitest";
import { textsInEnglish } from "../texts/testing/in-english";
import { answerSentences } from "./list-names";

const t = textsInEnglish("imports");

it("describes each answer in a sentence", () => {
  expect(
    answerSentences(
      {
        "column:State": { cancelled: "unsubscribed", "on hold": "nothing" },
        "column:Note: old": { x: "complained" },
        "column:column 3": { "(empty)": "active" },
        heading: { "Left in May": "bounced" },
      },
      t,
    ),
  ).toEqual([
    "Column State: “cancelled” means unsubscribed",
    "Column State: “on hold” has no subscription meaning",
    "Column Note: old: “x” means complained",
    "Column 3: “(empty)” means active",
    "Heading: “Left in May” means bounced",
  ]);
});
