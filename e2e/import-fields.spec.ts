import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile, faultsOf } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

async function personOf(email: string) {
  const query = new URLSearchParams({ email, include: "fields,tags" });
  const answer = await dashboard.call("GET", `/subscribers?${query}`);
  return ((await answer.json()) as { data: object[] }).data[0];
}

const columnsOf = (page: Page) => page.getByRole("group", { name: "Columns of the list" });

test("a field is defined while a list is mapped, a wrong value is shown at its line, and the import brings it with the tags", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(dashboard.at("/imports/new"));
  await expect(page.locator("[data-ready] .cm-content")).toBeVisible();
  const list =
    'Email,Name,Seats at work,Tags\nmapped1@navy.mil,Ada,3,"VIP, new"\nmapped2@navy.mil,Grace,many,\n';
  await page.evaluate((text) => navigator.clipboard.writeText(text), list);
  await page.getByRole("textbox", { name: "The list" }).click();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(columnsOf(page)).toContainText("Tags");
  await expect(columnsOf(page)).toHaveText(/Ignored:.*Seats at work/);

  await page.getByRole("button", { name: "Column Seats at work: Ignored" }).click();
  await page.getByRole("menuitem", { name: "Define a field for it" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await expect(dialog.getByLabel("Label")).toHaveValue("Seats at work");
  await expect(dialog.getByLabel("Key")).toHaveValue("seats_at_work");
  // One of the two values is no number.
  await expect(dialog.getByLabel("Type")).toHaveValue("text");
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByLabel("Type").selectOption("Number");
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(columnsOf(page)).not.toContainText("Ignored");
  await expect(page.getByText("Seats at work: The value must be a number such as 3 or 3.5.")).toBeVisible();

  await page.getByRole("radio", { name: /^Active/ }).check();
  await page.getByRole("button", { name: "Check 1 person" }).click();
  await expect(page.getByRole("heading", { name: "What will happen" })).toBeVisible();
  await page.getByLabel("Where did they agree?").fill("Spring fair");
  await page.getByRole("checkbox", { name: /agreed to be written to/ }).check();
  await page.getByRole("button", { name: "Add 1 person" }).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  await expect
    .poll(() => personOf("mapped1@navy.mil"), { timeout: 20_000 })
    .toMatchObject({ fields: { seats_at_work: 3 }, tags: ["VIP", "new"] });
  await page.context().close();
});

test("people with a field that was defined while mapping are a segment, all of which is tagged, as before after an undo, and exported", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(dashboard.at("/imports/new"));
  await expect(page.locator("[data-ready] .cm-content")).toBeVisible();
  const rows = Array.from({ length: 700 }, (_, i) => `fan${i}@navy.mil,Fan ${i},${i < 500 ? "Sea" : "Land"}`);
  const list = ["Email,Name,Branch of service", ...rows].join("\n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), list);
  await page.getByRole("textbox", { name: "The list" }).click();
  await page.keyboard.press("ControlOrMeta+v");
  await page.getByRole("button", { name: "Column Branch of service: Ignored" }).click();
  await page.getByRole("menuitem", { name: "Define a field for it" }).click();
  await page.getByRole("button", { name: "Define 1 field" }).click();
  await expect(columnsOf(page)).not.toContainText("Ignored");
  await page.getByRole("radio", { name: /^Active/ }).check();
  await page.getByRole("button", { name: "Check 700 people" }).click();
  await page.getByLabel("Where did they agree?").fill("Spring fair");
  await page.getByRole("checkbox", { name: /agreed to be written to/ }).check();
  await page.getByRole("button", { name: "Add 700 people" }).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  await expect
    .poll(() => personOf("fan699@navy.mil"), { timeout: 60_000 })
    .toMatchObject({ fields: { branch_of_service: "Land" } });

  await page.goto(dashboard.at("/people"));
  await page.getByRole("button", { name: "Tags and fields" }).click();
  await page.getByRole("dialog", { name: "Tags and fields" }).getByLabel("Branch of service").fill("Sea");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1–100 of 500")).toBeVisible();
  await page.getByRole("button", { name: "Save as segment" }).click();
  const editor = page.getByRole("dialog", { name: "New segment" });
  await expect(editor).toContainText("500 people match");
  await editor.getByLabel("Name").fill("Sailors");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sailors");
  await expect(page).toHaveURL(/people\?segment=[^&]+$/);

  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await bar.getByRole("button", { name: "Select all 500" }).click();
  await bar.getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Add tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Add tags to 500 people of the segment Sailors?" });
  await dialog.getByRole("combobox", { name: "Tags" }).fill("regatta");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Add tags to 500 people" }).click();
  const actions = page.getByRole("region", { name: "Under way" });
  await expect(actions.getByText("500 people tagged.").last()).toBeVisible({ timeout: 60_000 });
  expect(await personOf("fan499@navy.mil")).toMatchObject({ tags: ["regatta"] });
  expect(await personOf("fan500@navy.mil")).toMatchObject({ tags: [] });
  await actions.getByRole("button", { name: "Undo" }).click();
  await expect(actions.getByText("500 people as before.").last()).toBeVisible({ timeout: 60_000 });
  expect(await personOf("fan499@navy.mil")).toMatchObject({ tags: [] });

  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  await bar.getByRole("button", { name: "Select all 500" }).click();
  await bar.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV, for a spreadsheet" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n").slice(1);
  const addresses = lines.map((line) => line.split(",")[0]).sort();
  expect(addresses).toEqual(Array.from({ length: 500 }, (_, i) => `"fan${i}@navy.mil"`).sort());
  await page.context().close();
});
