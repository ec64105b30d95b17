import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, holdRequest } from "./fixtures/dashboard";
import { check, clipboard, commit, openForm, paste } from "./fixtures/import-form";

const dashboard = dashboardOfFile();

const status = (page: Page) => page.getByRole("group", { name: "Show only" });
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
/** The rows of the preview that are drawn, without its head. */
const rowsOf = (page: Page) => preview(page).locator("tbody").getByRole("row");

async function openNewForm(): Promise<Page> {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  return page;
}

/** Whether somebody is on the list, asked of the API. */
async function isThere(email: string): Promise<boolean> {
  const answer = await dashboard.call("GET", `/subscribers?email=${encodeURIComponent(email)}`);
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { email: string }[] };
  return data.some((one) => one.email === email);
}

test("of 500 people one is listed, one is invalid and one is repeated: the check shows all three; viewers see no form", async () => {
  const page = await openNewForm();
  const lines = Array.from({ length: 500 }, (_, i) => `Ada Lovelace <fair${i}@navy.mil>`);
  lines[41] = dashboard.email("reader1");
  lines[99] = "grace@@navy.mil";
  lines[420] = "FAIR7@navy.mil";
  await paste(page, lines.join("\n"));
  await expect(status(page)).toHaveText(/498 ready.*1 to fix.*1 twice/);
  await expect(page.getByText("Format: Lines of text.")).toBeVisible();
  await check(page, "498 people");
  await expect(status(page)).toHaveText(/497 ready.*1 to fix.*1 twice.*1 already here/);
  const shown = rowsOf(page);
  await expect(preview(page).getByRole("table")).toHaveAttribute("aria-rowcount", "501");
  await expect(page.getByText("500 lines: 500 people, 1 of them twice and 1 to fix.")).toBeVisible();
  await expect(shown.nth(0)).toContainText("grace@@navy.mil");
  await expect(shown.nth(0)).toContainText("exactly one @ sign");
  await expect(shown.nth(1)).toContainText("Same person as on line 8");
  await expect(shown.nth(2)).toContainText("Already on the list as active");
  await expect(shown.nth(3)).toContainText(/1fair0@navy\.milAda LovelacePendingAdded/);
  expect(await isThere("fair0@navy.mil")).toBe(false);

  // A click goes to the line; each count shows its own.
  await shown.nth(1).getByRole("button", { name: "Line 421" }).click();
  await expect(page.locator(".cm-activeLineGutter")).toHaveText("421");
  await status(page).getByRole("button", { name: "already here" }).click();
  await expect(shown).toHaveCount(1);
  await expect(shown).toContainText(dashboard.email("reader1"));

  // The import adds the people shown.
  await commit(page, "497 people");
  const report = page.getByRole("region", { name: "Result" });
  await expect(report).toContainText("497 new");
  await expect(report).toContainText("1 unchanged");
  await expect(report).toContainText("1 rejected");
  await checkAccessibility(page);
  await report.getByRole("link", { name: "497 new" }).click();
  await expect(page.getByText("1–100 of 497")).toBeVisible();
  await page.goBack();
  await report.getByRole("link", { name: "Fix it" }).click();
  await expect(page.getByRole("button", { name: "Use grace@navy.mil" })).toBeVisible();

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/imports"));
  await expect(viewer.getByRole("listitem").filter({ hasText: "497 new" })).toBeVisible();
  await expect(viewer.getByRole("link", { name: "Paste a list" })).toHaveCount(0);
  await viewer.goto(dashboard.at("/imports/new"));
  await expect(viewer.getByRole("heading", { name: "Only owners and editors can add people" })).toBeVisible();
  await expect(viewer.getByRole("textbox")).toHaveCount(0);
});

