import { describe, expect, it } from "vitest";
import type { OutcomeCounts } from "@/server/contract/imports";
import { commitWord, outcomeLines } from "./outcome-words";

const nobody: OutcomeCounts = {
  new_active: 0,
  new_pending: 0,
  already_active: 0,
  already_pending: 0,
  unsubscribed: 0,
  suppressed: 0,
  namesFilled: 0,
};
const say = (counts: Partial<OutcomeCounts>, existing: "leave" | "fill_blank_names", tense: "will" | "did") =>
  outcomeLines({ ...nobody, ...counts }, existing, tense).map(({ number, text }) => `${number} ${text}.`);

describe("what becomes of a list", () => {
  it("is said in numbers that add up, and of nobody nothing is said", () => {
    const counts = {
      new_active: 1150,
      new_pending: 1,
      already_active: 24,
      already_pending: 7,
      unsubscribed: 2,
    };
    expect(say(counts, "leave", "will")).toEqual([
      "1150 are added as active, without a mail.",
      "1 is added as pending, and is mailed to confirm.",
      "31 are on the list already and are left as they are.",
      "2 unsubscribed earlier and stay so.",
    ]);
    expect(say({}, "leave", "will")).toEqual([]);
  });

  it("says who is given a name, and in the past once it is done", () => {
    expect(say({ already_active: 3, namesFilled: 1 }, "fill_blank_names", "did")).toEqual([
      "3 were on the list already; 1 of them was given a name.",
    ]);
    expect(say({ suppressed: 1 }, "leave", "did")).toEqual(["1 must not be mailed and was not added."]);
  });

  it("is on the button, and there is none when there is nothing to do", () => {
    expect(commitWord({ ...nobody, new_active: 1200, new_pending: 4 })).toBe("Add 1,204 people");
    expect(commitWord({ ...nobody, new_active: 1 })).toBe("Add 1 person");
    expect(commitWord({ ...nobody, already_active: 9, namesFilled: 2 })).toBe("Fill in 2 names");
    expect(commitWord({ ...nobody, already_active: 9 })).toBeNull();
  });
});
