import { expect, test } from "vitest";
import { readDate, readOptOuts, readReason } from "./read-opt-outs";

test("a table's reasons and dates are read, whatever the order of its columns", () => {
  const text = `created,reason,Email Address
2024-03-02 09:30:00,Hard Bounce,Ada@lovelace.org
1709371800,spam complaint,grace@navy.mil
02/03/2024,asked by phone,alan@bletchley.org
,,nobody
2024-03-02,unsubscribed,ADA@lovelace.org`;
  const { rows, ...counts } = readOptOuts(text);
  expect(rows).toEqual([
    {
      email: "Ada@lovelace.org",
      canonical: "ada@lovelace.org",
      reason: "bounced",
      date: "2024-03-02T09:30:00.000Z",
    },
    {
      email: "grace@navy.mil",
      canonical: "grace@navy.mil",
      reason: "complained",
      date: "2024-03-02T09:30:00.000Z",
    },
    { email: "alan@bletchley.org", canonical: "alan@bletchley.org", reason: null, date: null },
  ]);
  expect(counts).toMatchObject({ invalid: 1, twice: 1, unknownReasons: 1, unknownDates: 1 });
  expect(counts.examples).toMatchObject([{ line: 5, message: expect.stringMatching(/@/) }]);
});

test("lines of addresses have neither", () => {
  expect(readOptOuts("ada@lovelace.org\nGrace <grace@navy.mil>\n").rows).toMatchObject([
    { email: "ada@lovelace.org", reason: null, date: null },
    { email: "grace@navy.mil", reason: null, date: null },
  ]);
  expect(readOptOuts("")).toMatchObject({ rows: [], invalid: 0 });
});

test.each([
  ["Unsubscribed", "unsubscribed"],
  ["opt-out", "unsubscribed"],
  ["HardBounce", "bounced"],
  ["cleaned", "bounced"],
  ["SpamComplaint", "complained"],
  ["ManualSuppression", "manual"],
  ["COMPLAINT", "complained"],
  ["purple", null],
])("%s is the reason %s", (word, reason) => {
  expect(readReason(word)).toBe(reason);
});

test.each([
  ["2024-03-02", "2024-03-02T00:00:00.000Z"],
  ["2024-03-02T10:30:00+01:00", "2024-03-02T09:30:00.000Z"],
  ["2024-03-02 10:30:00.123456 +0100", "2024-03-02T09:30:00.000Z"],
  ["2024-03-02 09:30 UTC", "2024-03-02T09:30:00.000Z"],
  ["1709371800000", "2024-03-02T09:30:00.000Z"],
  ["2024-13-01", null],
  ["03/04/2024", null],
  ["yesterday", null],
])("%s is %s", (cell, date) => {
  expect(readDate(cell)).toBe(date);
});

test("a future day becomes now", () => {
  expect(Date.parse(readDate("2099-01-01") ?? "")).toBeLessThanOrEqual(Date.now());
});
