import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { openLinks } from "../server/mail/signed-links";
import { signUpFormMs, signUpInputs } from "../server/sign-up/schema/sign-up-page";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, linkIn } from "./fixtures/dashboard";
import { AUTH_SECRET } from "./fixtures/products";

const dashboard = dashboardOfFile({ readers: false });
let url: string;
/** Another site, which shows whatever form it was given. */
let site: { server: Server; origin: string; form: string };

// The first test switches the page on for the others.
test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  // As links call the product, which is told no APP_URL.
  url = `http://localhost:${new URL(dashboard.url).port}/s/${dashboard.newsletterId}`;
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${site.form}</html>`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  site = { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, form: "" };
});
test.afterAll(() => site?.server.close());

async function personOf(name: string): Promise<{ id: string; status: string; name: string } | undefined> {
  const query = new URLSearchParams({ email: dashboard.email(name), include: "fields" });
  const answer = await dashboard.call("GET", `/subscribers?${query}`);
  return ((await answer.json()) as { data: { id: string; status: string; name: string }[] }).data[0];
}

const PHONE = { viewport: { width: 390, height: 760 } };

/** A phone that may go to the other site. */
async function phone(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page> {
  return (await browser.newContext({ ...PHONE, ...options })).newPage();
}

/** Makes the form one that was opened long enough ago to be filled in by a person. */
async function ageForm(page: Page): Promise<void> {
  const links = openLinks({ secrets: [AUTH_SECRET], appUrl: dashboard.url });
  const time = links.signUpTime(dashboard.newsletterId, Date.now() - signUpFormMs.least);
  await page
    .locator(`input[name="${signUpInputs.time}"]`)
    .evaluate((input, value) => Object.assign(input, { value }), time);
}

test("staff design the page with a live preview, switch it on and copy its forms; two tabs do not overwrite each other", async () => {
  const page = await dashboard.open("editor");
  const settings = dashboard.at("/settings");
  await page.goto(`${settings}/fields`);
  const fields = page.getByRole("region", { name: "Fields" });
  await fields.getByRole("button", { name: "Define a field" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await dialog.getByLabel("Label").fill("Edition");
  await dialog.getByLabel("Type").selectOption("Choice from a list");
  await dialog.getByLabel("Choices").fill("Print\nDigital");
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  await expect(dialog).toHaveCount(0);

  const design = `${settings}/sign-up`;
  await page.getByRole("link", { name: "Sign-up page" }).click();
  await page.waitForURL(design);
  const section = page.getByRole("main");
  const preview = section.frameLocator("iframe");
  await expect(preview.getByRole("button", { name: "Subscribe", includeHidden: true })).toBeVisible();
  await section.getByLabel("Title").fill("Letters about engines");
  await section.getByLabel("Introduction").fill("Every Friday.\n\nFive minutes to read.");
  await expect(preview.getByText("Five minutes to read.")).toBeVisible();
  await section.getByLabel("Edition").check();
  await expect(preview.getByText("Edition")).toBeVisible();
  await section.getByLabel("Consent wording").fill("");
  await expect(section.getByLabel("Consent wording")).toHaveAccessibleDescription(
    /Enter the consent wording/,
  );
  await section.getByLabel("Consent wording").fill("Send me Weekly. I can leave at any time.");
  await section.getByRole("switch", { name: "Page is on" }).check();
  expect((await page.request.get(url)).status()).toBe(404);
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The page is on.")).toBeVisible();
  expect((await page.request.get(url)).status()).toBe(200);
  await expect(section.getByRole("link", { name: url })).toBeVisible();

  const other = await dashboard.open("editor");
  await other.goto(design);
  const late = other.getByRole("main");
  await expect(late.getByLabel("Title")).toHaveValue("Letters about engines");
  await section.getByLabel("Introduction").fill("Every Friday.");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.locator("pre").first()).toContainText("form.js");
  const shown = async () => (await page.request.get(url)).text();
  await expect.poll(shown).not.toContain("Five minutes to read.");
  await late.getByLabel("Title").fill("Something else");
  await late.getByRole("button", { name: "Save" }).click();
  await expect(late.getByRole("alert")).toContainText("The sign-up page was changed");
  site.form = (await section.locator("pre").first().textContent()) ?? "";

  const viewer = await dashboard.open("viewer");
  await viewer.goto(design);
  const read = viewer.getByRole("main");
  await expect(read.getByText("Only owners and editors can change this.")).toBeVisible();
  await expect(read.getByRole("button", { name: "Save" })).toHaveCount(0);
});

test("on a phone an error appears at its input, and the button in the email activates the subscriber", async () => {
  const page = await dashboard.open("nobody", PHONE);
  await page.goto(url);
  await expect(page.getByRole("heading")).toHaveText("Letters about engines");
  await checkAccessibility(page);
  await expect(page.getByLabel("Leave this field empty")).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type("ada@localhost");
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Edition").selectOption("Print");
  await ageForm(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/Enter a complete email address/);
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill("ada@gmial.com");
  const button = await page.getByRole("button", { name: "Subscribe" }).boundingBox();
  expect(button?.height).toBeGreaterThanOrEqual(44);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("alert")).toHaveText("Did you mean ada@gmail.com? Nothing is saved yet.");
  await expect(page.getByRole("alert")).toBeInViewport();
  await expect(page.getByRole("button", { name: "Keep my address" })).toBeInViewport({ ratio: 1 });
  await checkAccessibility(page, "question");
  await page.getByLabel("Email").fill(dashboard.email("ada"));
  await page.getByRole("button", { name: "Subscribe with ada@gmail.com" }).click();
  await expect(page.getByRole("heading")).toHaveText("Almost done");
  await checkAccessibility(page, "thanks");
  expect(await page.context().cookies()).toEqual([]);
  expect(await personOf("ada")).toMatchObject({
    status: "pending",
    name: "Ada Lovelace",
    fields: { edition: "Print" },
  });
  await page.goto(linkIn(await dashboard.mail("ada"), "confirm"));
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByText("You’re on the list.")).toBeVisible();
  expect((await personOf("ada"))?.status).toBe("active");
});

test("a form on another site answers in place, or without scripts opens the page", async ({ browser }) => {
  const page = await phone(browser);
  await page.goto(site.origin);
  await page.getByLabel("Email").fill("joan@localhost");
  await page.getByLabel("Name").fill("Joan Clarke");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("Enter a complete email address")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill("joan@gmial.com");
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("Did you mean joan@gmail.com?");
  await expect(page.getByRole("button", { name: "Subscribe with joan@gmail.com" })).toBeVisible();
  await page.getByLabel("Email").fill(dashboard.email("joan"));
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("You get an email with a button");
  expect(new URL(page.url()).origin).toBe(site.origin);
  expect((await personOf("joan"))?.status).toBe("pending");

  const plain = await phone(browser, { javaScriptEnabled: false });
  await plain.goto(site.origin);
  await plain.getByLabel("Email").fill(dashboard.email("alan"));
  await plain.getByRole("button", { name: "Subscribe" }).click();
  await expect(plain.getByLabel("Email")).toHaveValue(dashboard.email("alan"));
  await ageForm(plain);
  await plain.getByRole("button", { name: "Submit again" }).click();
  await expect(plain.getByRole("heading")).toHaveText("Almost done");
  expect((await personOf("alan"))?.status).toBe("pending");
});

test("the dashboard filters people by the sign-up page and shows what each agreed to", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?source=public"));
  await expect(page.locator("tbody tr")).toHaveCount(3);
  await page.getByRole("link", { name: dashboard.email("alan") }).click();
  const panel = page.getByRole("complementary", { name: "Person" });
  await expect(panel).toContainText("Added through the sign-up page");
  await expect(panel).toContainText(
    "Agreed on the sign-up page: “Send me Weekly. I can leave at any time.” (wording 1)",
  );
  await expect(panel).toContainText(`Form on ${site.origin}`);
});
