import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Product, runAdmin, startProduct } from "../server/test/product";

let product: Product;
let key: string;

test.beforeAll(async () => {
  product = await startProduct();
  const args = ["setup", "--account", "Acme", "--newsletter", "Weekly", "--email", "you@example.org"];
  const made = await runAdmin<{ key: { secret: string } }>([...args, "--password", "a long password"], {
    DATA_DIR: product.dataDir,
  });
  key = made.key.secret;
});
test.afterAll(async () => {
  await product?.stop();
});

/** Opens the reference; what it asks of another origin, and what the console says of errors, is noted. */
async function open(browser: Browser, options: Parameters<Browser["newContext"]>[0]) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== product.url)
      faults.push(`asked ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  await page.goto(`${product.url}/docs`);
  await expect(page.getByRole("heading", { name: "Get a key" })).toBeVisible({ timeout: 30_000 });
  return { page, faults };
}

/** What is wider than the window, if anything is. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const [width, height] of [
  [1280, 900],
  [390, 800],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`the reference at ${width} px, ${colorScheme}: nothing from elsewhere, no error, nothing too wide`, async ({
      browser,
    }) => {
      const { page, faults } = await open(browser, { viewport: { width, height }, colorScheme });
      for (const chapter of ["First call", "Bulk", "Errors", "Limits", "Idempotency", "Retries"])
        await expect(page.getByRole("heading", { name: chapter, exact: true })).toBeVisible();
      await expect(page.locator("body")).toHaveCSS(
        "background-color",
        colorScheme === "light" ? "rgb(251, 251, 249)" : "rgb(17, 18, 20)",
      );
      if (process.env.DOCS_SHOTS)
        await page.screenshot({ path: `${process.env.DOCS_SHOTS}/${width}-${colorScheme}.png` });
      // Operations are drawn when they come into view.
      await page.goto(`${product.url}/docs#POST/api/v1/subscribers/bulk`);
      await expect(page.getByText("A person who unsubscribed is never brought back").first()).toBeAttached();
      if (process.env.DOCS_SHOTS)
        await page.screenshot({ path: `${process.env.DOCS_SHOTS}/${width}-${colorScheme}-b.png` });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });
  }
}

test("a real call from the reference, with a key typed into it, answers 200", async ({ browser }) => {
  const { page, faults } = await open(browser, { viewport: { width: 1280, height: 900 } });
  await page.getByLabel("Bearer Token").first().fill(key);
  await page.getByRole("link", { name: /^Test a key/ }).click();
  await page.getByRole("button", { name: /Test Request.*\/api\/v1\/me/i }).click();
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/me"));
  await page.getByRole("button", { name: "Send Request" }).first().click();
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(((await answer.json()) as { data: { newsletter: { name: string } } }).data.newsletter.name).toBe(
    "Weekly",
  );
  await expect(page.getByText("200 OK").first()).toBeVisible();
  if (process.env.DOCS_SHOTS) await page.screenshot({ path: `${process.env.DOCS_SHOTS}/call.png` });
  expect(faults).toEqual([]);
});

test("the manual for programs that read, at /llms.txt", async ({ request }) => {
  const answer = await request.get(`${product.url}/llms.txt`);
  expect(answer.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(await answer.text()).toContain("## Retries");
});
