import { expect, type Locator, type Page, test } from "@playwright/test";
import { DAY_MS } from "../server/kernel/time";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";
import { command } from "./fixtures/keys";

const dashboard = dashboardOfFile();

const editorOf = (page: Page) => page.getByRole("dialog", { name: "New segment" });
type List = "Conditions" | "None of";
const condition = (editor: Locator, number: number, list: List = "Conditions") =>
  editor.getByRole("region", { name: list }).getByRole("group", { name: `Condition ${number}`, exact: true });
const addCondition = (editor: Locator, list: List) =>
  editor.getByRole("region", { name: list }).getByRole("button", { name: "Add a condition" }).press("Enter");

test("a segment with any-of and none-of conditions is created by keyboard, reopened, changed and deleted", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people"));
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await page.getByRole("button", { name: "New segment" }).focus();
  await page.keyboard.press("Enter");
  const editor = editorOf(page);
  await expect(condition(editor, 1).getByLabel("Subject")).toBeFocused();

  // An incomplete condition shows an error, and nothing is shown or saved.
  await editor.getByRole("button", { name: "Show" }).click();
  await expect(condition(editor, 1).getByRole("alert")).toHaveText("Choose at least one.");
  await expect(editor.getByRole("combobox", { name: "Value" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "Pending" }).click();
  await page.keyboard.press("Escape");
  await expect(editor).toContainText("25 people match");

  for (const [i, start] of ["reader1", "reader2"].entries()) {
    const row = condition(editor, i + 2);
    await addCondition(editor, "Conditions");
    await expect(row.getByLabel("Subject")).toBeFocused();
    await row.getByLabel("Subject").selectOption("Email");
    await row.getByLabel("Comparison").selectOption("begins with");
    await row.getByLabel("Value").fill(start);
  }
  await expect(editor).toContainText("0 people match");
  await condition(editor, 1).getByRole("button", { name: "Remove condition 1" }).press("Enter");
  await editor.getByLabel("Conditions to match").selectOption("Any of");
  await expect(editor).toContainText("172 people match");
  await addCondition(editor, "None of");
  const without = condition(editor, 1, "None of");
  await expect(without.getByLabel("Subject")).toBeFocused();
  await without.getByRole("combobox", { name: "Value" }).click();
  await page.getByRole("option", { name: "Active" }).click();
  await page.keyboard.press("Escape");
  await expect(editor).toContainText("17 people match");
  await addCondition(editor, "None of");
  await condition(editor, 2, "None of").getByLabel("Subject").selectOption("Email");
  await condition(editor, 2, "None of").getByLabel("Comparison").selectOption("contains");
  await condition(editor, 2, "None of").getByLabel("Value").fill("00@");
  await expect(editor).toContainText("15 people match");
  await checkAccessibility(page, "a segment's conditions");
  await editor.getByLabel("Name").focus();
  await page.keyboard.press("Enter");
  await expect(editor.getByText("Enter a name for the segment.")).toBeVisible();
  await expect(editor.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Early and waiting");
  await page.keyboard.press("Enter");
  await expect(editor).toHaveCount(0);

  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Early and waiting");
  await expect(page.locator("tbody tr")).toHaveCount(15);
  await expect(page.getByRole("button", { name: "Edit segment" })).toBeFocused();
  await page.reload();
  await expect(heading).toHaveText("Early and waiting");
  await expect(page.locator("tbody tr")).toHaveCount(15);
  const saved = page.getByRole("list", { name: "Segments" }).getByRole("link", { name: "Early and waiting" });
  await expect(saved).toHaveAttribute("aria-current", "page");
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await command(page, "segment early", "Early and waiting");
  await expect(page.locator("tbody tr")).toHaveCount(15);

  // The list's own filters narrow it further, and leave it as it is.
  await page.getByRole("searchbox").fill("reader15");
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Edit segment" }).click();
  const changing = page.getByRole("dialog", { name: "The segment Early and waiting" });
  await condition(changing, 2).getByRole("button", { name: "Remove condition 2" }).press("Enter");
  await expect(condition(changing, 1).getByLabel("Subject")).toBeFocused();
  await expect(changing).toContainText("10 people match");
  // Shown, and not yet saved.
  await page.keyboard.press("Enter");
  await changing.getByRole("button", { name: "Show" }).press("Enter");
  await expect(page.locator("tbody tr")).toHaveCount(10);
  await page.reload();
  await expect(page.locator("tbody tr")).toHaveCount(10);
  await expect(heading).toHaveText("Early and waiting");
  await page.getByRole("button", { name: "Changed, not saved. Show the saved version" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(15);

  await page.getByRole("button", { name: "More for the segment Early and waiting" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await expect(changing.getByLabel("Name")).toBeFocused();
  await changing.getByLabel("Name").fill("Waiting");
  await page.keyboard.press("Enter");
  await expect(heading).toHaveText("Waiting");
  await page.getByRole("button", { name: "More for the segment Waiting" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: "Delete the segment Waiting?" });
  await expect(question).toContainText("The people in it stay on the list");
  await question.getByRole("button", { name: "Delete 1 segment" }).click();
  await expect(heading).toHaveText("People");
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await expect(page.getByRole("list", { name: "Segments" })).toHaveCount(0);
});

test("saving a filter as a segment keeps its people, order and columns", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("editor");
  // The people may have been added before midnight.
  const [yesterday, today] = [new Date(Date.now() - DAY_MS), new Date()].map((day) =>
    day.toLocaleDateString("sv-SE"),
  );
  const total = page.locator("header [aria-live]").first();
  for (const [filter, people] of [
    ["q=READER1&status=pending,unsubscribed", 11],
    [`added=${yesterday}..${today}`, 250],
  ] as const) {
    await page.goto(dashboard.at(`/people?${filter}`));
    await expect(total, filter).toHaveText(String(people));
    await page.getByRole("button", { name: "Save as segment" }).click();
    const editor = editorOf(page);
    await expect(editor, filter).toContainText(`${people} people match`);
    await editor.getByRole("button", { name: "Show" }).click();
    await expect(page).not.toHaveURL(/q=|status=|source=|added=|confirmed=/);
    await expect(total, filter).toHaveText(String(people));
  }

  await page.goto(dashboard.at("/people?q=reader2&sort=-email&columns=status,added"));
  await expect(page.locator("tbody tr a").first()).toHaveText(dashboard.email("reader2"));
  await page.getByRole("button", { name: "Save as segment" }).click();
  await editorOf(page).getByLabel("Name").fill("Twos");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/people\?segment=[^&]+$/);
  const other = await dashboard.open("viewer");
  await other.goto(page.url());
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Twos");
  await expect(other.getByRole("columnheader")).toHaveText(["Email", "Status", "Added"]);
  await expect(other.locator("tbody tr a").first()).toHaveText(dashboard.email("reader2"));
  // Viewers can change conditions, but not save them.
  await other.getByRole("button", { name: "Conditions" }).click();
  const looking = other.getByRole("dialog", { name: "The segment Twos" });
  await expect(looking.getByRole("button", { name: "Save" })).toHaveCount(0);
  await condition(looking, 1).getByLabel("Value").fill("reader24");
  await expect(looking).toContainText("11 people match");
  await looking.getByRole("button", { name: "Show" }).click();
  await expect(other.locator("tbody tr")).toHaveCount(11);
});

test("after a conflicting edit of a segment, the other person's name, columns and order can be kept", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  const other = await dashboard.open("owner");
  const heading = page.getByRole("heading", { level: 1 });
  const dialogOf = (reader: Page) => reader.getByRole("dialog", { name: "The segment Kept" });
  const dialog = dialogOf(page);
  await page.goto(dashboard.at("/people?status=pending"));
  await page.getByRole("button", { name: "Save as segment" }).click();
  await editorOf(page).getByLabel("Name").fill("Kept");
  await page.keyboard.press("Enter");
  await expect(heading).toHaveText("Kept");
  await page.getByRole("button", { name: "Edit segment" }).click();
  await dialog.getByLabel("Name").fill("Mine");
  await other.goto(`${page.url()}&sort=email&columns=status,added`);
  await other.getByRole("button", { name: "Edit segment" }).click();
  await dialogOf(other).getByLabel("Name").fill("Theirs");
  await other.keyboard.press("Enter");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Theirs");

  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Your changes were not saved");
  await expect(dialog.getByLabel("Name")).toHaveValue("Mine");
  const theirs = dialog.getByRole("status").getByRole("blockquote");
  await expect(theirs).toContainText("Theirs");
  await expect(theirs).toContainText("ColumnsEmail, Status, Added");
  await expect(theirs).toContainText("OrderEmail, A to Z");
  await expect(theirs.getByRole("region", { name: "Conditions" })).toHaveCount(0);
  await checkAccessibility(page, "a conflict of segments");
  await dialog.getByRole("button", { name: "Keep theirs" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(heading).toHaveText("Theirs");
  await expect(page.getByRole("columnheader")).toHaveText(["", "Email", "Status", "Added"]);
});
