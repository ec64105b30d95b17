import { expect, it } from "vitest";
import { textsInEnglish } from "../texts/in-english";
import { evidenceTexts, listEvidence } from "./evidence-text";

const writing = { t: textsInEnglish("people.evidence"), language: "en", timeZone: "UTC" } as const;

it("says what an imported list says of a person, and when", () => {
  const agreed = {
    optedInAt: "2024-01-01T10:00:00.000Z",
    confirmedAt: "2024-01-01T10:02:00.000Z",
    ip: "1.2.3.4",
    source: "Footer",
  };
  expect(listEvidence(agreed, writing)).toBe(
    "The list says: opted in 1 Jan 2024, 10:00, confirmed 1 Jan 2024, 10:02, from 1.2.3.4, through “Footer”",
  );
  const left = { reason: "complained", at: "2025-03-02T09:30:00.000Z" } as const;
  expect(listEvidence({ left }, writing)).toBe("The list says: reported spam 2 Mar 2025, 09:30");
  expect(listEvidence({ source: "Fair", left: { reason: "unsubscribed", at: null } }, writing)).toBe(
    "The list says: through “Fair”, unsubscribed",
  );
});

it("says what a person agreed to on a sign-up page, and where the form stood", () => {
  const agreed = {
    wording: "Send me Weekly.",
    version: 2,
    page: "https://list.example.org/s/1",
    from: null,
    at: "2026-11-23T05:00:00.000Z",
  };
  expect(evidenceTexts({ agreed }, writing)).toEqual([
    "Agreed on the sign-up page: “Send me Weekly.” (wording 2)",
    "At https://list.example.org/s/1",
  ]);
  expect(
    evidenceTexts({ agreed: { ...agreed, from: "https://shop.example" }, source: "Fair" }, writing),
  ).toEqual([
    "Agreed on the sign-up page: “Send me Weekly.” (wording 2)",
    "Form on https://shop.example",
    "The list says: through “Fair”",
  ]);
});

it("says of who was copied: since when they were on the other newsletter, and nothing of a list", () => {
  const copied = {
    ...{ newsletter: "Weekly", moved: false, consent: null },
    ...{ addedAt: "2025-03-02T09:30:00.000Z", confirmedAt: null },
  };
  expect(evidenceTexts({ copied }, writing)).toEqual(["On Weekly since 2 Mar 2025, 09:30"]);
  expect(evidenceTexts({ copied: { ...copied, confirmedAt: "2025-03-03T10:00:00.000Z" } }, writing)).toEqual([
    "On Weekly since 2 Mar 2025, 09:30, confirmed 3 Mar 2025, 10:00",
  ]);
  expect(evidenceTexts({ copiedTo: "Monthly" }, writing)).toEqual([]);
});
