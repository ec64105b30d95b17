// The README's picture, taken anew from the demo by `npm run screenshots`: the People page, light and dark.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { demoOwner } from "../prisma/seed";
import { projectRoot } from "../server/project-root";
import { type Product, startProduct } from "../server/test/product";
import { findBrowser } from "./fixtures/browser";
import { signIn } from "./fixtures/dashboard";

const folder = join(projectRoot(), "e2e", "screenshots");

async function take(browser: Browser, { url }: Product, colorScheme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await signIn(page, url, demoOwner.email, demoOwner.password);
  await page.waitForURL(/\/n\/[^/]+$/);
  await page.goto(`${page.url()}/people`);
  await page.locator("tbody tr a").nth(3).click();
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.screenshot({ path: join(folder, `people-${colorScheme}.png`), animations: "disabled" });
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