test("two typos are fixed by keyboard, undone with Ctrl-Z, and the list survives a reload", async () => {
  const page = await dashboard.open("editor", { ...clipboard, colorScheme: "dark" });
  await openForm(page, dashboard);
  const list = "alan@gmial.com\njoan@gmail.com\nhedy@gmial.com\nmary@outlok.com\nsophie (at) lovelace.org";
  await paste(page, list);
  await expect(status(page)).toHaveText(/1 ready.*4 to fix/);
  await expect(page.getByRole("status").filter({ hasText: "1 ready, 4 to fix" })).toBeAttached();
  await page.getByRole("button", { name: "Use gmail.com for all 2 at gmial.com" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(/3 ready.*2 to fix/);
  await expect(page.getByRole("button", { name: "Use mary@outlook.com" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText(/4 ready.*1 to fix/);
  const editor = page.locator(".cm-content");
  await expect(editor).toContainText("mary@outlook.com");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor).toContainText("mary@outlok.com");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor).toContainText("alan@gmial.com");
  await expect(status(page)).toHaveText(/1 ready.*4 to fix/);
  await page.getByRole("button", { name: "Keep gmial.com for all 2" }).first().click();
  await expect(status(page)).toHaveText(/3 ready.*2 to fix/);
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(status(page)).toHaveText(/1 ready.*4 to fix/);
  await page.getByRole("button", { name: "Keep gmial.com for all 2" }).first().click();
  await page.getByRole("button", { name: "Use sophie@lovelace.org" }).click();
  await expect(status(page)).toHaveText(/4 ready.*1 to fix/);
  await page.reload();
  await expect(status(page)).toHaveText(/4 ready.*1 to fix/);
  await expect(editor).toContainText("sophie@lovelace.org");
});

test("text typed before the editor has loaded moves into it, with the focus", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/imports/new"));
  await expect(page.getByRole("textbox", { name: "The list" })).toBeFocused();
  await expect(page.locator(".cm-content")).toHaveCount(0);
  // As dictation does it: without a key or a pointer.
  await page.keyboard.insertText("ada@lovelace.org");
  await expect(page.locator(".cm-content")).toBeFocused();
  await page.keyboard.type("\nalan@turing.uk");
  await expect(page.locator(".cm-content")).toContainText("ada@lovelace.orgalan@turing.uk");
  await expect(status(page)).toHaveText(/2 ready$/);
});

test("text typed while the editor can't be loaded stays, and is read once it can", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/imports/new"));
  const list = page.getByRole("textbox", { name: "The list" });
  const notLoaded = page.getByText("The editor could not be loaded.");
  // The scripts of the page and of its worker are there.
  await page.waitForLoadState("networkidle");
  const scripts = "**/_next/static/chunks/**";
  await page.route(scripts, (route) => route.abort("internetdisconnected"));
  await list.fill("grace@navy.mil, Grace Hopper");
  await expect(notLoaded).toBeVisible();
  await expect(list).toHaveValue("grace@navy.mil, Grace Hopper");
  await page.unroute(scripts);
  await expect(status(page)).toHaveText(/1 ready/, { timeout: 30_000 });
  await expect(notLoaded).toHaveCount(0);
  // Without the worker's script, the text stays, too, and the draft is shown above it.
  const worker = "**/turbopack-worker-*.js";
  await page.route(worker, (route) => route.abort("internetdisconnected"));
  await page.reload();
  await list.fill("ada@lovelace.org");
  await expect(notLoaded).toBeVisible();
  await page.unroute(worker);
  await expect(status(page)).toHaveText(/2 ready/, { timeout: 30_000 });
  await expect(notLoaded).toHaveCount(0);
});

test("a file is dropped, and its columns are corrected", async () => {
  const page = await dashboard.open("editor");
  await openForm(page, dashboard);
  // As Excel in western Europe saves it.
  const bytes = [
    ...Buffer.from(
      "Mail;Vorname;Firma\njuergen@navy.mil;J\xfcrgen;Navy\ngrace@navy.mil;Grace;Navy",
      "latin1",
    ),
  ];
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], "leser.csv", { type: "text/csv" }));
    return data;
  }, bytes);
  await page.locator(".cm-content").dispatchEvent("drop", { dataTransfer: transfer });
  await expect(page.getByText("Format of leser.csv: A table · Semicolons · Header on line 1.")).toBeVisible();
  const columns = page.getByRole("group", { name: "Columns of the list" });
  await expect(columns).toHaveText(/Mail → Email.*Vorname → Name.*Ignored:.*Firma/);
  await expect(page.locator(".cm-content")).toContainText("Jürgen");
  // What a column has is seen where its meaning is chosen.
  await page.getByRole("button", { name: "Column Firma: Ignored" }).click();
  await expect(page.getByRole("menu")).toContainText("Navy");
  await page.getByRole("menuitemradio", { name: "Last name" }).click();
  await expect(columns).toHaveText(/Vorname → First name.*Firma → Last name/);
  await expect(columns).not.toContainText("Ignored");
  await expect(rowsOf(page).first()).toContainText("juergen@navy.milJürgen Navy");
  await status(page).getByRole("button", { name: "ready" }).click();
  await expect(rowsOf(page)).toHaveCount(2);
});

