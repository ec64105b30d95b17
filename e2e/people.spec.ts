import { expect, test } from "@playwright/test";
import { type Dashboard, faultsOf, startDashboard } from "./fixtures/dashboard";

let dashboard: Dashboard;
let people: string;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  dashboard = await startDashboard();
  people = `${dashboard.product.url}/n/${dashboard.newsletterId}/people`;
});
test.afterAll(() => dashboard?.stop());

test("a search and a filter are in the address, and a reload shows the same", async ({ browser }) => {
  const page = await dashboard.open(browser, "viewer");
  await page.goto(people);
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("READER 12");
  await expect(page.locator("tbody tr")).toHaveCount(11);
  await expect(page).toHaveURL(/q=READER/);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Pending" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByRole("cell", { name: "reader120@lovelace.org" })).toBeVisible();
  await page.getByRole("searchbox").fill("nobody at all");
  await expect(page.getByRole("heading", { name: "Nobody matches" })).toBeVisible();
  await page.getByRole("button", { name: "Show everybody" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.context().close();
});

test("pages are turned by cursor, forth and back", async ({ browser }) => {
  const page = await dashboard.open(browser, "viewer");
  await page.goto(people);
  const first = await page.locator("tbody tr a").first().textContent();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("101–200 of 250")).toBeVisible();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("201–250 of 250")).toBeVisible();
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByText("101–200 of 250")).toBeVisible();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await expect(page.locator("tbody tr a").first()).toHaveText(first as string);
  await page.context().close();
});

test("the list is sorted by its heads and narrowed to days of one's own, all in the address", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "viewer");
  await page.goto(people);
  const firstRow = page.locator("tbody tr a").first();
  await page.getByRole("button", { name: "Email" }).click();
  await expect(firstRow).toHaveText("reader0@lovelace.org");
  await page.getByRole("button", { name: "Email" }).click();
  await expect(firstRow).toHaveText("reader9@lovelace.org");
  await expect(page.getByRole("columnheader", { name: "Email" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("101–200 of 250")).toBeVisible();
  const hundredAndFirst = (await firstRow.textContent()) as string;
  expect(hundredAndFirst < "reader9@").toBe(true);
  await page.reload();
  await expect(firstRow).toHaveText(hundredAndFirst);
  await expect(page).toHaveURL(/sort=-email/);

  await page.getByRole("button", { name: "Confirmed", exact: true }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(page.getByRole("heading", { name: "Nobody matches" })).toBeVisible();
  await expect(page).toHaveURL(/confirmed=7d/);
  await page.getByRole("button", { name: "Show everybody" }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();

  await page.getByRole("button", { name: "Added", exact: true }).first().click();
  const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  await page.getByRole("button", { name: today }).click();
  await expect(page).toHaveURL(/added=\d{4}-\d\d-\d\d\.\.(&|$)/);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: today }).click();
  await expect(page).toHaveURL(/added=(\d{4}-\d\d-\d\d)\.\.\1/);
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await page.context().close();
});

test("a person opens, changes and closes by the keyboard alone", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(people);
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Person" });
  const second = (await page.locator("tbody tr a").nth(1).textContent()) as string;
  await expect(panel).toContainText(second);
  await expect(page).toHaveURL(/person=/);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("j");
  await expect(panel).toContainText((await page.locator("tbody tr a").nth(2).textContent()) as string);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page.locator("tbody tr a").nth(2)).toBeFocused();
  await page.context().close();
});

test("one person is added, with what is wrong at its field; edited; erased", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(people);
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  await dialog.getByLabel("Email").fill("ada@");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("nothing after the @ sign")).toBeVisible();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await dialog.getByLabel("Email").fill("reader1@lovelace.org");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("already on the newsletter's list")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByLabel("Email").fill("ada.new@lovelace.org");
  await dialog.getByLabel("Name").fill("Ada New");
  await dialog.getByRole("button", { name: "Add 1 person" }).click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel.getByRole("heading", { name: "Ada New" })).toBeVisible();
  await expect(panel).toContainText("Added by editor");
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Name").fill("Ada Lovelace");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("heading", { name: "Ada Lovelace" })).toBeVisible();
  await expect(panel).toContainText("Changed by editor");
  await panel.getByRole("button", { name: "More about this person" }).click();
  await page.getByRole("menuitem", { name: "Erase" }).click();
  await page.getByRole("button", { name: "Erase 1 person" }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "ada.new@lovelace.org" })).toHaveCount(0);
  await page.context().close();
});

test("everybody who matches is unsubscribed, with what was done said at the end", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(`${people}?q=reader2`);
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  const bar = page.getByRole("region", { name: "Selected people" });
  await expect(bar).toContainText("61 selected");
  await bar.getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  await page.getByRole("button", { name: "Unsubscribe 61 people" }).click();
  await expect(page.getByText("61 people unsubscribed.")).toBeVisible();
  await page.goto(`${people}?status=unsubscribed`);
  await expect(page.locator("tbody tr")).toHaveCount(61);
  await page.context().close();
});

test("a viewer is shown nothing to change", async ({ browser }) => {
  const page = await dashboard.open(browser, "viewer");
  await page.goto(people);
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add person" })).toHaveCount(0);
  await page.locator("tbody tr a").first().click();
  await expect(page.getByRole("complementary", { name: "Person" })).toContainText("What happened");
  await expect(page.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.context().close();
});
