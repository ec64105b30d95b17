import { expect, test } from "vitest";
import type { CopyPlan } from "@/server/contract/copy-people";
import { afterText, attributesText, copyLines, leavingText } from "./copy-words";

const plan: CopyPlan = {
  active: 3,
  pending: 2,
  skipped: { already: 4, unsubscribed_there: 1, not_to_be_mailed: 0 },
  fieldsLeftOut: [],
  choicesLeftOut: [],
  delaySeconds: 30,
};
const names = { here: "Weekly", there: "Monthly" };
const linesOf = (agreed: boolean, sends = true) =>
  copyLines(plan, { agreed, sends, ...names }).map(({ number, text }) => `${number} ${text}`);

test("says of each number what happens, and of nobody nothing", () => {
  expect(linesOf(false)).toEqual([
    "5 added to Monthly as pending, asked by mail to confirm",
    "4 on Monthly already: unchanged",
    "1 unsubscribed from Monthly: not added, not written to",
  ]);
  expect(linesOf(true).slice(0, 2)).toEqual([
    "3 added to Monthly as active",
    "2 added to Monthly as pending, asked by mail to confirm",
  ]);
});

test("says that no mail leaves where none does", () => {
  expect(linesOf(false, false)[0]).toContain("no mail leaves until a mail service is set up");
});

test("names what is left out, when mails leave, and that a move is not undone", () => {
  expect(attributesText(plan, "Monthly")).toBe("Name, tags and fields go with them; notes do not.");
  expect(attributesText({ ...plan, fieldsLeftOut: ["Company"], choicesLeftOut: ["Plan"] }, "Monthly")).toBe(
    "Name, tags and fields go with them; notes do not. Left out: Company, since Monthly has no such field of the same type. Plan: choices that Monthly does not have are left out.",
  );
  expect(leavingText(plan, "Monthly")).toContain("after 30 seconds");
  expect(leavingText({ ...plan, delaySeconds: 0 }, "Monthly")).toContain("at once");
  expect(afterText("move", names)).toContain("A move cannot be undone: move them back instead.");
  expect(afterText("copy", names)).toContain("undone for a day");
});