test("a list with long lines scrolls to their start after a paste, where the addresses are", {
  tag: "@thorough",
}, async () => {
  const page = await openNewForm();
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) => `wide${i}@navy.mil,Ada,${"a long note ".repeat(20)}`);
  const scrolled = () => page.locator(".cm-scroller").evaluate(({ scrollLeft }) => scrollLeft);
  await paste(page, lines(3).join("\n"));
  await expect(status(page)).toHaveText(/3 ready/);
  expect(await scrolled()).toBe(0);
  await page.keyboard.type("!");
  await expect.poll(scrolled).toBeGreaterThan(0);
  // One that goes in by pieces.
  await paste(page, lines(1000).join("\n"));
  await expect(status(page)).toHaveText(/1,000 ready/);
  expect(await scrolled()).toBe(0);
});

test("an unknown status word is asked about once for all rows, and no one is added before the answer", async () => {
  const page = await openNewForm();
  const rows = ["email,status", "ask1@navy.mil,cooling", "ask2@navy.mil,cooling", "ask3@navy.mil,resting"];
  await paste(page, [...rows, "ask4@navy.mil,active", "ask5@navy.mil,unsubscribed"].join("\n"));
  await expect(status(page)).toHaveText(/1 ready.*3 to answer.*1 opted out/);
  const questions = page.getByRole("region", { name: "Questions about the list" });
  await expect(questions).toContainText("What do “cooling” (2), “resting” (1) mean in the column status?");
  await expect(questions).toContainText("Understood: “active” (1), “unsubscribed” (1).");
  await checkAccessibility(page);
  await questions.getByLabel("cooling").focus();
  await questions.getByLabel("cooling").selectOption("Unsubscribed");
  await expect(status(page)).toHaveText(/1 ready.*1 to answer.*3 opted out/);
  // It stays where it was, and can be changed.
  await expect(questions.getByLabel("cooling")).toBeFocused();
  await questions.getByLabel("resting").selectOption("No subscription meaning");
  await expect(status(page)).toHaveText(/2 ready.*3 opted out/);
  await expect(rowsOf(page).filter({ hasText: "ask1@navy.mil" })).toContainText("UnsubscribedAdded");
  await page.reload();
  await expect(status(page)).toHaveText(/2 ready.*3 opted out/);
  await expect(questions.getByLabel("cooling")).toHaveValue("unsubscribed");
  await questions.getByLabel("cooling").selectOption("Pending");
  await expect(status(page)).toHaveText(/4 ready.*1 opted out/);
});

