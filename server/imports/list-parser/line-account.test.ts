import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountLines, type LineAccount } from "./line-account";
import { parseList } from "./parse-list";
import { anyPeople, anyWriters, bareWriters, plainPeople, plainWriters } from "./testing/people";

const account = (text: string) => accountLines(parseList(text));
const sum = ({ peopleLines, header, headings, withoutAddress, empty }: LineAccount) =>
  peopleLines + header + headings + withoutAddress + empty;

describe("accountLines", () => {
  it("counts a table with a title, a header, empty rows, a row on several lines and a total", () => {
    const text = [
      "Members",
      "",
      "email,name,note",
      'ada@x.com,Ada,"one',
      'two"',
      ",,",
      "grace@x.com,Grace,",
      "Total 2",
    ];
    expect(account(text.join("\n"))).toEqual({
      lines: 8,
      people: 2,
      peopleLines: 3,
      header: 1,
      headings: 0,
      withoutAddress: 2,
      empty: 2,
    });
  });

  it.each([
    ["several people on a line", "ada@x.com, grace@x.com\n\nTeam:\nalan@x.com", [3, 2, 1, 0, 1]],
    ["a person on two lines", "Ada Lovelace\nada@x.com\n---\nGrace Hopper\ngrace@x.com", [2, 4, 0, 0, 1]],
    [
      "a card without an address",
      "BEGIN:VCARD\nFN:Nobody\nEND:VCARD\nBEGIN:VCARD\nEMAIL:a@x.com\nEND:VCARD\n",
      [1, 3, 0, 3, 1],
    ],
    [
      "blocks",
      "name: Ada\nmail: ada@x.com\n\nname: Grace\nmail: grace@x.com\nstatus: active",
      [2, 5, 0, 0, 1],
    ],
    ["incomplete JSON", '[\n{\n"email": "ada@x.com"\n},\n{\n"email": "b@x.com", name: B\n', [1, 5, 0, 1, 1]],
  ])("counts %s", (_, text, counts) => {
    const { people, peopleLines, headings, withoutAddress, empty } = account(text);
    expect([people, peopleLines, headings, withoutAddress, empty]).toEqual(counts);
  });

  it("adds up to the number of lines in every format, and includes each person's line", () => {
    const writers = [
      ...Object.values(anyWriters).map((write) => fc.tuple(fc.constant(write), anyPeople)),
      ...[...Object.values(plainWriters), ...Object.values(bareWriters)].map((write) =>
        fc.tuple(fc.constant(write), plainPeople),
      ),
    ];
    const noise = fc.array(fc.constantFrom("", " ", "---", "Group:", "Total: 3", "Friends", "* "), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.oneof(...writers), noise, noise, ([write, people], above, below) => {
        const text = [...above, write(people), ...below].join("\n");
        const list = parseList(text);
        const lines = accountLines(list);
        expect(sum(lines)).toBe(lines.lines);
        expect(lines.people).toBe(list.records.length);
        expect(lines.peopleLines).toBeGreaterThanOrEqual(new Set(list.records.map(({ line }) => line)).size);
      }),
      { numRuns: 1000 },
    );
  });
});
