import { describe, expect, it } from "vitest";
import { noOutcomes, type OutcomeCounts } from "@/server/imports/schema/import-counts";
import { textsInEnglish } from "../texts/testing/in-english";
import { besideLines, outcomeLines, outcomeText } from "./outcome-words";

const t = textsInEnglish("imports");
const sentences = (counts: Partial<OutcomeCounts>, tense: "will" | "did") =>
  outcomeLines({ ...noOutcomes, ...counts }, tense).map((line) => outcomeText(line, t));

describe("what becomes of a list", () => {
  it("has numbers that add up, and leaves out empty groups", () => {
    const counts = {
      new_active: 1150,
      new_pending: 1,
      new_unsubscribed: 312,
      already_active: 24,
      already_pending: 7,
      unsubscribed: 2,
    };
    expect(sentences(counts, "will")).toEqual([
      "1,150 are added as active, without an email.",
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

  it("says what became of the mails to pending people", () => {
    const counts = { ...noOutcomes, new_pending: 2 };
    const said = (...[tense, mails]: [tense: "will" | "did", mails: Parameters<typeof outcomeLines>[2]]) =>
      outcomeLines(counts, tense, mails).map((line) => outcomeText(line, t));
    expect(said("will", { sends: false })).toEqual([
      "2 are added as pending, and their confirmation emails are stored but not sent.",
    ]);
    expect(said("did", { mailing: "waiting" })).toEqual([
      "2 were added as pending, and their confirmation emails are sent in a moment.",
    ]);
    expect(said("did", { mailing: "cancelled" })).toEqual([
      "2 were added as pending, and their confirmation emails were cancelled.",
    ]);
    expect(said("did", {})).toEqual([
      "2 were added as pending, and a confirmation email was created for each.",
    ]);
  });

  it("names those who left elsewhere and are written to here, and whose mailbox has opted out", () => {
    const none = {
      activeDespiteOptOut: 0,
      related: { people: 0, first: [] },
      rejected: 0,
      twice: 0,
      asked: 0,
    };
    const said = (some: Partial<typeof none> | { related: { people: number; first: string[] } }) =>
      besideLines({ ...none, ...some }).map((line) => outcomeText(line, t));
    expect(said({})).toEqual([]);
    expect(said({ activeDespiteOptOut: 1 })).toEqual([
      "1 of them is unsubscribed in this list but still active or pending here: check this person.",
    ]);
    expect(said({ activeDespiteOptOut: 12 })).toEqual([
      "12 of them are unsubscribed in this list but still active or pending here: check them.",
    ]);
    expect(said({ related: { people: 5, first: ["ada@x.com", "joan@x.com"] } })).toEqual([
      "5 are added as active, but another spelling of each address has opted out: ada@x.com, joan@x.com, 3 more.",
    ]);
    expect(said({ related: { people: 1, first: ["ada@x.com"] } })).toEqual([
      "1 is added as active, but another spelling of the address has opted out: ada@x.com.",
    ]);
  });
});
