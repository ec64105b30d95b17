import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { parseList } from "@/server/imports/list-parser/parse-list";
import { noChoices } from "./file-types";
import { takeFiles } from "./take-files";
import { makeXlsx } from "./testing/workbooks";

const take = (...files: File[]) => takeFiles(files, noChoices);
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const zip = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])));
const office = (part: string) => zip("[Content_Types].xml", part);
const openDocument = (kind: string) =>
  zipSync({ mimetype: strToU8(`application/vnd.oasis.opendocument.${kind}`) });
/** As Office writes a compound file: its mark, then somewhere the names of its streams. */
const compound = (stream: string) =>
  Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...new Uint8Array(508), ...Buffer.from(`${stream}\0`, "utf16le")]);

describe("what is no list", () => {
  it.each<[name: string, content: BlobPart, message: RegExp]>([
    ["photo.heic", latin1("\0\0\0\x18ftypheic\0\0"), /^photo\.heic is a picture \(HEIC\)\. Drop the list/],
    ["list.csv", latin1("\x89PNG\r\n\x1a\n\0\0"), /^list\.csv is a picture \(PNG\)/],
    ["scan.jpg", latin1("\xff\xd8\xff\xe0\0\x10JFIF\0"), /a picture \(JPEG\)/],
    ["report.pdf", "%PDF-1.7\n%âãÏÓ\n", /^report\.pdf is a PDF\. Open it, copy the list and paste it here/],
    ["letter.rtf", "{\\rtf1\\ansi Hello}", /a formatted text \(RTF\)/],
    ["letter.docx", office("word/document.xml"), /a Word document \(\.docx\)\. Open it, copy/],
    ["slides.pptx", office("ppt/presentation.xml"), /a presentation \(\.pptx\)/],
    ["book.xlsb", office("xl/workbook.bin"), /a binary workbook \(\.xlsb\)\. Save it as \.xlsx/],
    ["letter.pages", zip("Index/Document.iwa", "preview.jpg"), /a Pages document/],
    ["list.numbers", zip("Index/Document.iwa", "Index/Tables/Tile.iwa"), /Export it from Numbers as Excel/],
    ["letter.odt", openDocument("text"), /\(\.odt\)/],
    [
      "export.zip",
      zip("a/", "members.csv", "b.csv", "c.csv", "d.csv"),
      /a ZIP archive \(members\.csv, b\.csv, c\.csv, and 1 more\)\. Unpack it/,
    ],
    ["old.xls", compound("Workbook"), /an old Excel workbook \(\.xls\)\. Save it as \.xlsx/],
    ["secret.xlsx", compound("EncryptedPackage"), /password-protected\. Open it, save it without a password/],
    ["letter.doc", compound("WordDocument"), /a Word document \(\.doc\)/],
    ["mail.msg", compound("__substg1.0_0037001F"), /an Outlook item \(\.msg\)\. Save its addresses as/],
    ["list.csv.gz", latin1("\x1f\x8b\x08\0\0\0\0\0"), /compressed \(gzip\)\. Unpack it/],
    ["list.rar", latin1("Rar!\x1a\x07\0"), /an archive \(RAR\)/],
    ["film.mov", latin1("\0\0\0\x14ftypqt  \0"), /a video/],
    ["list.db", latin1("SQLite format 3\0"), /a database \(SQLite\).*\.csv/],
    ["flat.xls", '<?xml version="1.0"?><Workbook xmlns="urn:x">', /^flat\.xls is an XML file\. Save it as/],
    ["members.xml", "\ufeff<people>\n<person>a@x.org</person></people>", /is an XML file\. Save it/],
    [
      "people.ods",
      openDocument("spreadsheet"),
      /^people\.ods is an OpenDocument spreadsheet \(\.ods\)\. Save it as \.xlsx or \.csv and drop that file\.$/,
    ],
    [
      "one.eml",
      "From: Ada <a@x.org>\r\nTo: Bob <b@x.org>\r\n\r\nHi",
      /^one\.eml is an email \(\.eml\)\. Save/,
    ],
    ["saved", "Message-ID: <1@x.org>\nMIME-Version: 1.0\nTo: b@x.org\n\nHi", /^saved is an email \(\.eml\)/],
    ["Sent", "From x@x.org Mon Jan  1 00:00:00 2024\nTo: b@x.org\n\nHi", /^Sent is a mailbox \(\.mbox\)/],
    ["noise.bin", latin1("\x01\x02\0\x03text"), /^noise\.bin is not a text/],
    ["nothing.csv", "", /^nothing\.csv is empty/],
    ["torn.xlsx", latin1("PK\x03\x04torn"), /a damaged workbook or archive/],
  ])("%s is refused by what it is, with what to do instead", async (name, content, message) => {
    const { spans, refused } = await take(new File([content], name));
    expect(spans).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(message)]);
  });

  it("is not a list that begins like a program, a picture or a mail", async () => {
    for (const text of [
      "MZimmer@x.org\n",
      "GIF8@x.org",
      "BZhang@x.org, ID3",
      "From: Ada\nTo: Bob <b@x.org>\n\nHi",
    ])
      expect(await take(new File([text], "list.txt"))).toMatchObject({ text, refused: [] });
  });

  it("is refused when it is too large, before it is read", async () => {
    const large = new File(["a@x.org\n".repeat(7 * 1024 * 1024)], "all.csv");
    expect((await take(large)).refused).toEqual([
      expect.stringMatching(/^all\.csv is larger than 50 MB\. Split it/),
    ]);
  });
});

