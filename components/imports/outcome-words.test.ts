import { describe, expect, it } from "vitest";
import { noOutcomes, type OutcomeCounts } from "@/server/contract/imports";
import { outcomeLines } from "./outcome-words";

const sentences = (counts: Partial<OutcomeCounts>, tense: "will" | "did") =>
  outcomeLines({ ...noOutcomes, ...counts }, tense).map(({ number, text }) => `${number} ${text}.`);

describe("what becomes of a list", () => {
  it("is said in numbers that add up, and of nobody nothing is said", () => {
    const counts = {
      new_active: 1150,
      new_pending: 1,
      already_active: 24,
      already_pending: 7,
      unsubscribed: 2,
    };
    expect(sentences(counts, "will")).toEqual([
      "1150 are added as active, without a mail.",
      "1 is added as pending, and is asked by mail to confirm.",
      "31 are on the list already and stay unchanged.",
      "2 unsubscribed earlier and stay so.",
    ]);
    expect(sentences({}, "will")).toEqual([]);
  });

  it("is said in the past once it is done", () => {
    expect(sentences({ suppressed: 1, already_active: 3 }, "did")).toEqual([
      "3 were on the list already and stayed unchanged.",
      "1 must not be written to and was not added.",
    ]);
  });
});
