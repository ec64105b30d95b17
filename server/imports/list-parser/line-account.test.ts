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

  it("counts several people on one line, and one person on several lines", () => {
    expect(account("ada@x.com, grace@x.com\n\nTeam:\nalan@x.com")).toMatchObject({
      lines: 4,
      people: 3,
      peopleLines: 2,
      headings: 1,
      empty: 1,
    });
    expect(account("Ada Lovelace\nada@x.com\n---\nGrace Hopper\ngrace@x.com")).toMatchObject({
      people: 2,
      peopleLines: 4,
      empty: 1,
    });
  });

  it("counts a card without an address, and incomplete JSON", () => {
    const card = "BEGIN:VCARD\nVERSION:3.0\nFN:Nobody\nEND:VCARD\n";
    const ada = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nEMAIL:ada@x.com\nEND:VCARD\n";
    expect(account(card + ada)).toMatchObject({ people: 1, withoutAddress: 4, peopleLines: 5, empty: 1 });
    const json = '[\n  {\n    "email": "ada@x.com"\n  },\n  {\n    "email": "grace@x.com", name: Grace\n';
    const broken = account(json);
    expect(broken.people).toBe(1);
    expect(sum(broken)).toBe(broken.lines);
  });

  it("counts all lines of a block as lines of its person", () => {
    const blocks = "name: Ada\nmail: ada@x.com\n\nname: Grace\nmail: grace@x.com\nstatus: active";
    expect(account(blocks)).toMatchObject({ lines: 6, people: 2, peopleLines: 5, empty: 1 });
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