describe("several files", () => {
  it("make one table with the columns of all, so that each cell keeps its title", async () => {
    const { text, spans } = await take(
      new File(["Email,First name\r\nada@x.org,Ada\r\n\r\n"], "a.csv"),
      new File(["Vorname;E-Mail;Status\nB;b@x.org;unsubscribed\nC;c@x.org;\n"], "b.csv"),
      new File(['Name\tEmail\tUnsubscribed\n"D\tE"\td@x.org\tYes\tbounced'], "c.tsv"),
    );
    expect(text.split("\n")).toEqual([
      "Email\tFirst name\tStatus\tUnsubscribed\t",
      "ada@x.org\tAda\t\t\t",
      "b@x.org\tB\tunsubscribed\t\t",
      "c@x.org\tC\t\t\t",
      'd@x.org\t"D\tE"\t\tYes\tbounced',
    ]);
    expect(spans.map(({ name, from, to }) => [name, text.slice(from, to).split("\t")[0]])).toEqual([
      ["a.csv", "ada@x.org"],
      ["b.csv", "b@x.org"],
      ["c.tsv", "d@x.org"],
    ]);
    const { records } = parseList(text);
    expect(records.filter(({ leaving }) => leaving).map(({ email }) => email)).toEqual([
      "b@x.org",
      "d@x.org",
    ]);
  });

  it("without titles stand one below the other: lines, JSON, contacts", async () => {
    const texts = (...all: string[]) => all.map((text, at) => new File([text], `${at}.txt`));
    const card = (name: string) => `BEGIN:VCARD\nFN:${name}\nEMAIL:${name}@x.org\nEND:VCARD\n`;
    for (const files of [
      texts("ada@x.org\ngrace@x.org\n", "alan@x.org"),
      texts('[{"email":"ada@x.org"},{"email":"grace@x.org"}]', '{"email":"alan@x.org"}\n'),
      texts(card("ada") + card("grace"), card("alan")),
    ]) {
      const { text, spans, refused } = await take(...files);
      expect(parseList(text).records.map(({ email }) => email)).toEqual([
        "ada@x.org",
        "grace@x.org",
        "alan@x.org",
      ]);
      expect([spans.length, refused]).toEqual([2, []]);
    }
  });

  it("that are laid out otherwise than the first are refused by name", async () => {
    const read = await take(
      new File(["Email,Name\nada@x.org,Ada\n"], "a.csv"),
      new File([latin1("gr\xe4ce@x.org\nalan@x.org")], "b.txt"),
      new File(["Unsubscribed members\n\nEmail,Name\njoan@x.org,Joan\n"], "c.csv"),
    );
    expect(read.spans.map(({ name }) => name)).toEqual(["a.csv"]);
    expect(read.text).not.toContain("joan");
    expect(read.choices).toEqual([]);
    expect(read.refused).toEqual([
      "b.txt has a different layout than a.csv. Import the other files first, then drop it alone.",
      "c.csv has a different layout than a.csv. Import the other files first, then drop it alone.",
    ]);
  });

  it("are taken although some of them are refused, each by its name", async () => {
    const sheet = makeXlsx([{ name: "People", rows: [["ada@x.org"]] }]);
    const read = await take(
      new File([sheet], "people.xlsx"),
      new File([latin1("\xff\xd8\xff\0")], "photo.jpg"),
      new File(["grace@x.org"], "more.txt"),
      new File(["%PDF-1.4"], "flyer.pdf"),
    );
    expect(read.text).toBe("ada@x.org\n\ngrace@x.org");
    expect(read.spans.map(({ name }) => name)).toEqual(["people.xlsx (People)", "more.txt"]);
    expect(read.refused).toEqual([
      expect.stringMatching(/^photo\.jpg is a picture/),
      expect.stringMatching(/^flyer\.pdf is a PDF/),
    ]);
  });
});
