/**
 * `npm run screenshots`: the README's picture, taken anew from the demo: the People page, light and dark. With `-- FOLDER` every
 * page, light and dark, at three widths, as files `PAGE-WIDTH-SCHEME.png` in that folder, to be looked at.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { settingsPages } from "../components/settings/pages";
import { places } from "../components/shell/places";
import { demoOwner } from "../prisma/seed";
import { projectRoot } from "../server/kernel/project-root";
import { startProduct } from "../server/test/product";
import { findBrowser } from "./fixtures/browser";
import { signIn } from "./fixtures/dashboard";

type Scheme = "light" | "dark";
type Shown = {
  name: string;
  /** After the product's address. */
  path: string;
  /** Brings the page to what is shown. */
  prepare?(page: Page): Promise<void>;
};

const SCHEMES: Scheme[] = ["light", "dark"];
const WIDTHS = [1440, 1280, 390];

const openFirst = (rows: string) => async (page: Page) => {
  await page.locator(rows).first().click();
  await page.getByRole("complementary").getByRole("heading").first().waitFor();
};

/** The pages of staff. @param newsletter the path of the newsletter */
function pagesOf(newsletter: string): Shown[] {
  const at = (place: string, name = place.slice(1).replaceAll("/", "-") || "overview"): Shown => ({
    name,
    path: newsletter + place,
  });
  const addresses = new Set([...places, ...settingsPages].map(({ path }) => path));
  return [
    ...[...addresses].map((path) => at(path)),
    { ...at("/people", "person"), prepare: openFirst("[data-person]") },
    {
      ...at("/people", "people-selected"),
      prepare: (page) =>
        page
          .getByRole("checkbox", { name: /^Select \S+@/ })
          .first()
          .check(),
    },
    {
      ...at("/people", "command"),
      prepare: async (page) => {
        await page.keyboard.press("ControlOrMeta+k");
        await page.getByRole("textbox", { name: "Search people or pages" }).waitFor();
      },
    },
    at("/people?add=true", "add-person"),
    at("/people?q=nobody-has-this-name", "people-empty"),
    at("/imports/new"),
    {
      ...at("/imports", "import"),
      prepare: async (page) => {
        await page.getByRole("main").locator("a[href*='/imports/0']").first().click();
        await page.waitForURL(/\/imports\/0/);
      },
    },
    { ...at("/mails", "mail"), prepare: openFirst("[data-mail]") },
    at("/api/webhooks"),
    at("/nothing-here", "not-found"),
  ];
}

/** The pages of everybody. */
const publicPages: Shown[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "forgot", path: "/forgot" },
  { name: "setup-closed", path: "/setup?token=x" },
  { name: "confirm-closed", path: "/confirm/x" },
  { name: "preferences-closed", path: "/preferences/x" },
  { name: "docs", path: "/docs" },
  { name: "docs-operators", path: "/docs/operators" },
  { name: "docs-guides", path: "/docs/guides" },
];

/** Shows a page, still and with all it loads. */
async function show(page: Page, url: string, { path, prepare }: Shown): Promise<void> {
  await page.goto(url + path);
  await page.waitForLoadState("networkidle");
  const loading = page.getByRole("status", { name: "Loading" }).first();
  await loading.waitFor({ state: "detached" });
  await prepare?.(page);
  await loading.waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
}

async function takeReadme(page: Page, url: string, newsletter: string, scheme: Scheme): Promise<void> {
  const folder = join(projectRoot(), "e2e", "screenshots");
  await mkdir(folder, { recursive: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  const prepare = async (page: Page) => {
    await page.locator("[data-person]").nth(3).click();
    await page.getByRole("heading", { name: "Activity" }).waitFor();
  };
  await show(page, url, { name: "people", path: `${newsletter}/people`, prepare });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.screenshot({ path: join(folder, `people-${scheme}.png`), animations: "disabled" });
}

async function takeAll(context: BrowserContext, url: string, pages: Shown[], folder: string, scheme: Scheme) {
  await mkdir(folder, { recursive: true });
  for (const width of WIDTHS)
    for (const shown of pages) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
      await show(page, url, shown).catch((error) => console.error(`${shown.name} at ${width}: ${error}`));
      const path = join(folder, `${shown.name}-${width}-${scheme}.png`);
      await page.screenshot({ path, animations: "disabled" });
      await page.close();
    }
}

async function take(
  browser: Browser,
  url: string,
  folder: string | undefined,
  scheme: Scheme,
): Promise<void> {
  const context = await browser.newContext({ colorScheme: scheme });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  await signIn(page, url, demoOwner.email, demoOwner.password);
  await page.waitForURL(/\/n\/[^/]+$/);
  const newsletter = new URL(page.url()).pathname;
  if (folder) await takeAll(context, url, pagesOf(newsletter), folder, scheme);
  else await takeReadme(page, url, newsletter, scheme);
  await context.close();
  if (!folder) return;
  const stranger = await browser.newContext({ colorScheme: scheme });
  await takeAll(stranger, url, publicPages, folder, scheme);
  await stranger.close();
}

const [folder] = process.argv.slice(2);
const product = await startProduct({ args: ["--demo"] });
const browser = await chromium.launch(await findBrowser());
try {
  for (const scheme of SCHEMES) await take(browser, product.url, folder && resolve(folder), scheme);
} finally {
  await browser.close();
  await product.stop();
}
