import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { settingsPages } from "../components/settings/pages";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, holdRequest } from "./fixtures/dashboard";
import type { Role } from "./fixtures/furnished";
import { command } from "./fixtures/keys";

const dashboard = dashboardOfFile();

const texts = JSON.parse(
  readFileSync(new URL("../components/texts/en/settings.json", import.meta.url), "utf8"),
) as { pages: Record<string, string> };
const ownPages = settingsPages
  .filter(({ path }) => path.startsWith("/settings"))
  .map(({ key, path }) => ({ path, label: texts.pages[key] ?? key }));
const title = (page: Page) => page.getByRole("heading", { level: 1 });
const isLoaded = (page: Page) => expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);

/** Goes through the pages of the settings by their navigation, and looks at each. */
async function goThrough(
  role: Role,
  look: (page: Page, settings: { path: string; label: string }) => unknown,
) {
  const page = await dashboard.open(role);
  const navigation = page.getByRole("navigation", { name: "Settings" });
  await page.goto(dashboard.at("/settings"));
  for (const one of ownPages) {
    await navigation.getByRole("link", { name: one.label, exact: true }).click();
    await expect(page).toHaveURL(dashboard.at(one.path));
    await expect(title(page)).toHaveText(`Settings ${one.label}`);
    await expect(page.getByRole("region", { name: one.label })).toBeVisible();
    await isLoaded(page);
    await look(page, one);
  }
}

