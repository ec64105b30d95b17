import { describe, expect, it } from "vitest";
import { noOutcomes, type OutcomeCounts } from "@/server/contract/imports";
import { outcomeLines, stillHereText } from "./outcome-words";

const sentences = (counts: Partial<OutcomeCounts>, tense: "will" | "did") =>
  outcomeLines({ ...noOutcomes, ...counts }, tense).map(({ number, text }) => `${number} ${text}.`);

describe("what becomes of a list", () => {
  it("is said in numbers that add up, and of nobody nothing is said", () => {
    const counts = {
      new_active: 1150,
      new_pending: 1,
      new_unsubscribed: 312,
      already_active: 24,
      already_pending: 7,
      unsubscribed: 2,
    };
    expect(sentences(counts, "will")).toEqual([
      "1150 are added as active, without an email.",
      "1 is added as pending, and receives a confirmation email.",
      "312 are added as unsubscribed, so that no import can add them back.",
      "31 are already on the list and stay unchanged.",
      "2 unsubscribed earlier and stay unsubscribed.",
    ]);
    expect(sentences({}, "will")).toEqual([]);
  });

  it("is said in the past once it is done", () => {
    expect(sentences({ suppressed: 1, already_active: 3, new_unsubscribed: 1 }, "did")).toEqual([
      "1 was added as unsubscribed, so that no import can add them back.",
      "3 were already on the list and stayed unchanged.",
      "1 was suppressed and not added.",
    ]);
  });

  it("names those who left elsewhere and are written to here", () => {
    expect(stillHereText(1)).toBe(
      "of them is unsubscribed in this list but still active or pending here: check this person",
    );
    expect(stillHereText(12)).toBe(
      "of them are unsubscribed in this list but still active or pending here: check them",
    );
  });
});
