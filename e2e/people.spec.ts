import { expect, type Locator, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

test("a search and a filter are stored in the URL, and a reload keeps them", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await expect(page.locator("tbody tr a").first()).toHaveAttribute("data-initial", "R");
  await page.keyboard.press("/");
  // A slow computer shows a search while its user types on. No letter is lost.
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await page.keyboard.type("READER 12", { delay: 170 });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(page.getByRole("searchbox")).toHaveValue("READER 12");
  await expect(page.locator("tbody tr")).toHaveCount(11);
  await expect(page).toHaveURL(/q=READER/);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Pending" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByRole("cell", { name: dashboard.email("reader120") })).toBeVisible();
  // Enter opens the first result, also before the results arrive.
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await page.getByRole("searchbox").fill("reader 177");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel).toContainText(dashboard.email("reader177"));
  await expect(panel).toBeFocused();
  await expect(page.locator("tbody tr a")).toHaveText([dashboard.email("reader177")]);
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("nobody at all");
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  await page.getByRole("button", { name: "Show all people" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(100);
});

test("a filter takes several values and is stored in the URL; a URL with one value keeps its meaning", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people?status=pending"));
  await expect(page.locator("tbody tr")).toHaveCount(25);
  await page.getByRole("button", { name: "Status: Pending" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Active" }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await page.getByRole("menuitemcheckbox", { name: "Unsubscribed" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Active" }).click();
  await expect(page.locator("tbody tr")).toHaveCount(25);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Status: Pending or Unsubscribed" })).toBeFocused();
  await expect(page).toHaveURL(/status=pending,unsubscribed/);
  await page.reload();
  await expect(page.locator("tbody tr")).toHaveCount(25);
  await page.getByRole("button", { name: "Status: Pending or Unsubscribed" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Any" }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await expect(page).not.toHaveURL(/status=/);
});

test("columns can be chosen and ordered by keyboard, and the browser remembers them", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveText(["Email", "Name", "Status", "Source", "Added"]);
  await page.getByRole("button", { name: "Columns" }).click();
  const choice = page.getByRole("dialog", { name: "Columns" });
  await choice.getByRole("checkbox", { name: "Confirmed" }).check();
  await choice.getByRole("checkbox", { name: "Source" }).uncheck();
  await expect(heads).toHaveText(["Email", "Name", "Status", "Added", "Confirmed"]);
  const up = choice.getByRole("button", { name: "Move Status up" });
  await up.focus();
  await page.keyboard.press("Enter");
  await expect(heads).toHaveText(["Email", "Status", "Name", "Added", "Confirmed"]);
  await expect(choice.getByRole("checkbox", { name: "Status" })).toBeFocused();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Alt+ArrowDown");
  await expect(choice.getByRole("button", { name: "Move Status down" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Columns" })).toBeFocused();
  const chosen = ["Email", "Name", "Added", "Status", "Confirmed"];
  await page.goto(dashboard.at("/people?q=reader1"));
  await expect(heads).toHaveText(chosen);
  await page.goto(dashboard.at("/people?columns=source"));
  await expect(heads).toHaveText(["Email", "Source"]);
  await page.goto(dashboard.at("/people"));
  await expect(heads).toHaveText(chosen);

  const reader = `/subscribers/${encodeURIComponent(dashboard.email("reader77"))}`;
  await dashboard.call("PATCH", reader, { subscribed_at: "2019-05-04", external_id: "customer-1815" });
  await dashboard.call("PATCH", reader, { subscribed_at: "2018-02-03" });
  await page.goto(dashboard.at("/people?columns=subscribed_at,external_id&sort=subscribed_at"));
  await expect(page.locator("tbody tr").first()).toContainText(/reader77.*3 Feb 2018.*customer-1815/);
  await page.locator("tbody tr a").first().click();
  await expect(page.getByRole("complementary", { name: "Person" })).toContainText("Signed up: 4 May 2019");
});

test("a note keeps its lines, and viewers can only read it", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=reader7@"));
  await page.locator("tbody tr a").first().click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await panel.getByRole("button", { name: "Add a note" }).click();
  await page.keyboard.type("Speaks French\nMet at the fair");
  await panel.getByRole("button", { name: "Save note" }).click();
  const note = panel.getByRole("region", { name: "Note" });
  expect(await note.getByText("Speaks French").innerText()).toBe("Speaks French\nMet at the fair");
  await expect(note).toContainText("editor, just now");

  const viewer = await dashboard.open("viewer");
  await viewer.goto(page.url());
  await expect(viewer.getByRole("region", { name: "Note" })).toContainText("Speaks French");
  await expect(viewer.getByRole("button", { name: /note/ })).toHaveCount(0);
});

test("a conflicting edit of a person shows the other person's changes, and either can be kept", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  const other = await dashboard.open("owner");
  await page.goto(dashboard.at("/people?q=reader8@"));
  await page.getByRole("link", { name: dashboard.email("reader8") }).click();
  const panel = page.getByRole("complementary", { name: "Person" });
  const theirs = other.getByRole("complementary", { name: "Person" });
  const name = (part: Locator) => part.getByRole("textbox", { name: "Name" });
  await panel.getByRole("button", { name: "Edit" }).click();
  await name(panel).fill("Mine");
  const edit = async (text: string) => {
    await other.goto(page.url());
    await name(theirs).fill(text);
    await theirs.getByRole("button", { name: "Save" }).click();
    await expect(theirs.getByRole("heading", { name: text })).toBeVisible();
  };
  await edit("Theirs");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("alert")).toContainText("Your changes were not saved");
  await expect(panel.getByRole("blockquote")).toContainText("Theirs");
  await expect(name(panel)).toHaveValue("Mine");
  await panel.getByRole("button", { name: "Save mine instead" }).click();
  await expect(panel.getByRole("heading", { name: "Mine" })).toBeVisible();

  await panel.getByRole("button", { name: "Edit" }).click();
  await name(panel).fill("Mine again");
  await edit("Theirs again");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("button", { name: "Keep theirs" }).click();
  await expect(panel.getByRole("heading", { name: "Theirs again" })).toBeVisible();
});

test("pages move forward and back by cursor", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
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
});

