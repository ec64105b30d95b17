import { type Browser, expect, type Page, test } from "@playwright/test";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

/** Opens the reference; what it asks of another origin, and what the console says of errors, is noted. */
async function open(browser: Browser, options: Parameters<Browser["newContext"]>[0]) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["data:", "blob:"].includes(url.protocol) && url.origin !== dashboard.product.url)
      faults.push(`asked ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  await page.goto(`${dashboard.product.url}/docs`);
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
        colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(19, 20, 22)",
      );
      if (process.env.DOCS_SHOTS)
        await page.screenshot({ path: `${process.env.DOCS_SHOTS}/${width}-${colorScheme}.png` });
      await page.goto(`${dashboard.product.url}/docs#POST/api/v1/subscribers/bulk`);
      await expect(page.getByText("A person who unsubscribed is never brought back").first()).toBeAttached();
      if (process.env.DOCS_SHOTS)
        await page.screenshot({ path: `${process.env.DOCS_SHOTS}/${width}-${colorScheme}-b.png` });
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });
  }
}

for (const width of [1280, 390])
  test(`the guide for operators at ${width} px: linked from the reference, no error, nothing too wide`, async ({
    browser,
  }) => {
    const { page, faults } = await open(browser, { viewport: { width, height: 900 } });
    await page.getByRole("link", { name: "the guide for operators" }).click();
    await expect(page.getByRole("heading", { name: "Running Rollcall" })).toBeVisible();
    await page.getByRole("link", { name: "What each alarm means" }).click();
    await expect(page.getByRole("heading", { name: "What each alarm means" })).toBeInViewport();
    if (process.env.DOCS_SHOTS)
      for (const chapter of ["settings", "metrics"]) {
        await page.goto(`${dashboard.product.url}/docs/operators#${chapter}`);
        await page.screenshot({ path: `${process.env.DOCS_SHOTS}/guide-${width}-${chapter}.png` });
      }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });

test("a real call from the reference, with a key typed into it, answers 200", async ({ browser }) => {
  const { page, faults } = await open(browser, { viewport: { width: 1280, height: 900 } });
  await page.getByLabel("API key").fill(dashboard.key);
  await page.getByRole("link", { name: /^Test a key/ }).click();
  const operation = page.getByRole("region", { name: "Test a key" });
  await operation.getByText("Try it").click();
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/me"));
  await operation.getByRole("button", { name: "Send GET /api/v1/me" }).click();
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(((await answer.json()) as { data: { newsletter: { name: string } } }).data.newsletter.name).toBe(
    "Weekly",
  );
  await expect(operation.getByText("200 OK")).toBeVisible();
  expect(
    await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie])),
  ).not.toContain("sk_");
  if (process.env.DOCS_SHOTS) await page.screenshot({ path: `${process.env.DOCS_SHOTS}/call.png` });
  expect(faults).toEqual([]);
});

test("a create from the reference adds the person who was typed in, and the answer is shown", async ({
  browser,
}) => {
  const { page, faults } = await open(browser, { viewport: { width: 390, height: 800 } });
  await page.getByLabel("API key").fill(dashboard.key);
  const operation = page.getByRole("region", { name: "Add one person" });
  await operation.getByText("Try it").click();
  await operation.getByLabel("Body").fill('{"email": "grace@navy.mil"}');
  await operation.getByRole("textbox", { name: "dry_run" }).fill("true");
  await operation.getByRole("button", { name: /^Send POST/ }).click();
  await expect(operation.getByText("200 OK")).toBeVisible();
  await operation.getByRole("textbox", { name: "dry_run" }).fill("");
  await operation.getByRole("button", { name: /^Send POST/ }).click();
  await expect(operation.getByText("201 Created")).toBeVisible();
  await expect(operation.locator("form pre")).toContainText("grace@navy.mil");
  expect(faults).toEqual([]);
});

test("the manual for programs that read, at /llms.txt", async ({ request }) => {
  const answer = await request.get(`${dashboard.product.url}/llms.txt`);
  expect(answer.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(await answer.text()).toContain("## Retries");
});
