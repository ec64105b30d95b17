import { expect, type Locator, type Page, test } from "@playwright/test";
import { dashboardOfFile, hearsKeys, signIn } from "./fixtures/dashboard";
import { arrowTo, command } from "./fixtures/keys";

const dashboard = dashboardOfFile();

const FAR = 150;

/** Goes on with Tab until this has the focus. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < FAR; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${FAR} times ${key} did not come to ${target}`);
}

test("the first Tab skips to the content", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.locator("#content :focus")).toHaveCount(1);
});

test("g and a letter open a page, and ? lists the keys", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at(""));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const [key, path] of [
    ["m", "mails"],
    ["a", "api"],
    ["p", "people"],
  ] as const) {
    await page.locator("body").press("g");
    await page.keyboard.press(key);
    await expect(page, `g ${key}`).toHaveURL(new RegExp(`/${path}`));
  }
  await page.locator("body").press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("⌘K offers the menus' actions: colours, another newsletter, signing out", async () => {
  // Its own session, which it ends.
  const page = await dashboard.open("nobody");
  await signIn(page, dashboard.url, dashboard.email("owner"));
  await expect(page).toHaveURL(dashboard.at(""));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await hearsKeys(page);
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  for (const colour of ["dark", "light"]) {
    await command(page, `colours: ${colour}`, new RegExp(colour, "i"));
    await expect.poll(scheme).toBe(colour);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await command(page, "new newsletter", /New newsletter/);
  const dialog = page.getByRole("dialog", { name: "New newsletter" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await command(page, "sign out", /Sign out/);
  await expect(page).toHaveURL(/\/sign-in/);
});

test("the rows are one Tab stop, and keys move, select and open", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people"));
  const rows = page.locator("tbody tr a");
  await expect(rows).toHaveCount(100);
  await tabTo(page, rows.first());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Next" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+X");
  const bar = page.getByRole("region", { name: "Selected people" });
  await expect(bar).toContainText("4 selected");
  await page.keyboard.press("ControlOrMeta+a");
  await expect(bar).toContainText("100 selected");
  await command(page, "matches", /Select all \d+ matches/);
  await expect(bar).toContainText("250 selected");
  // A key takes a person out of all matches. The others of this page stay selected.
  await rows.nth(4).focus();
  await page.keyboard.press("x");
  await expect(bar).toContainText("99 selected");
  await command(page, "clear selection", /Clear selection/);
  await expect(bar).toHaveCount(0);
  await rows.nth(4).focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel).toBeFocused();
  await expect(panel.getByRole("button", { name: "Edit" })).toBeVisible();
  await page.keyboard.press("t");
  await expect(page.getByRole("dialog", { name: "Add tags to 1 person?" }).getByLabel("Tags")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rows.nth(4)).toBeFocused();
});

test("an editor names a column, answers a question, fixes a line and checks the list without a mouse", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/imports/new"));
  await tabTo(page, page.getByRole("textbox", { name: "The list" }));
  const people = Array.from({ length: 60 }, (_, i) => `key${i}@navy.mil,Ada,Navy,active`);
  const odd = ["hedy@gmial.com,Hedy,Film,active", "joan@navy.mil,Joan,Hut,cooling"];
  await page.keyboard.insertText(["email,who,where,status", ...people, ...odd].join("\n"));
  const counts = page.getByRole("group", { name: "Show only" });
  await expect(counts).toHaveText(/60 ready.*1 to fix.*1 to answer/);
  // Tab writes no tab: from the editor it goes on.
  await tabTo(page, page.getByRole("combobox", { name: "cooling" }));
  await page.keyboard.press("u");
  await expect(counts).toHaveText(/60 ready.*1 to fix.*1 opted out/);
  await tabTo(page, page.getByRole("button", { name: /^Column where/ }));
  await page.keyboard.press("Enter");
  const lastName = page.getByRole("menuitemradio", { name: "Last name" });
  await arrowTo(lastName);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Column where: Last name" })).toBeVisible();
  // The table is one stop for Tab; the arrows go through its rows, and Enter to the line.
  const rows = page.getByRole("region", { name: "Preview" });
  await tabTo(page, rows);
  await page.keyboard.press("End");
  await expect(rows.getByRole("button", { name: "Line 61" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator(".cm-activeLineGutter")).toHaveText("61");
  await tabTo(page, rows);
  await page.keyboard.press("Home");
  await expect(rows.getByRole("button", { name: "Line 62" })).toBeFocused();
  await tabTo(page, rows.getByRole("button", { name: "Use hedy@gmail.com" }));
  await page.keyboard.press("Enter");
  await expect(counts).toHaveText(/61 ready.*1 opted out/);
  await tabTo(page, page.getByRole("button", { name: /^Check \d/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Plan" })).toBeFocused();
});
