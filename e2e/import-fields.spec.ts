import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile } from "./fixtures/dashboard";
import { check, clipboard, commit, openForm, paste } from "./fixtures/import-form";

const dashboard = dashboardOfFile({ readers: false });

async function personOf(email: string) {
  const query = new URLSearchParams({ email, include: "fields,tags" });
  const answer = await dashboard.call("GET", `/subscribers?${query}`);
  return ((await answer.json()) as { data: object[] }).data[0];
}

const columnsOf = (page: Page) => page.getByRole("group", { name: "Columns of the list" });

test("a field is defined while a list is mapped, a wrong value is shown at its line, and the import brings it with the tags", async () => {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  const list =
    'Email,Name,Seats at work,Tags\nmapped1@navy.mil,Ada,3,"VIP, new"\nmapped2@navy.mil,Grace,many,\n';
  await paste(page, list);
  await expect(columnsOf(page)).toContainText("Tags");
  await expect(columnsOf(page)).toHaveText(/Ignored:.*Seats at work/);

  await page.getByRole("button", { name: "Column Seats at work: Ignored" }).click();
  await page.getByRole("menuitem", { name: "Define a field for it" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await expect(dialog.getByLabel("Label")).toHaveValue("Seats at work");
  await expect(dialog.getByLabel("Key")).toHaveValue("seats_at_work");
  // One of the two values is no number.
  await expect(dialog.getByLabel("Type")).toHaveValue("text");
  await dialog.getByLabel("Type").selectOption("Number");
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(columnsOf(page)).not.toContainText("Ignored");
  await expect(page.getByText("Seats at work: The value must be a number such as 3 or 3.5.")).toBeVisible();

  await page.getByRole("radio", { name: /^Active/ }).check();
  await check(page, "1 person");
  await commit(page, "1 person");
  await expect
    .poll(() => personOf("mapped1@navy.mil"))
    .toMatchObject({ fields: { seats_at_work: 3 }, tags: ["VIP", "new"] });
});

test("people with a field that was defined while mapping are a segment, all of which is tagged, as before after an undo, and exported", async () => {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  const rows = Array.from({ length: 320 }, (_, i) => `fan${i}@navy.mil,Fan ${i},${i < 220 ? "Sea" : "Land"}`);
  const list = ["Email,Name,Branch of service", ...rows].join("\n");
  await paste(page, list);
  await page.getByRole("button", { name: "Column Branch of service: Ignored" }).click();
  await page.getByRole("menuitem", { name: "Define a field for it" }).click();
  await page.getByRole("button", { name: "Define 1 field" }).click();
  await expect(columnsOf(page)).not.toContainText("Ignored");
  await page.getByRole("radio", { name: /^Active/ }).check();
  await check(page, "320 people");
  await commit(page, "320 people");
  await expect
    .poll(() => personOf("fan319@navy.mil"))
    .toMatchObject({ fields: { branch_of_service: "Land" } });

  await page.goto(dashboard.at("/people"));
  await page.getByRole("button", { name: "Tags and fields" }).click();
  await page.getByRole("dialog", { name: "Tags and fields" }).getByLabel("Branch of service").fill("Sea");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1–100 of 220")).toBeVisible();
  await page.getByRole("button", { name: "Save as segment" }).click();
  const editor = page.getByRole("dialog", { name: "New segment" });
  await expect(editor).toContainText("220 people match");
  await editor.getByLabel("Name").fill("Sailors");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sailors");
  await expect(page).toHaveURL(/people\?segment=[^&]+$/);

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await bar.getByRole("button", { name: "Select all 220" }).click();
  await bar.getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Add tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Add tags to 220 people of the segment Sailors?" });
  await dialog.getByRole("combobox", { name: "Tags" }).fill("regatta");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Add tags to 220 people" }).click();
  const actions = page.getByRole("region", { name: "In progress" });
  await expect(actions.getByText("220 people tagged.").last()).toBeVisible();
  expect(await personOf("fan219@navy.mil")).toMatchObject({ tags: ["regatta"] });
  expect(await personOf("fan220@navy.mil")).toMatchObject({ tags: [] });
  await actions.getByRole("button", { name: "Undo" }).click();
  await expect(actions.getByText("220 people restored.").last()).toBeVisible();
  expect(await personOf("fan219@navy.mil")).toMatchObject({ tags: [] });

  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByRole("button", { name: "Select all 220" }).click();
  await bar.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV, for a spreadsheet" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n").slice(1);
  const addresses = lines.map((line) => line.split(",")[0]).sort();
  expect(addresses).toEqual(Array.from({ length: 220 }, (_, i) => `"fan${i}@navy.mil"`).sort());
});
