import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readFile } from "./read-file";
import { makeXlsx, type TestCell, type TestSheet } from "./testing/workbooks";

const file = (sheets: TestSheet[]) => new File([makeXlsx(sheets)], "people.xlsx");
const take = (one: File, sheet?: string) => readFile(one, { sheet });
const people = (rows: TestCell[][]): TestSheet[] => [{ name: "People", rows }];

describe("an .xlsx", () => {
  it("becomes text with tabs: dates in ISO 8601, booleans in words, numbers in full", async () => {
    const day = new Date("2024-06-06T00:00:00Z");
    const minute = new Date("2024-06-06T14:30:00Z");
    const rows: TestCell[][] = [
      ["Email", "Name", "Agreed", "Seen", "Optin", "Phone", "Share"],
      ["ada@lovelace.org", "Ada", { date: day }, { date: minute, time: true }, true, 4915112345678, 0.1],
      ["grace@navy.mil", null, null, null, false, null, null],
    ];
    const { text, name } = await take(file(people(rows)));
    expect(name).toBe("people.xlsx (People)");
    expect(text.split("\n")).toEqual([
      "Email\tName\tAgreed\tSeen\tOptin\tPhone\tShare",
      "ada@lovelace.org\tAda\t2024-06-06\t2024-06-06T14:30:00\tTRUE\t4915112345678\t0.1",
      "grace@navy.mil\t\t\t\tFALSE\t\t",
    ]);
  });

  it("quotes cells as in CSV, keeps empty rows and drops empty columns at the left", async () => {
    const rows: TestCell[][] = [
      [],
      [null, "Email", "Note"],
      [null, "ada@lovelace.org", 'says "hi"'],
      [],
      [null, "grace@navy.mil", "two\nlines"],
    ];
    const { text } = await take(file(people(rows)));
    expect(text).toBe('\nEmail\tNote\nada@lovelace.org\t"says ""hi"""\n\ngrace@navy.mil\t"two\nlines"');
  });

  it("keeps a single column as lines, without quoting", async () => {
    const { text } = await take(file(people([['"Love, Ada" <ada@lovelace.org>'], ["grace@navy.mil"]])));
    expect(text).toBe('"Love, Ada" <ada@lovelace.org>\ngrace@navy.mil');
  });

  it("offers all sheets, and reads the first visible one with addresses", async () => {
    const sheets: TestSheet[] = [
      { name: "Notes", rows: [["Our list of 2024"]] },
      { name: "Old", state: "hidden", rows: [["old@navy.mil"]] },
      { name: "People", rows: [["Email"], ["ada@lovelace.org"], ["grace@navy.mil"]], hiddenRows: [2] },
      { name: "Unsubscribed", rows: [["Email"], ["alan@turing.uk"]] },
    ];
    const { text, sheet } = await take(file(sheets));
    expect(text).toBe("Email\nada@lovelace.org\ngrace@navy.mil");
    expect(sheet).toEqual({
      value: "People",
      hiddenRows: 1,
      options: [
        { name: "Notes", hidden: false, rows: 1, addresses: 0 },
        { name: "Old", hidden: true, rows: 1, addresses: 1 },
        { name: "People", hidden: false, rows: 3, addresses: 2 },
        { name: "Unsubscribed", hidden: false, rows: 2, addresses: 1 },
      ],
    });
    expect(await take(file(sheets), "Unsubscribed")).toMatchObject({
      text: "Email\nalan@turing.uk",
      name: "people.xlsx (Unsubscribed)",
    });
  });

  it("is rejected when it is empty", async () => {
    await expect(take(file(people([])))).rejects.toThrow(
      "people.xlsx is an empty workbook. Drop the workbook with the list.",
    );
  });

  it("has the results of formulas, inline and rich texts, without errors and phonetic guides", async () => {
    const rows: TestCell[][] = [
      [{ inline: " ada@lovelace.org " }, { rich: ["Ada ", "Lovelace"] }, { error: "#N/A" }],
      [{ formula: 'A1&"x"', value: "grace@navy.mil" }, { rich: ["田中"], phonetic: "タナカ" }, "a_x000D_b"],
    ];
    const { text } = await take(file(people(rows)));
    expect(text.split("\n")).toEqual([
      " ada@lovelace.org \tAda Lovelace\t",
      'grace@navy.mil\t田中\t"a',
      'b"',
    ]);
  });

  /** A workbook of one sheet, by the XML of its sheet. */
  const bookOf = (sheet: string) => {
    const part = (xml: string) => strToU8(`<?xml version="1.0"?>${xml}`);
    const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const bytes = zipSync({
      "xl/workbook.xml": part(
        `<x:workbook xmlns:r="${office}"><x:sheets><x:sheet name="A" sheetId="1" r:id="R2"/></x:sheets></x:workbook>`,
      ),
      "xl/_rels/workbook.xml.rels": part(
        `<Relationships><Relationship Id="R2" Type="${office}/worksheet" Target="/xl/worksheets/sheet.xml"/></Relationships>`,
      ),
      "xl/worksheets/sheet.xml": part(`<x:worksheet><x:sheetData>${sheet}</x:sheetData></x:worksheet>`),
    });
    return new File([bytes], "sdk.xlsx");
  };

  it("is read when its elements have a prefix, and rejected without the positions of its cells", async () => {
    const cell = (place: string, text: string) => `<x:c${place} t="str"><x:v>${text}</x:v></x:c>`;
    const placed = `<x:row r="1" hidden="1">${cell(' r="A1"', "ada@lovelace.org")}${cell(' r="B1"', "Ada &amp; Co")}</x:row>`;
    expect(await take(bookOf(placed))).toMatchObject({
      text: "ada@lovelace.org\tAda & Co",
      sheet: { hiddenRows: 1 },
    });
    await expect(take(bookOf(`<x:row>${cell("", "ada@lovelace.org")}</x:row>`))).rejects.toThrow(
      "sdk.xlsx is a workbook that can't be read. Save it again as .xlsx and drop that file.",
    );
  });

  it("is rejected when it would fill gigabytes, unpacked or with empty cells", async () => {
    const far = Array.from(
      { length: 2000 },
      (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>1</v></c></row>`,
    );
    const wide = bookOf(`${far.join("")}<row r="2001"><c r="XFD2001"><v>1</v></c></row>`);
    await expect(take(wide)).rejects.toThrow("sdk.xlsx has a cell far outside its list.");
    const zeros = zipSync({ "xl/workbook.xml": new Uint8Array(0), "xl/big.xml": new Uint8Array(9) });
    // The directory at the end of the archive says how large its entries are once they are unpacked.
    const directory = Buffer.from(zeros).lastIndexOf("PK\u0001\u0002");
    new DataView(zeros.buffer).setUint32(directory + 24, 501 * 1024 * 1024, true);
    await expect(take(new File([zeros], "bomb.xlsx"))).rejects.toThrow(
      "bomb.xlsx unpacks to more than 500 MB.",
    );
  });

  it("keeps times and days", async () => {
    const rows: TestCell[][] = [
      [
        { date: new Date("2024-02-29T23:59:59Z"), time: true },
        { date: new Date("1899-12-30T08:15:00Z"), time: true },
      ],
      [{ date: new Date("1961-05-05T00:00:00Z") }, "x"],
    ];
    const { text } = await take(file(people(rows)));
    expect(text).toBe("2024-02-29T23:59:59\t08:15:00\n1961-05-05\tx");
  });

  it("shortens a long gap of empty rows", async () => {
    const rows: TestCell[][] = [["ada@lovelace.org"]];
    rows[200_000] = ["grace@navy.mil"];
    const { text } = await take(file(people(rows)));
    expect(text).toBe("ada@lovelace.org\n\ngrace@navy.mil");
  });
});
