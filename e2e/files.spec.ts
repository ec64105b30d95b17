import { expect, type Page, test } from "@playwright/test";
import { encodedLists } from "../components/imports/files/testing/encoded-lists";
import { makeXlsx, type TestCell } from "../components/imports/files/testing/workbooks";
import { dashboardOfFile } from "./fixtures/dashboard";
import { check, clipboard, commit, openForm } from "./fixtures/import-form";

type Payload = { name: string; mimeType: string; buffer: Buffer };

const dashboard = dashboardOfFile({ readers: false });

const status = (page: Page) => page.getByRole("group", { name: "Show only" });
const editor = (page: Page) => page.locator(".cm-content");
const payload = (name: string, content: string | Uint8Array): Payload => ({
  name,
  mimeType: "",
  buffer: Buffer.from(content),
});

async function choose(page: Page, ...files: Payload[]): Promise<void> {
  await page.getByLabel("Files with the list").setInputFiles(files);
}

/** A true drop on the editor. */
async function drop(page: Page, files: Payload[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (all) => {
      const data = new DataTransfer();
      for (const { name, content } of all) data.items.add(new File([new Uint8Array(content)], name));
      return data;
    },
    files.map(({ name, buffer }) => ({ name, content: [...buffer] })),
  );
  await editor(page).dispatchEvent("drop", { dataTransfer });
}

/** Adds all of the list as active, without a mail. */
async function store(page: Page, people: number): Promise<void> {
  const number = people === 1 ? "1 person" : `${people} people`;
  await page.getByRole("radio", { name: /^Active/ }).check();
  await check(page, number);
  await commit(page, number);
  await expect(page.getByRole("link", { name: `${people} new` })).toBeVisible();
}

/** The name that is stored with an address, asked of the API. */
async function nameOf(email: string): Promise<string | null | undefined> {
  const answer = await dashboard.call("GET", `/subscribers?email=${encodeURIComponent(email)}`);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { email: string; name: string | null }[] };
  return data.find((one) => one.email === email)?.name;
}

/** The people that a table of the tests names: "Jürgen;j@navy.mil". */
const peopleOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/[;,\t]/))
    .map(([name = "", email = ""]) => ({ name, email }));

test("files in every encoding, dropped together, are stored with their names as they were written", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  const unicode = "Name;Mail\nJürgen 太郎;j@ENCODING.navy.mil\n";
  const utf16 = (encoding: string) => Buffer.from(unicode.replace("ENCODING", encoding), "utf16le");
  const files = [
    ...encodedLists.map(([name, , bytes]) => payload(`${name}.csv`, Buffer.from(bytes, "base64"))),
    payload("utf-8.csv", unicode.replace("ENCODING", "utf-8")),
    payload("utf-16le-bom.csv", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16("utf-16le-bom")])),
    payload("utf-16be-bom.csv", Buffer.concat([Buffer.from([0xfe, 0xff]), utf16("utf-16be-bom").swap16()])),
    payload("utf-16le.csv", utf16("utf-16le")),
    payload("utf-16be.csv", utf16("utf-16be").swap16()),
  ];
  const people = [
    ...encodedLists.flatMap(([, text]) => peopleOf(text)),
    ...files.slice(encodedLists.length).flatMap(({ name }) => ({
      name: "Jürgen 太郎",
      email: `j@${name.slice(0, -4)}.navy.mil`,
    })),
  ];
  await drop(page, files);
  await expect(status(page)).toHaveText(new RegExp(`${people.length} ready`));
  await expect(page.getByLabel("Encoding of cp850.csv")).toHaveValue("cp850");
  await store(page, people.length);
  for (const { name, email } of people) expect(await nameOf(email), email).toBe(name);
});

test("where names look right in two ways the form asks, and reads the file again as it is told", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  const bytes = Buffer.from("Gerg\xf5;gergo@asked.navy.mil\r\nErn\xf5;erno@asked.navy.mil\r\n", "latin1");
  await choose(page, payload("tagok.csv", bytes));
  const question = page.getByRole("radiogroup", {
    name: "Which version of tagok.csv shows names correctly?",
  });
  await expect(question.getByRole("radio", { name: "Gergő, Ernő" })).toBeChecked();
  await expect(editor(page)).toContainText("Gergő");
  await question.getByRole("radio", { name: "Gergõ, Ernõ" }).check();
  await expect(editor(page)).toContainText("Gergõ");
  await page.getByLabel("Other encoding").selectOption("windows-1251");
  await expect(editor(page)).toContainText("Gergх");
  await question.getByRole("radio", { name: "Gergő, Ernő" }).check();
  await expect(editor(page)).toContainText("Gergő");
  await store(page, 2);
  expect(await nameOf("gergo@asked.navy.mil")).toBe("Gergő");

  await openForm(page, dashboard);
  const broken = Buffer.concat([Buffer.from("Zoë;zoe@broken.navy.mil\r\nB"), Buffer.from([0xe4])]);
  await choose(page, payload("list.csv", Buffer.concat([broken, Buffer.from("d;bad@broken.navy.mil")])));
  await expect(page.getByText("1 byte of list.csv means nothing in its encoding")).toBeVisible();
  await expect(editor(page)).toContainText("Zoë");
});

