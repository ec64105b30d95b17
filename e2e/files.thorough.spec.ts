import { expect, type Page, test } from "@playwright/test";
import { makeXlsx, type TestCell } from "../components/imports/files/testing/workbooks";
import { dashboardOfFile } from "./fixtures/dashboard";
import { check, commit, openForm } from "./fixtures/import-form";

type Payload = { name: string; mimeType: string; buffer: Buffer };

const dashboard = dashboardOfFile({ readers: false });

const status = (page: Page) => page.getByRole("group", { name: "Show only" });
const editor = (page: Page) => page.locator(".cm-content");
const payload = (name: string, content: string | Uint8Array): Payload => ({
  name,
  mimeType: "",
  buffer: Buffer.from(content),
});

async function choose(page: Page, file: Payload): Promise<void> {
  await page.getByLabel("File with the list").setInputFiles(file);
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

test("an encoding is detected, and the file is read again in the chosen one", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  const bytes = Buffer.from("Micha\xb3;michal@asked.navy.mil\r\nPawe\xb3;pawel@asked.navy.mil\r\n", "latin1");
  await choose(page, payload("lista.csv", bytes));
  await expect(editor(page)).toContainText("Michał");
  const encoding = page.getByLabel("Encoding of lista.csv");
  await encoding.selectOption("windows-1251");
  await expect(editor(page)).toContainText("Michaі");
  await encoding.selectOption("windows-1250");
  await expect(editor(page)).toContainText("Michał");
  await store(page, 2);
  expect(await nameOf("michal@asked.navy.mil")).toBe("Michał");

  await openForm(page, dashboard);
  const broken = Buffer.concat([Buffer.from("Zoë;zoe@broken.navy.mil\r\nB"), Buffer.from([0xe4])]);
  await choose(page, payload("list.csv", Buffer.concat([broken, Buffer.from("d;bad@broken.navy.mil")])));
  await expect(page.getByText("1 byte of list.csv means nothing in its encoding")).toBeVisible();
  await expect(editor(page)).toContainText("Zoë");
});

test("a workbook is imported with its names, and another sheet can be chosen", async () => {
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
  await expect(page.getByText("Format of people.xlsx (People):")).toBeVisible();
  await expect(editor(page)).toContainText("ada@xlsx.navy.mil");
  await page.getByLabel("Sheet of people.xlsx").selectOption("Fair (2 rows)");
  await expect(editor(page)).toContainText("grace@xlsx.navy.mil");
  await store(page, 1);
  expect(await nameOf("grace@xlsx.navy.mil")).toBe("Grace Ő");
});

test("an unsupported file is rejected with an alternative, and the list stays", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  await choose(page, payload("fair.txt", "ada@fair.navy.mil\ngrace@fair.navy.mil"));
  await expect(page.getByText("Format of fair.txt:")).toBeVisible();
  await choose(page, payload("flyer.pdf", "%PDF-1.7"));
  await expect(page.locator("main").getByRole("alert")).toHaveText(
    /flyer\.pdf is a \.pdf file\. Open it, copy the list and paste it here\./,
  );
  await expect(status(page)).toHaveText(/2 ready/);
});

test("a file can be pasted, and its name disappears when the list is cleared and retyped", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["hedy@copied.navy.mil"], "copied.txt"));
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector(".cm-content")?.dispatchEvent(paste);
  });
  await expect(page.getByText("Format of copied.txt:")).toBeVisible();
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("mary@typed.navy.mil\nann@typed.navy.mil");
  await expect(status(page)).toHaveText(/2 ready/);
  await expect(page.getByText("Format of copied.txt:")).toHaveCount(0);
});
