import { expect, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile({ readers: false });

async function openDocs() {
  const page = await dashboard.open("nobody");
  await page.goto(`${dashboard.url}/docs`);
  await expect(page.getByRole("heading", { name: "Get a key" })).toBeVisible();
  return page;
}

test("the reference shows its chapters and links to an operation and the operators’ guide", async () => {
  const page = await openDocs();
  for (const chapter of ["First call", "Bulk", "Errors", "Limits", "Idempotency", "Retries"])
    await expect(page.getByRole("heading", { name: chapter, exact: true })).toBeVisible();
  await checkAccessibility(page);
  await page.goto(`${dashboard.url}/docs#POST/api/v1/subscribers/bulk`);
  await expect(page.getByRole("heading", { name: "Create subscribers in bulk" })).toBeInViewport();

  await page.getByRole("link", { name: "guides" }).click();
  await expect(page.getByRole("heading", { name: "Coming from another service" })).toBeVisible();
  await checkAccessibility(page);
  await page.getByRole("link", { name: "the operators’ guide" }).click();
  await expect(page.getByRole("heading", { name: "Running Rollcall" })).toBeVisible();
  await checkAccessibility(page);
  await page.getByRole("link", { name: "Alarms explained" }).click();
  await expect(page.getByRole("heading", { name: "Alarms explained" })).toBeInViewport();
});

test("calls from the reference use the typed key and show their responses; the key is not stored", async () => {
  const page = await openDocs();
  await page.getByRole("textbox", { name: "API key, for “Try it”" }).fill(dashboard.key);
  await page.getByRole("link", { name: /^Test an API key/ }).click();
  const me = page.getByRole("region", { name: "Test an API key" });
  await me.getByText("Try it").click();
  await me.getByRole("button", { name: "Send GET /api/v1/me" }).click();
  await expect(me.getByText("200 OK")).toBeVisible();
  await expect(me.locator("form pre")).toContainText("Weekly");

  const create = page.getByRole("region", { name: "Create a subscriber" });
  await create.getByText("Try it").click();
  await create.getByLabel("Body").fill('{"email": "grace@navy.mil"}');
  await create.getByRole("textbox", { name: "dry_run" }).fill("true");
  await create.getByRole("button", { name: /^Send POST/ }).click();
  await expect(create.getByText("200 OK")).toBeVisible();
  await create.getByRole("textbox", { name: "dry_run" }).fill("");
  await create.getByRole("button", { name: /^Send POST/ }).click();
  await expect(create.getByText("201 Created")).toBeVisible();
  await expect(create.locator("form pre")).toContainText("grace@navy.mil");
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect(kept).not.toContain("sk_");
});

test("the chosen language applies to all code samples, and a button copies a sample", async () => {
  const page = await openDocs();
  const first = page.locator(".codes").first();
  await expect(first.getByText("curl ", { exact: false }).first()).toBeVisible();
  await first.getByRole("button", { name: "Ruby" }).first().click();
  await expect(first.locator("pre:visible")).toContainText('require "net/http"');
  const create = page.getByRole("region", { name: "Create a subscriber" });
  await expect(create.locator(".codes").first().locator("pre:visible")).toContainText("Net::HTTP::Post");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await first.getByRole("button", { name: "Copy" }).click();
  await expect(first.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Net::HTTP::Post");
  await page.goto(`${dashboard.url}/docs/guides#receiving-webhooks`);
  await expect(page.getByRole("figure", { name: "Ruby" })).toContainText("OpenSSL::HMAC");
});