test("the list is sorted by its column headers and filtered by custom dates, all in the URL", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
  const firstRow = page.locator("tbody tr a").first();
  await page.getByRole("button", { name: "Email" }).click();
  await expect(firstRow).toHaveText(dashboard.email("reader0"));
  await page.getByRole("button", { name: "Email" }).click();
  await expect(firstRow).toHaveText(dashboard.email("reader9"));
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
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
  await expect(page).toHaveURL(/confirmed=7d/);
  await page.getByRole("button", { name: "Show all people" }).click();
  await expect(page.getByText("1–100 of 250")).toBeVisible();

  await page.getByRole("button", { name: "Added", exact: true }).first().click();
  const today = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  await page.getByRole("button", { name: today }).click();
  await expect(page).toHaveURL(/added=\d{4}-\d\d-\d\d\.\.(&|$)/);
  await page.getByRole("button", { name: today }).click();
  await expect(page).toHaveURL(/added=(\d{4}-\d\d-\d\d)\.\.\1/);
  await expect(page.getByText("1–100 of 250")).toBeVisible();
});

test("a person can be opened, changed and closed by keyboard alone", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=reader24"));
  await expect(page.locator("tbody tr")).toHaveCount(11);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Person" });
  const second = (await page.locator("tbody tr a").nth(1).textContent()) as string;
  await expect(panel).toContainText(second);
  await expect(page).toHaveURL(/person=/);
  await checkAccessibility(page, "a person");
  await page.keyboard.press("j");
  await expect(panel).toContainText((await page.locator("tbody tr a").nth(2).textContent()) as string);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(page.locator("tbody tr a").nth(2)).toBeFocused();
});

