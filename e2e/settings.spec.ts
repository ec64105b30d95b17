import { type Browser, expect, type Page, test } from "@playwright/test";
import { settingsPages } from "../components/settings/pages";
import { type DatabaseLine, openDatabaseLine } from "../server/test/database-line";
import { type Dashboard, faultsOf, startDashboard } from "./fixtures/dashboard";

let dashboard: Dashboard;
let line: DatabaseLine;
let base: string;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  dashboard = await startDashboard({}, async (databaseUrl) => {
    line = await openDatabaseLine(databaseUrl);
    return line.url;
  });
  base = dashboard.at("");
});
test.afterAll(async () => {
  line?.fix();
  await dashboard?.stop();
  line?.close();
});

const ownPages = settingsPages.filter(({ path }) => path.startsWith("/settings"));
const title = (page: Page) => page.getByRole("heading", { level: 1 });
const isLoaded = (page: Page) => expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);

async function typeName(browser: Browser, name: string): Promise<Page> {
  const page = await dashboard.open(browser, "owner");
  await page.goto(`${base}/people`);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  return page;
}

for (const role of ["owner", "viewer"] as const)
  test(`each page of the settings as ${role}: its title, where it is, and nothing wrong in light, dark or at 390`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const page = await dashboard.open(browser, role);
    for (const { path, label } of ownPages) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(base + path);
      await expect(title(page)).toHaveText(`Settings ${label}`);
      await expect(page).toHaveTitle(`${label} · Settings · Rollcall`);
      await expect(page.getByRole("navigation", { name: "Settings" }).locator("[aria-current]")).toHaveText(
        label,
      );
      await isLoaded(page);
      if (role === "viewer" && !path.endsWith("/you")) {
        // Text: nothing to type into, and no button that changes anything.
        const inputs = page.getByRole("region", { name: label }).locator("form :is(input, textarea):enabled");
        await expect(inputs).toHaveCount(0);
        const save = page.getByRole("button", { name: /^(Save|Archive|Delete|Invite|Define|Export)/ });
        await expect(save).toHaveCount(0);
      }
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 1280, height: 800 });
        expect(await faultsOf(page), `${path} in the ${colorScheme}`).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await faultsOf(page), `${path} in the ${colorScheme} at 390`).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${path} at 390`).toBeLessThanOrEqual(390);
      }
      await expect(
        page.getByRole("navigation", { name: "Settings" }).locator("[aria-current]"),
      ).toBeInViewport({ ratio: 1 });
    }
    await page.context().close();
  });

test("the sections of the one long page lead on, and ⌘K finds each page, also by what stands on it", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  for (const section of ["pending", "fields", "sign-up", "staff", "you", "log"]) {
    await page.goto(`${base}/people`);
    await page.goto(`${base}/settings#${section}`);
    await expect(page).toHaveURL(`${base}/settings/${section}`);
  }
  await page.goto(`${base}/settings#close`);
  await expect(page.getByRole("heading", { name: "Archive or delete" })).toBeVisible();
  for (const [words, path] of [
    ["settings: fields", "/settings/fields"],
    ["passkey", "/settings/you"],
    ["welcome", "/mails/welcome"],
  ] as const) {
    await page.keyboard.press("Control+k");
    const search = page.getByRole("textbox", { name: "Search people, or go somewhere" });
    await expect(search).toBeFocused();
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(base + path);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await page.context().close();
});

test("from one page to the next without a mouse: the focus stays on the way, and the content follows it", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(`${base}/settings/sign-up`);
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
  await page.context().close();
});

