import { expect, it } from "vitest";
import { textsInEnglish } from "../texts/testing/in-english";
import { evidenceTexts, listEvidence } from "./evidence-text";

const writing = { t: textsInEnglish("people.evidence"), language: "en", timeZone: "UTC" } as const;

const listed = { optedInAt: "2024-01-01T10:00:00.000Z", ip: "1.2.3.4", source: "Footer" };
const left = { reason: "complained", at: "2025-03-02T09:30:00.000Z" } as const;

it.each([
  [
    { ...listed, confirmedAt: "2024-01-01T10:02:00.000Z" },
    "The list says: opted in 1 Jan 2024, 10:00, confirmed 1 Jan 2024, 10:02, from 1.2.3.4, through “Footer”",
  ],
  [{ left }, "The list says: reported spam 2 Mar 2025, 09:30"],
  [{ left: { reason: "unsubscribed", at: null } as const }, "The list says: unsubscribed"],
])("describes a list's evidence %j", (evidence, text) => {
  expect(listEvidence(evidence, writing)).toBe(text);
});

const agreed = { wording: "Yes.", version: 2, page: "https://a.example/s/1", from: null, at: left.at };
const copied = { newsletter: "Weekly", moved: false, consent: null, addedAt: left.at, confirmedAt: null };
const agreement = "Agreed on the sign-up page: “Yes.” (wording 2)";

it.each([
  [{ agreed }, [agreement, "At https://a.example/s/1"]],
  [
    { agreed: { ...agreed, from: "https://shop.example" }, source: "Fair" },
    [agreement, "Form on https://shop.example", "The list says: through “Fair”"],
  ],
  [{ copied }, ["On Weekly since 2 Mar 2025, 09:30"]],
  [
    { copied: { ...copied, confirmedAt: "2025-03-03T10:00:00.000Z" } },
    ["On Weekly since 2 Mar 2025, 09:30, confirmed 3 Mar 2025, 10:00"],
  ],
  [{ copiedTo: "Monthly" }, []],
])("describes the stored evidence %j", (evidence, texts) => {
  expect(evidenceTexts(evidence, writing)).toEqual(texts);
});
