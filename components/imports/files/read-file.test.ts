import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readFile } from "./read-file";

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const zip = (part: string) => zipSync({ [part]: strToU8("x") });

describe("a file without a readable list", () => {
  it.each<[name: string, content: BlobPart, message: string]>([
    ["report.pdf", "%PDF-1.7\n", "is a .pdf file. Open it, copy the list and paste it here."],
    ["letter.docx", zip("word/document.xml"), "is a .docx file. Open it, copy the list and paste it here."],
    ["people.ods", zip("content.xml"), "is a .ods file. Save it as .xlsx or .csv and drop that file."],
    ["old.XLS", latin1("\xd0\xcf\x11\xe0\0"), "is a .xls file. Save it as .xlsx or .csv and drop that file."],
    ["one.eml", "From: Ada <a@x.org>\n\nHi", "is a .eml file. Save it as .xlsx or .csv and drop that file."],
    ["export.zip", zip("members.csv"), "is a .zip file. Unpack it and drop the list."],
    [
      "secret.xlsx",
      latin1("\xd0\xcf\x11\xe0\0"),
      "is damaged or has a password. Open it, save it without a password and drop that file.",
    ],
    [
      "torn.xlsx",
      latin1("PK\x03\x04torn"),
      "is damaged or has a password. Open it, save it without a password and drop that file.",
    ],
    [
      "photo.png",
      latin1("\x89PNG\r\n\x1a\n\0\0"),
      "is not a text file. Drop a .csv, .tsv, .txt or .xlsx file, or paste the list.",
    ],
    ["nothing.csv", "", "is empty. Drop the file with the list."],
    [
      "all.csv",
      "a@x.org\n".repeat(7 * 1024 * 1024),
      "is larger than 50 MB. Split it; one import takes up to 100,000 people.",
    ],
  ])("%s is rejected with an alternative", async (name, content, message) => {
    await expect(readFile(new File([content], name), {})).rejects.toThrow(`${name} ${message}`);
  });
});

it.each<[name: string, content: BlobPart]>([
  ["export.xls", "email\tname\na@x.org\tAda"],
  ["unicode.xls", Uint8Array.from([0xff, 0xfe, ...Buffer.from("a@x.org", "utf16le")])],
  ["list", "MZimmer@x.org\n"],
])("reads %s as a text", async (name, content) => {
  expect(await readFile(new File([content], name), {})).toMatchObject({
    name,
    text: expect.stringContaining("@x.org"),
  });
});