test("each settings page shows its title and its place, also on a phone", async () => {
  await goThrough("owner", async (page, { label }) => {
    await expect(page).toHaveTitle(`${label} · Settings · Rollcall`);
    await checkAccessibility(page);
    const current = page.getByRole("navigation", { name: "Settings" }).locator("[aria-current]");
    await expect(current).toHaveText(label);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(current).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

test("viewers see no inputs and no buttons that change anything on the settings pages", async () => {
  await goThrough("viewer", async (page, { path, label }) => {
    if (path.endsWith("/you")) return;
    const inputs = page.getByRole("region", { name: label }).locator("form :is(input, textarea):enabled");
    await expect(inputs).toHaveCount(0);
    const save = page.getByRole("button", { name: /^(Save|Archive|Delete|Invite|Define|Export)/ });
    await expect(save).toHaveCount(0);
  });
});

test("⌘K opens empty, keeps its place, and finds each page, also by its content", async () => {
  // With its fading, in which the text of before remains.
  const page = await dashboard.open("owner", { reducedMotion: "no-preference" });
  await page.goto(dashboard.at("/settings"));
  await expect(page.getByRole("button", { name: "Search" }).locator("kbd")).toHaveText("Ctrl K");
  const field = page.getByRole("textbox", { name: "Search people or pages" });
  const tops = new Set<number | undefined>();
  for (const words of ["gold", "zzzz", "se"]) {
    await page.keyboard.press("ControlOrMeta+k");
    await expect(field).toHaveValue("");
    await expect(field).toBeFocused();
    tops.add((await field.boundingBox())?.y);
    await page.keyboard.type(words);
    await expect(field).toHaveValue(words);
    tops.add((await field.boundingBox())?.y);
    await page.keyboard.press("Escape");
  }
  expect([...tops]).toHaveLength(1);
  for (const [words, found, path] of [
    ["settings: fields", /Fields/, "/settings/fields"],
    ["passkey", /You/, "/settings/you"],
    ["welcome", /Welcome email/, "/mails/welcome"],
    ["status:pending", /People with status Pending/, "/people?status=pending"],
    ["rotate", /Rotate an API key/, "/api"],
  ] as const) {
    await command(page, words, found);
    await expect(page).toHaveURL(dashboard.at(path));
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await command(page, "docs", /API documentation/);
  await expect(page).toHaveURL(/\/docs$/);
});

test("moving between pages by keyboard keeps the focus in the navigation, before the content", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings/sign-up"));
  await isLoaded(page);
  const here = page.getByRole("navigation", { name: "Settings" });
  await here.getByRole("link", { name: "Sign-up page" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(here.getByRole("link", { name: "Staff" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText("Settings Staff");
  await expect(here.getByRole("link", { name: "Staff" })).toBeFocused();
  const region = page.getByRole("region", { name: "Staff" });
  await isLoaded(page);
  for (let i = 0; i < 8 && (await region.locator(":focus").count()) === 0; i++)
    await page.keyboard.press("Tab");
  await expect(region.locator(":focus")).toHaveCount(1);
});

test("leaving unsaved changes by link, key, ⌘K, Back or tab asks first; leaving saved changes does not", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/people"));
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Weekly, renamed");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const stays = async () => {
    await expect(question).toContainText("are not saved");
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(question).toHaveCount(0);
    await expect(page).toHaveURL(dashboard.at("/settings"));
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Weekly, renamed");
  };
  await page.getByRole("link", { name: "Staff", exact: true }).click();
  await expect(question).toBeVisible();
  await stays();
  await title(page).click();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await stays();
  await command(page, "imports", /Imports/);
  await stays();
  for (let i = 0; i < 2; i++) {
    await page.goBack();
    await stays();
  }
  const asked = new Promise<string>((resolve) =>
    page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    }),
  );
  await page.close({ runBeforeUnload: true });
  expect(await asked).toBe("beforeunload");

  await page.goBack();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(/\/people/);
  await expect(title(page)).toHaveText(/^People/);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Weekly");

  await page.getByLabel("Replies go to").fill("hello@paper.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Existing emails keep")).toBeVisible();
  await page.getByRole("link", { name: "Pending people" }).click();
  await expect(title(page)).toHaveText("Settings Pending people");
  for (const [path, change] of [
    ["/settings/pending", () => page.getByLabel("Send a reminder after 3 days").click()],
    ["/settings/sign-up", () => page.getByLabel("Title").fill("Letters")],
    ["/mails/confirmation", () => page.getByLabel("Subject").fill("Is it you?")],
    ["/mails/welcome", () => page.getByLabel("Subject").fill("Welcome")],
    ["/settings/you", () => page.getByLabel("New password").fill("half a passphrase")],
  ] as const) {
    await page.goto(dashboard.at(path));
    await isLoaded(page);
    await change();
    await page.getByRole("navigation", { name: "Newsletter" }).getByRole("link", { name: "People" }).click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page).toHaveURL(dashboard.at("/people"));
  }
});

test("typed text stays while the script of a question can't be loaded", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings"));
  const replies = page.getByLabel("Replies go to");
  await expect(replies).toBeVisible();
  const scripts = "**/_next/static/chunks/**";
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/chunks/"));
  await page.route(scripts, (route) => route.abort("internetdisconnected"));
  await replies.fill("typed@paper.example");
  await failed;
  await page.getByRole("link", { name: "Staff", exact: true }).click();
  await expect(replies).toHaveValue("typed@paper.example");
  await page.unroute(scripts);
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toBeVisible({ timeout: 30_000 });
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(replies).toHaveValue("typed@paper.example");
});

test("text typed during a save is kept, and can be saved", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings"));
  const sender = page.getByLabel("Sender");
  const save = page.getByRole("button", { name: "Save" });
  await sender.fill("Ada <ada@paper.example>");
  const { asked, release } = await holdRequest(page, "**/api/trpc/newsletters.save*");
  await save.click();
  await asked;
  await sender.fill("Ada and Grace <ada@paper.example>");
  await release();
  await expect(page.getByText("Saved. Existing emails keep")).toBeVisible();
  await expect(sender).toHaveValue("Ada and Grace <ada@paper.example>");
  const limit = page.getByLabel("Sign-up confirmations per day to one domain");
  await limit.fill("0");
  await save.click();
  await expect(limit).toHaveAccessibleDescription(/whole number from 1 to 100,000/);
  await limit.fill("150");
  const saved = page.waitForResponse("**/api/trpc/newsletters.save*");
  await save.click();
  await saved;
  await page.reload();
  await expect(limit).toHaveValue("150");
  await expect(sender).toHaveValue("Ada and Grace <ada@paper.example>");
});

test("the arrow keys step a number within its bounds", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings"));
  const limit = page.getByRole("spinbutton", { name: "Sign-up confirmations per day to one domain" });
  const steps = async (from: string, key: "ArrowUp" | "ArrowDown", shown: string[]) => {
    await limit.fill(from);
    for (const value of shown) {
      await limit.press(key);
      await expect(limit).toHaveValue(value);
      await expect(limit).toHaveAttribute("aria-valuenow", value);
    }
  };
  await steps("", "ArrowUp", ["1", "2"]);
  await steps("2", "ArrowDown", ["1", "1"]);
  await steps("99999", "ArrowUp", ["100000", "100000"]);
  await expect(limit).toHaveAttribute("aria-valuetext", "100,000");
  await limit.blur();
  await expect(limit).toHaveValue("100,000");
});

test("all people and the whole audit log can be exported as files", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people"));
  await expect(page.getByText("1–100 of 250")).toBeVisible();
  await page.getByRole("button", { name: "More for people" }).click();
  await expect(page.getByText("Export all 250")).toBeVisible();
  const people = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as CSV, for a spreadsheet" }).click();
  expect((await people).suggestedFilename()).toMatch(/^people-.*\.csv$/);
  await expect(page.getByText("250 people exported.")).toBeVisible();
  await page.goto(dashboard.at("/settings/log"));
  const log = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await log).suggestedFilename()).toBe("log.csv");
});
