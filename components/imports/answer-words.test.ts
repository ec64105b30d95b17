import { expect, it } from "vitest";
import { answerSentences } from "./answer-words";

it("says what somebody answered, a sentence for each word of the list, and counts what is too much to read", () => {
  expect(
    answerSentences({
      "column:State": { cancelled: "unsubscribed", "on hold": "nothing" },
      "column:Note: old": { x: "complained" },
      heading: { "Left in May": "bounced" },
    }),
  ).toEqual([
    "Column State: “cancelled” means unsubscribed",
    "Column State: “on hold” has no subscription meaning",
    "Column Note: old: “x” means complained",
    "Heading: “Left in May” means bounced",
  ]);
  const many = Object.fromEntries(Array.from({ length: 35 }, (_, i) => [`word ${i}`, "active" as const]));
  expect(answerSentences({ file: many }).slice(-2)).toEqual(["File: “word 29” means active", "and 5 more"]);
});