test("workbooks, contacts and data are stored with their names; other sheets are a choice away", async () => {
  const page = await dashboard.open("editor");
  const sheets = [
    { name: "Notes", rows: [["Our list"]] },
    {
      name: "People",
      rows: [
        ["Email", "Name"],
        ["ada@xlsx.navy.mil", "Ada 愛"],
      ] as TestCell[][],
    },
    {
      name: "Fair",
      rows: [
        ["Email", "Name"],
        ["grace@xlsx.navy.mil", "Grace Ő"],
      ] as TestCell[][],
    },
  ];
  await openForm(page, dashboard);
  await choose(page, payload("people.xlsx", makeXlsx(sheets)));
  await expect(page.getByText("from people.xlsx (People)")).toBeVisible();
  await expect(editor(page)).toContainText("ada@xlsx.navy.mil");
  await expect(page.getByText("Other sheets of people.xlsx also contain addresses")).toContainText(
    "Fair (1).",
  );
  await page.getByLabel("Sheet of people.xlsx").selectOption("Fair (2 rows)");
  await expect(editor(page)).toContainText("grace@xlsx.navy.mil");
  await store(page, 1);
  expect(await nameOf("grace@xlsx.navy.mil")).toBe("Grace Ő");

  const others: { files: Payload[]; people: Record<string, string> }[] = [
    {
      files: [payload("card.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ada Ü\nEMAIL:ada@vcf.navy.mil\nEND:VCARD\n")],
      people: { "ada@vcf.navy.mil": "Ada Ü" },
    },
    {
      files: [payload("book.ldif", "dn: cn=Ada\ncn: Ada Lovelace\nmail: ada@ldif.navy.mil\n")],
      people: { "ada@ldif.navy.mil": "Ada Lovelace" },
    },
    {
      files: [
        payload("list.json", '[{"email":"ada@json.navy.mil","name":"Ada Ñ"}]'),
        payload("list.ndjson", '{"email":"ada@ndjson.navy.mil","name":"Ada Ø"}\n'),
      ],
      people: { "ada@json.navy.mil": "Ada Ñ", "ada@ndjson.navy.mil": "Ada Ø" },
    },
  ];
  for (const { files, people } of others) {
    const count = Object.keys(people).length;
    await openForm(page, dashboard);
    await choose(page, ...files);
    await expect(status(page)).toHaveText(new RegExp(`^${count} ready`));
    await store(page, count);
    for (const [email, name] of Object.entries(people)) expect(await nameOf(email), email).toBe(name);
  }
});

test("a file is refused by what it is, the others are taken; the name of a file goes with its lines", async () => {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  await choose(page, payload("photo.heic", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1")));
  await expect(page.locator("main").getByRole("alert")).toHaveText(
    /photo\.heic is a picture \(HEIC\)\. Drop the list itself/,
  );
  await choose(
    page,
    payload("flyer.pdf", "%PDF-1.7"),
    payload("fair.txt", "ada@fair.navy.mil\ngrace@fair.navy.mil"),
  );
  await expect(page.locator("main").getByRole("alert")).toHaveText(/flyer\.pdf is a PDF/);
  await expect(status(page)).toHaveText(/2 ready/);
  await expect(page.getByText("from fair.txt")).toBeVisible();

  // Another list below, then the lines of the file deleted: what is left came from no file.
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.evaluate(() => navigator.clipboard.writeText("\nalan@paste.navy.mil\njoan@paste.navy.mil"));
  await page.keyboard.press("ControlOrMeta+v");
  await expect(status(page)).toHaveText(/4 ready/);
  await expect(page.getByText("from fair.txt")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Delete");
  await expect(status(page)).toHaveText(/2 ready/);
  await expect(page.getByText("from fair.txt")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(page.getByText("from fair.txt")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+y");
  await expect(page.getByText("from fair.txt")).toHaveCount(0);
  await store(page, 2);
  await expect(page.getByText("fair.txt")).toHaveCount(0);

  // A file that is copied and pasted; and the list that was dropped into an empty form, cleared and typed anew.
  await openForm(page, dashboard);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["hedy@copied.navy.mil"], "copied.txt"));
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector(".cm-content")?.dispatchEvent(paste);
  });
  await expect(page.getByText("from copied.txt")).toBeVisible();
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("mary@typed.navy.mil\nann@typed.navy.mil");
  await expect(status(page)).toHaveText(/2 ready/);
  await expect(page.getByText("from copied.txt")).toHaveCount(0);
  await page.reload();
  await expect(status(page)).toHaveText(/2 ready/);
  await expect(page.getByText("from copied.txt")).toHaveCount(0);
});
