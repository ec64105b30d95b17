// The README's pictures, taken anew from the demo by `npm run screenshots`: each screen, light and dark.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { demoOwner } from "../prisma/seed";
import { projectRoot } from "../server/project-root";
import { type Product, startProduct } from "../server/test/product";
import { findBrowser } from "./fixtures/browser";
import { signIn } from "./fixtures/dashboard";

const folder = join(projectRoot(), "e2e", "screenshots");

/** A list as somebody brings it: typed by hand in places, one person twice, one without an address. */
const pasted = `Name\tE-mail\tCity
Ada Lovelace\tada@lovelace.org\tLondon
Grace Hopper\tgrace.hopper@gmial.com\tArlington
Alan Turing\talan@turing.uk\tManchester
Hedy Lamarr\thedy@gmial.com\tVienna
Katherine Johnson\tkatherine@johnson@orbit.org\tHampton
Annie Easley\t\tCleveland
Dorothy Vaughan\tdorothy@vaughan.org\tHampton
Edsger Dijkstra\tedsger@dijkstra.nl\tRotterdam
Barbara Liskov\tbarbara@liskov.io\tBoston
Ada L.\tADA@lovelace.org\tLondon
Radia Perlman\tradia@perlman.net\tSeattle
Frances Allen\tfrances.allen@gmail.com\tCroton
John Backus\tjohn.backus@gmail.com\tAshland
Margaret Hamilton\tmargaret.hamilton@gmail.com\tBoston
Evelyn Berezin\tevelyn.berezin@gmail.com\tNew York
`;

type Screen = { name: string; path: string; stage?(page: Page): Promise<unknown> };

/** What the README shows, and what is done on a page before it is shown. */
const screens: Screen[] = [
  { name: "overview", path: "" },
  {
    name: "people",
    path: "/people",
    async stage(page) {
      await page.locator("tbody tr a").nth(3).click();
      await page.getByRole("heading", { name: "What happened" }).waitFor();
    },
  },
  {
    name: "paste",
    path: "/imports/new",
    async stage(page) {
      await page.locator(".cm-content").click();
      await page.keyboard.insertText(pasted);
      await page.getByRole("button", { name: /^Check/ }).click();
      await page.getByRole("heading", { name: "What will happen" }).waitFor();
    },
  },
  { name: "api", path: "/api" },
];

async function take(browser: Browser, { url }: Product, colorScheme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await signIn(page, url, demoOwner.email, demoOwner.password);
  await page.waitForURL(/\/n\/[^/]+$/);
  const base = page.url();
  for (const { name, path, stage } of screens) {
    await page.goto(base + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await stage?.(page);
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: "disabled" });
    console.log(`${name}, ${colorScheme}`);
  }
  await context.close();
}

await mkdir(folder, { recursive: true });
const product = await startProduct({ args: ["--demo"] });
const browser = await chromium.launch(await findBrowser());
try {
  for (const colorScheme of ["light", "dark"] as const) await take(browser, product, colorScheme);
} finally {
  await browser.close();
  await product.stop();
}