test("what is not saved is asked about: by link, key, ⌘K and with the tab; saved it is not", async ({
  browser,
}) => {
  const page = await typeName(browser, "Weekly, renamed");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const stays = async () => {
    await expect(question).toContainText("is not saved");
    await question.getByRole("button", { name: "Stay" }).click();
    await expect(question).toHaveCount(0);
    await expect(page).toHaveURL(`${base}/settings`);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Weekly, renamed");
  };
  await page.getByRole("link", { name: "Staff", exact: true }).click();
  await expect(question).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await stays();
  await title(page).click();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await stays();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("textbox", { name: "Search people, or go somewhere" })).toBeFocused();
  await page.keyboard.type("imports");
  await page.keyboard.press("Enter");
  await stays();
  const asked = new Promise<string>((resolve) =>
    page.once("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.dismiss();
    }),
  );
  await page.close({ runBeforeUnload: true });
  expect(await asked).toBe("beforeunload");

  await page.getByRole("link", { name: "People", exact: true }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page).toHaveURL(/\/people/);
  await expect(title(page)).toHaveText(/^People/);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Weekly");

  await page.getByLabel("Replies go to").fill("hello@paper.example");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Mails already written")).toBeVisible();
  await page.getByRole("link", { name: "Pending people" }).click();
  await expect(title(page)).toHaveText("Settings Pending people");
  for (const [path, change] of [
    ["/settings/pending", () => page.getByLabel("Ask once more after 3 days").click()],
    ["/settings/sign-up", () => page.getByLabel("Title").fill("Letters")],
    ["/mails/confirmation", () => page.getByLabel("Subject").fill("Is it you?")],
    ["/mails/welcome", () => page.getByLabel("Subject").fill("Welcome")],
  ] as const) {
    await page.goto(base + path);
    await isLoaded(page);
    await change();
    await page.getByRole("navigation", { name: "Newsletter" }).getByRole("link", { name: "People" }).click();
    await question.getByRole("button", { name: "Leave without saving" }).click();
    await expect(page).toHaveURL(`${base}/people`);
  }
  await page.context().close();
});

test("everybody and the whole log are taken along as files", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(`${base}/settings/data`);
  const files = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect(files.first()).toContainText("250 people");
  await files.first().getByRole("button", { name: "Export" }).click();
  const people = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV, for a spreadsheet" }).click();
  expect((await people).suggestedFilename()).toMatch(/^people-.*\.csv$/);
  await expect(page.getByText("250 people exported.")).toBeVisible();
  const log = page.waitForEvent("download");
  await files.nth(1).getByRole("button", { name: "Export" }).click();
  expect((await log).suggestedFilename()).toBe("log.csv");
  await expect(page.getByRole("link", { name: "the guide for operators" })).toHaveAttribute(
    "href",
    "/docs/operators#backup-and-restore",
  );
  await page.context().close();
});

test("while the database is away there is one bar and no other error; what was typed stays, and the page answers 503", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  // Here the browser may say that an answer was 503.
  page.removeAllListeners("console");
  await page.goto(`${base}/settings/staff`);
  await isLoaded(page);
  const bar = page.getByRole("alert").filter({ hasText: "Rollcall can't reach its database." });
  const settings = page.getByRole("navigation", { name: "Settings" });
  line.cut();
  try {
    // The page is there; what it shows is not to be had, of several queries at once.
    await settings.getByRole("link", { name: "You" }).click();
    await expect(bar).toBeVisible();
    await page.waitForTimeout(9_000); // longer than each query is tried again
    await expect(bar).toHaveCount(1);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    expect(await faultsOf(page)).toEqual([]);
    const reload = await page.request.get(`${base}/settings/you`, { maxRedirects: 0 });
    expect([reload.status(), reload.headers()["retry-after"]]).toEqual([503, "2"]);
    const other = await page.context().newPage();
    expect((await other.goto(`${base}/people`))?.status()).toBe(503);
    await expect(other.getByRole("heading", { name: "Rollcall can’t reach its database" })).toBeVisible();
    line.fix();
    // Each by itself, without a click.
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(/^People/, { timeout: 30_000 });
    await expect(page.getByRole("heading", { name: "Where you are signed in" })).toBeVisible();
    await expect(page.getByText("this one")).toBeVisible({ timeout: 30_000 });
    await expect(bar).toHaveCount(0);
  } finally {
    line.fix();
  }
  await page.context().close();
});
