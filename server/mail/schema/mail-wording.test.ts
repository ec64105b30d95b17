import { describe, expect, test } from "vitest";
import { MailWording } from "./mail-wording";

const none = { on: true, subject: null, intro: null, nextUrl: null };
type Given = { subject?: string; intro?: string; nextUrl?: string };
const read = (given: Given) => MailWording.confirmation.parse({ ...none, ...given });
const rejected = (given: Given) => {
  const result = MailWording.confirmation.safeParse({ ...none, ...given });
  return result.success
    ? null
    : result.error.issues.map((issue) => `${issue.path}: ${issue.message}`).join("|");
};

test("tidies words, and reads white space as the default words", () => {
  expect(
    read({ subject: "  Hello\r\n there\t{newsletter} ", intro: " One \r\n\r\n\r\n\r\nTwo\rthree  \n" }),
  ).toEqual({ ...none, subject: "Hello there {newsletter}", intro: "One\n\nTwo\nthree" });
  expect(read({ subject: " \n ", intro: "\n\n", nextUrl: " " })).toEqual(none);
});

test("rejects an unknown placeholder by its name", () => {
  expect(rejected({ subject: "Hi {name}" })).toMatch(/^subject: \{name\} can't be filled in.*\{newsletter\}/);
  expect(rejected({ intro: "Hi {vorname}, {x}" })).toMatch(/^intro: \{vorname\} and \{x\} can't/);
});

test("limits words by characters, as the database counts them", () => {
  expect(read({ subject: "😀".repeat(200) }).subject).toHaveLength(400);
  expect(rejected({ subject: "😀".repeat(201) })).toMatch(
    /^subject: Enter at most 200 characters\. The text has 201\./,
  );
  expect(rejected({ intro: "x".repeat(1001) })).toMatch(/^intro: Enter at most 1,000/);
});

test("rejects invisible characters", () => {
  for (const hidden of ["\u0000", "\u0001", "\u001b", "\u202e", "\ud800"]) {
    expect(rejected({ intro: `a${hidden}b` }), JSON.stringify(hidden)).toMatch(/^intro: The text contains/);
  }
});

describe("the link of the page after a confirmation", () => {
  test.each([
    ["https://example.org", "https://example.org/"],
    [" https://bücher.example/danke?a=1#b ", "https://xn--bcher-kva.example/danke?a=1#b"],
  ])("reads %s as %s", (given, kept) => expect(read({ nextUrl: given }).nextUrl).toBe(kept));

  test.each([
    "http://example.org",
    "example.org",
    "javascript:alert(1)",
    "https://user:secret@example.org",
    `https://example.org/${"ü".repeat(400)}`,
  ])("rejects %s", (given) => expect(rejected({ nextUrl: given })).toMatch(/^nextUrl: /));
});