test("a list of opt-outs alone is stored as unsubscribed people; its undo keeps the opt-outs unless the list was wrong", {
  tag: "@thorough",
}, async () => {
  const page = await openNewForm();
  await paste(
    page,
    "email,name,unsubscribed at\nout1@navy.mil,Ada,2024-06-01\nout2@navy.mil,Joan,2024-06-02",
  );
  await expect(status(page)).toHaveText(/0 ready.*2 opted out/);
  await expect(page.getByRole("radio")).toHaveCount(0);
  await check(page, "2 people");
  await expect(
    page.getByText("2 are added as unsubscribed, so that no import can add them back."),
  ).toBeVisible();
  await expect(page.getByText("3 lines: 2 people, 1 header.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /agreed to receive/ })).toHaveCount(0);
  await page.getByLabel("Where is this list from?").fill("Our former service");
  await page.getByRole("button", { name: "Add 2 people as unsubscribed" }).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("region", { name: "Result" })).toContainText("2 new");
  const answer = await dashboard.call("GET", "/subscribers?email=out1%40navy.mil");
  expect((await answer.json()).data).toMatchObject([{ name: "Ada", status: "unsubscribed" }]);

  const dialog = page.getByRole("dialog");
  const wrong = dialog.getByRole("checkbox", {
    name: "Remove its opt-outs, too (only if the list was wrong)",
  });
  const add = (email: string) => dashboard.call("POST", "/subscribers", { email, status: "active" });
  await page.getByRole("button", { name: "Undo …" }).click();
  await expect(dialog).toContainText("2 opt-outs of the list stay as suppressions.");
  await expect(wrong).not.toBeChecked();
  await checkAccessibility(page, "undoing opt-outs");
  await dialog.getByRole("button", { name: "Remove 2 people from the list" }).click();
  await expect(page.getByText("2 opt-outs stay as suppressions.")).toBeVisible();
  expect(await isThere("out1@navy.mil")).toBe(false);
  expect((await add("out1@navy.mil")).status).toBe(422);

  await openForm(page, dashboard);
  await paste(page, "email,unsubscribed at\nout3@navy.mil,2024-06-01");
  await check(page, "1 person");
  await page.getByLabel("Where is this list from?").fill("Our former service");
  await page.getByRole("button", { name: "Add 1 person as unsubscribed" }).click();
  await page.getByRole("button", { name: "Undo …" }).click();
  await wrong.check();
  await dialog.getByRole("button", { name: "Remove 1 person from the list" }).click();
  await expect(page.getByText("1 person was removed from the list.")).toBeVisible();
  expect((await add("out3@navy.mil")).status).toBe(201);
});

test("a list changed after its check is checked again, and an undo says who stays and who is removed", async () => {
  const page = await openNewForm();
  await paste(page, "undo1@navy.mil\nundo2@navy.mil");
  await check(page, "2 people");
  await page.getByLabel("Where did they agree?").fill("Book fair");
  await page.getByRole("checkbox", { name: /agreed to receive/ }).check();
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page
    .getByRole("dialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Stay" })
    .click();
  await page.getByRole("radio", { name: /^Active/ }).check();
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Add/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByLabel("Where did they agree?")).toHaveValue("Book fair");
  await expect(page.getByRole("checkbox", { name: /agreed to receive/ })).not.toBeChecked();
  await expect(page.getByText("2 are added as active, without an email.")).toBeVisible();
  await page.getByRole("button", { name: "Add 2 people" }).click();
  await expect(
    page.getByText("You can only add people who agreed to receive this newsletter."),
  ).toBeVisible();
  await commit(page, "2 people");
  await expect(page.getByRole("link", { name: "2 new" })).toBeVisible();
  expect(await isThere("undo1@navy.mil")).toBe(true);
  await page.getByRole("link", { name: "2 new" }).click();
  const chip = page.getByRole("button", { name: /^Added by Import #\d+\. Show all people$/ });
  await expect(chip).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(1 + 2);
  await expect(page.getByRole("row", { name: /undo1@navy\.mil/ })).toContainText(/Import #\d/);
  await chip.click();
  await expect(chip).toHaveCount(0);
  await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(1 + 2);
  await page.goBack();
  await page.getByRole("button", { name: "Undo …" }).click();
  await page.getByRole("button", { name: "Remove 2 people from the list" }).click();
  await expect(page.getByText("2 people were removed from the list.")).toBeVisible();
  expect(await isThere("undo1@navy.mil")).toBe(false);
  await page.getByRole("link", { name: "All imports" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "2 removed" }).first();
  await expect(row).toContainText("Spring fair");
  await expect(row).toContainText("editor");
  await checkAccessibility(page);
});

test("a list changed during its check must be checked again", async () => {
  const page = await openNewForm();
  await paste(page, "during1@navy.mil\nduring2@navy.mil");
  const { asked, release } = await holdRequest(page, "**/api/trpc/imports.plan*");
  await page.getByRole("button", { name: "Check 2 people" }).click();
  await asked;
  await paste(page, "during3@navy.mil\nduring4@navy.mil");
  await expect(rowsOf(page).first()).toContainText("during3@navy.mil");
  await release();
  await expect(page.getByText("The list or a choice has changed since the check.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Add/ })).toHaveCount(0);
});

test("changes between the check and the import are shown, and no one is added", {
  tag: "@thorough",
}, async () => {
  const page = await openNewForm();
  await paste(page, "early@navy.mil\nlate@navy.mil");
  await check(page, "2 people");
  const answer = await dashboard.call("POST", "/subscribers", { email: "early@navy.mil" });
  expect(answer.status).toBe(201);
  await commit(page, "2 people");
  await expect(page.getByText("1 line changed")).toBeVisible();
  await expect(page.getByRole("row", { name: /early@navy.mil/ })).toContainText(
    "already on the list, as active",
  );
  expect(await isThere("late@navy.mil")).toBe(false);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await check(page, "2 people");
  await expect(page.getByRole("button", { name: "Add 1 person" })).toBeVisible();
});