test("a person is added with errors shown at their fields, edited and erased", async () => {
  const page = await dashboard.open("editor");
  // A hundred rows would take axe seconds, and are alike.
  await page.goto(dashboard.at("/people?q=reader24"));
  await expect(page.locator("tbody tr")).toHaveCount(11);
  await checkAccessibility(page);
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  await dialog.getByLabel("Email").fill("ada@");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("nothing after the @ sign")).toBeVisible();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await dialog.getByLabel("Email").fill(dashboard.email("reader1"));
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("already on the list as")).toBeVisible();
  await checkAccessibility(page, "adding a person");
  await dialog.getByLabel("Email").fill("ada.new@gmial.com");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The address is not saved yet. To keep it, submit it again.")).toBeVisible();
  await dialog.getByRole("button", { name: "ada.new@gmail.com" }).click();
  await expect(dialog.getByLabel("Email")).toHaveValue("ada.new@gmail.com");
  await dialog.getByLabel("Name").fill("Ada New");
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel.getByRole("heading", { name: "Ada New" })).toBeVisible();
  await expect(panel).toContainText("Added by editor");
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Name").fill("Ada Lovelace");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("heading", { name: "Ada Lovelace" })).toBeVisible();
  await expect(panel).toContainText("Changed by editor");
  // An address with a mistyped domain is kept when it is submitted a second time.
  await panel.getByRole("button", { name: "Edit" }).click();
  await panel.getByLabel("Email").fill("ada.new@gmial.com");
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByLabel("Email")).toHaveAccessibleDescription(
    "The address is not saved yet. To keep it, submit it again. Did you mean ada.new@gmail.com?",
  );
  await panel.getByRole("button", { name: "Save" }).click();
  await expect(panel.getByText("ada.new@gmial.com")).toBeVisible();
  await expect(panel.getByLabel("Email")).toHaveCount(0);
  await panel.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Erase" }).click();
  await page.getByRole("button", { name: "Erase 1 person" }).click();
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "ada.new@" })).toHaveCount(0);
});

test("without a network a person form reports the failure and keeps its text", {
  tag: "@thorough",
}, async () => {
  // Options of its own, so that no earlier test has loaded the suggestions.
  const page = await dashboard.open("editor", { serviceWorkers: "block" });
  await page.goto(dashboard.at("/people"));
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Email")).toBeVisible();
  await page.context().setOffline(true);
  await dialog.getByLabel("Email").fill("offline@gmial.com");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toBeVisible();
  await page.context().setOffline(false);
  // The suggestions can be loaded now, so the question comes after all.
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The address is not saved yet. To keep it, submit it again.")).toBeVisible();
  await expect(dialog.getByLabel("Email")).toHaveValue("offline@gmial.com");
});

test("shows the number of people added meanwhile, and keeps the rows until a refresh is requested", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  const first = await page.locator("tbody tr a").first().textContent();
  const answer = await dashboard.call("POST", "/subscribers", {
    email: dashboard.email("meanwhile"),
    status: "active",
  });
  expect(answer.status).toBe(201);
  const show = page.getByRole("button", { name: "1 new · Show" });
  await expect(show).toBeVisible();
  await expect(page.locator("tbody tr a").first()).toHaveText(first as string);
  await show.click();
  await expect(page.locator("tbody tr a").first()).toHaveText(dashboard.email("meanwhile"));
  await expect(show).toHaveCount(0);
});

test("viewers see no controls that change data", async () => {
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/people"));
  await expect(page.locator("tbody tr")).toHaveCount(100);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add person" })).toHaveCount(0);
  await page.locator("tbody tr a").first().click();
  await expect(page.getByRole("complementary", { name: "Person" })).toContainText("Activity");
  await expect(page.getByRole("button", { name: "Edit" })).toHaveCount(0);
});

test("several people are added in turn, each with the same dialog", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=in-turn"));
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Add a person" });
  const email = dialog.getByLabel("Email");
  await email.fill(dashboard.email("in-turn-1"));
  await dialog.getByLabel("Name").fill("First");
  await dialog.getByRole("button", { name: "Add another" }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue("");
  await expect(email).toBeFocused();
  await expect(email).toHaveValue("");
  await page.keyboard.type(dashboard.email("in-turn-2"));
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: "Person" })).toContainText("in-turn-2");
  await expect(page.locator("tbody tr")).toHaveCount(2);
});
