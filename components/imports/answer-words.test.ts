import { expect, it } from "vitest";
import { textsInEnglish } from "../texts/in-english";
import { answerSentences } from "./answer-words";

const t = textsInEnglish("imports");

it("says what somebody answered, a sentence for each word of the list, and counts what is too much to read", () => {
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
  const many = Object.fromEntries(Array.from({ length: 35 }, (_, i) => [`word ${i}`, "active" as const]));
  expect(answerSentences({ file: many }, t).slice(-2)).toEqual([
    "File: “word 29” means active",
    "and 5 more",
  ]);
});
