import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile, holdRequest } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

// Each goes on with the fields of the one before.
test.describe.configure({ mode: "serial" });

async function define(page: Page, label: string, more: { type?: string; choices?: string } = {}) {
  await page.getByRole("button", { name: "Define a field" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await dialog.getByLabel("Label").fill(label);
  if (more.type) await dialog.getByLabel("Type").selectOption(more.type);
  if (more.choices) await dialog.getByLabel("Choices").fill(more.choices);
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  return dialog;
}

test("fields are created, changed, ordered and deleted in the settings; viewers can only read them", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/settings/fields"));
  const section = page.getByRole("region", { name: "Fields" });
  await expect(section).toContainText("A field stores more about people");
  const dialog = await define(page, "Größe der Firma", { type: "Number" });
  await expect(dialog).toHaveCount(0);
  await define(page, "Edition", { type: "Choice from a list", choices: "Print\nDigital" });
  await define(page, "Edition");
  await expect(dialog).toContainText("A field with this key already exists.");
  await expect(dialog.getByLabel("Key")).toBeFocused();
  await dialog.getByLabel("Key").fill("Since when");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("lower-case letters, digits and underscores");
  await dialog.getByLabel("Key").fill("since");
  await dialog.getByLabel("Label").fill("Reader since");
  await expect(dialog.getByLabel("Key")).toHaveValue("since");
  await dialog.getByLabel("Type").selectOption("Date");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  const rows = section.getByRole("listitem");
  await expect(rows).toHaveText([/grosse_der_firma/, /Edition.*Print, Digital/, /Reader since/]);
  await section.getByRole("button", { name: "More for Reader since" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).click();
  await expect(rows.nth(1)).toContainText("Reader since");
  await section.getByRole("button", { name: "More for Größe der Firma" }).click();
  // The menu before may not have faded yet.
  const menu = page.getByRole("menu", { name: "More for Größe der Firma" });
  await menu.getByRole("menuitem", { name: "Edit" }).click();
  const editing = page.getByRole("dialog");
  await editing.getByLabel("Label").fill("Company size");
  await editing.getByRole("button", { name: "Save", exact: true }).click();
  await expect(rows.first()).toContainText("Company size");

  // The second move begins before the first is saved.
  const { release } = await holdRequest(page, "**/api/trpc/fields.order*");
  const order = rows.locator("b");
  await expect(order).toHaveText(["Company size", "Reader since", "Edition"]);
  for (let i = 0; i < 2; i++) {
    await section.getByRole("button", { name: "More for Edition" }).click();
    await page
      .getByRole("menu", { name: "More for Edition" })
      .getByRole("menuitem", { name: "Move up" })
      .click();
    await expect(page.getByRole("menu")).toHaveCount(0);
  }
  await release();
  await expect(order).toHaveText(["Edition", "Company size", "Reader since"]);
  await page.reload();
  await expect(order).toHaveText(["Edition", "Company size", "Reader since"]);

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/settings/fields"));
  const read = viewer.getByRole("region", { name: "Fields" });
  await expect(read.getByRole("listitem")).toHaveCount(3);
  await expect(read.getByRole("button")).toHaveCount(0);
});

test("a person's fields and tags are edited by type, shown in the timeline and as columns, and deleted with the field", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=reader9@"));
  await page.locator("tbody tr a").first().click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Company size").fill("many");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByLabel("Company size")).toBeFocused();
  await expect(panel).toContainText("must be a number");
  await panel.getByLabel("Company size").fill("12.5");
  await panel.getByLabel("Edition").selectOption("Digital");
  await panel.getByLabel("Reader since").fill("2024-02-29");
  await panel.getByLabel("Tags").fill("VIP");
  await page.keyboard.press("Enter");
  await panel.getByLabel("Tags").fill("Conference 2026");
  await page.keyboard.press("Enter");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("definition").filter({ hasText: "29 Feb 2024" })).toBeVisible();
  await expect(panel.getByRole("definition").filter({ hasText: "VIP" })).toContainText("Conference 2026");
  await expect(panel).toContainText("Company size: 12.5");
  await expect(panel).toContainText("Tags: VIP, Conference 2026");
  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Columns" }).click();
  const choice = page.getByRole("dialog", { name: "Columns" });
  for (const name of ["Tags", "Edition"]) await choice.getByRole("checkbox", { name }).check();
  await choice.getByRole("checkbox", { name: "Source" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader")).toHaveText([
    "",
    "Email",
    "Name",
    "Status",
    "Added",
    "Tags",
    "Edition",
  ]);
  await expect(page.getByRole("cell", { name: "VIP Conference 2026" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Digital" })).toBeVisible();

  await page.goto(dashboard.at("/people"));
  await page.getByRole("button", { name: "Tags and fields" }).click();
  const filter = page.getByRole("dialog", { name: "Tags and fields" });
  await filter.getByRole("combobox", { name: "Any of these tags" }).fill("vi");
  await page.getByRole("option", { name: "VIP" }).click();
  await filter.getByLabel("Company size").fill("12.5");
  await page.keyboard.press("Enter");
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page).toHaveURL(/tags=VIP&fields=grosse_der_firma:12.5/);
  await page.reload();
  await expect(page.getByRole("button", { name: "With: VIP, Company size 12.5" })).toBeVisible();
  await expect(page.locator("tbody tr")).toHaveCount(1);

  // Opened by its address, the form is there before the fields are.
  await page.goto(dashboard.at("/people?add=true"));
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  await dialog.getByLabel("Email").fill("grace.new@navy.mil");
  await dialog.getByLabel("Edition").selectOption("Print");
  await dialog.getByRole("button", { name: "Add 1 person" }).click();
  await expect(panel.getByRole("definition").filter({ hasText: "Print" })).toBeVisible();

  await page.goto(dashboard.at("/settings/fields"));
  await page.getByRole("button", { name: "More for Edition" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByRole("dialog")).toContainText("2 people have a value for it");
  await page.getByRole("button", { name: "Delete 1 field" }).click();
  await expect(page.getByRole("region", { name: "Fields" }).getByRole("listitem")).toHaveCount(2);
  await page.goto(dashboard.at("/people?q=reader9@"));
  await expect(page.getByRole("columnheader")).toHaveText(["", "Email", "Name", "Status", "Added", "Tags"]);
});

test("tags are renamed, merged, deleted and restored in the settings; viewers can only read them", async () => {
  const people = [["Fair"], ["fair 2026"], ["fair 2026", "Fair"]].map((tags, i) => ({
    email: `visitor${i}@example.org`,
    tags,
  }));
  expect((await dashboard.call("POST", "/subscribers/bulk", people)).status).toBe(201);
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/settings/tags"));
  const section = page.getByRole("region", { name: "Tags" });
  const rows = section.getByRole("listitem");
  await expect(rows).toHaveText([
    /^Conference 2026\s*1 person/,
    /^Fair\s*2 people/,
    /^fair 2026\s*2/,
    /^VIP\s*1/,
  ]);
  const choose = async (tag: string, item: string) => {
    await section.getByRole("button", { name: `More for ${tag}`, exact: true }).click();
    const menu = page.getByRole("menu", { name: `More for ${tag}`, exact: true });
    await menu.getByRole("menuitem", { name: item }).click();
  };
  const rename = async (tag: string, name: string) => {
    await choose(tag, "Rename");
    const dialog = page.getByRole("dialog", { name: `Rename the tag ${tag}` });
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Rename 1 tag" }).click();
    await expect(dialog).toHaveCount(0);
  };
  await rename("Fair", "Trade fair");
  await expect(rows.filter({ hasText: "Trade fair" })).toContainText("2 people");

  await rename("fair 2026", "TRADE FAIR");
  const merging = page.getByRole("dialog", { name: "Merge fair 2026 into Trade fair?" });
  await expect(merging).toContainText("2 people have the tag fair 2026 and will have Trade fair instead.");
  await merging.getByRole("button", { name: "Merge 1 tag" }).click();
  await expect(rows).toHaveText([/^Conference/, /^Trade fair\s*3 people/, /^VIP/]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveCount(4);

  await choose("Trade fair", "Delete");
  const deleting = page.getByRole("dialog", { name: "Delete the tag Trade fair?" });
  await expect(deleting).toContainText("It is removed from 2 people.");
  await deleting.getByRole("button", { name: "Delete 1 tag" }).click();
  await expect(rows).toHaveCount(3);
  await rows.filter({ hasText: "fair 2026" }).getByRole("link", { name: "2 people" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "With: fair 2026" })).toBeVisible();

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/settings/tags"));
  const read = viewer.getByRole("region", { name: "Tags" });
  await expect(read.getByRole("listitem")).toHaveCount(3);
  await expect(read.getByRole("button")).toHaveCount(0);
});

test("all matching people are tagged in the background and found by the tag, and an undo removes it", {
  tag: "@thorough",
}, async () => {
  const defined = await dashboard.call("POST", "/fields", { key: "seats", label: "Seats", type: "number" });
  expect(defined.status).toBe(201);
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=reader"));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await bar.getByRole("button", { name: "Select all 250" }).click();
  const more = bar.getByRole("button", { name: "More for these people" });
  await more.click();
  await page.getByRole("menuitem", { name: "Add tags" }).click();
  const dialog = page.getByRole("dialog", { name: "Add tags to 250 people?" });
  await dialog.getByRole("button", { name: "Add tags to 250 people" }).click();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog).toContainText("Enter at least one tag.");
  await dialog.getByRole("combobox", { name: "Tags" }).fill("fair");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Add tags to 250 people" }).click();
  const actions = page.getByRole("region", { name: "In progress" });
  await expect(actions.getByText("250 people tagged.").last()).toBeVisible();
  await page.goto(dashboard.at("/people?tags=fair"));
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await actions.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  await expect(actions.getByText("250 people restored.").last()).toBeVisible();

  await page.goto(dashboard.at("/people?q=reader20"));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await more.click();
  await page.getByRole("menuitem", { name: "Set a field" }).click();
  const field = page.getByRole("dialog", { name: "Set a field of 11 people?" });
  await field.getByLabel("Field").selectOption("Seats");
  await field.getByLabel("Value").fill("7");
  await page.keyboard.press("Enter");
  await expect(page.getByText("A field of 11 people set.")).toBeVisible();
  await page.goto(dashboard.at("/people?fields=seats:7"));
  await expect(page.locator("tbody tr")).toHaveCount(11);
});
