import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Product, startProduct } from "../server/test/product";
import { closePages } from "./fixtures/dashboard";
import { startFakeResend } from "./fixtures/fake-resend";

let resend: Awaited<ReturnType<typeof startFakeResend>>;
let product: Product;
let key: string;

// The first test sets the installation up for the others.
test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  resend = await startFakeResend();
  product = await startProduct({
    env: {
      RESEND_API_KEY: "re_test_key",
      RESEND_BASE_URL: resend.url,
      MAIL_FROM: "Weekly <hello@weekly.org>",
    },
  });
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await product?.stop();
  await resend?.stop();
});

/** A browser without scripts that fails the test when a page asks another origin, or breaks its own policy. */
async function openQuietly(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  page.on("request", (request) => {
    const { protocol, port } = new URL(request.url());
    if (protocol !== "data:") expect(port, request.url()).toBe(new URL(product.url).port);
  });
  page.on("console", (message) => {
    expect(message.text()).not.toMatch(/Content.Security.Policy/i);
  });
  return page;
}

/** Adds a pending person and waits for their mail. @returns the link in it */
async function askPerson(email: string): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/subscribers`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ email, status: "pending" }),
  });
  expect(answer.status).toBe(201);
  const mailTo = () => resend.mails.find((mail) => [mail.to].flat().includes(email));
  await expect.poll(() => mailTo()?.text, { message: `a mail to ${email}`, timeout: 20_000 }).toBeTruthy();
  const link = /https?:\/\/\S+\/confirm\/[\w-]+/.exec(mailTo()?.text ?? "")?.[0];
  expect(mailTo()?.html).toContain(link);
  return link as string;
}

test("the set-up link, without scripts: errors at their fields, then a key that works, then it is used up", async ({
  browser,
}) => {
  const page = await openQuietly(browser);
  const link = /https?:\/\/\S+\/setup\?token=\S+/.exec(product.output())?.[0] as string;
  await page.goto(link);
  await page.getByLabel("Account").fill("Lovelace & Co");
  await page.getByLabel("Newsletter").fill("Weekly <3");
  await page.getByLabel("Your email").fill("ada@");
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Set up Rollcall" }).click();

  await expect(page.getByLabel("Your email")).toHaveAccessibleDescription(/nothing after the @/);
  await expect(page.getByLabel("Your email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/at least 10 characters/);
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Account")).toHaveValue("Lovelace & Co");
  await expect(page.getByLabel("Newsletter")).toHaveValue("Weekly <3");

  await page.getByLabel("Your email").fill("ada@lovelace.org");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Set up Rollcall" }).click();
  await expect(page.getByRole("heading", { name: "Rollcall is set up" })).toBeVisible();
  key = (await page.locator("pre").first().textContent()) ?? "";
  expect(key).toMatch(/^sk_[0-9A-Za-z]{32}$/);

  await page.goto(link);
  await expect(page.getByRole("heading")).toHaveText("This set-up link doesn’t work");
});

test("opening the mail's link changes nothing; its button confirms; a second press says so", async ({
  browser,
}) => {
  const link = await askPerson("grace@navy.mil");
  const page = await openQuietly(browser);
  for (let i = 0; i < 2; i++) {
    await page.goto(link);
    await expect(page.getByRole("heading")).toHaveText("Weekly <3");
    await expect(page.getByText("Not confirmed yet")).toBeVisible();
    await expect(page.getByText("grace@navy.mil")).toBeVisible();
  }
  const second = await openQuietly(browser);
  await second.goto(link);
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByText("You’re on the list.")).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);

  await second.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(second.getByText("on the list already")).toBeVisible();
  await second.goto(link);
  await second.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(second.getByText("You’re off the list.")).toBeVisible();
});

test("'This wasn't me' takes the address off the list, and a press on the other button later does not bring it back", async ({
  browser,
}) => {
  const link = await askPerson("alan@bletchley.org");
  const [page, late] = [await openQuietly(browser), await openQuietly(browser)];
  await page.goto(link);
  await late.goto(link);
  await page.getByRole("button", { name: "This wasn’t me" }).click();
  await expect(page.getByText("Your address is off the list")).toBeVisible();
  await late.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(late.getByText("This has been done already")).toBeVisible();
});

test("half a link is a calm page in the same design", async ({ browser }) => {
  const page = await openQuietly(browser);
  const answer = await page.goto(`${product.url}/confirm/AbCdEf`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("This link doesn’t work");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`on a phone, ${colorScheme}: fits 390 px, big targets, and the keyboard shows where it is`, async ({
    browser,
  }) => {
    const link = await askPerson(`mary-${colorScheme}@somerville.org`);
    const page = await openQuietly(browser, { viewport: { width: 390, height: 760 }, colorScheme });
    await page.goto(link);
    await expect(page.locator("body")).toHaveCSS(
      "background-color",
      colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(19, 20, 22)",
    );
    for (const button of await page.getByRole("button").all()) {
      const box = await button.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
    await page.keyboard.press("Tab");
    const confirm = page.getByRole("button", { name: "Confirm subscription" });
    await expect(confirm).toBeFocused();
    await expect(confirm).toHaveCSS("outline-style", "solid");
    await page.keyboard.press("Enter");
    await expect(page.getByText("You’re on the list.")).toBeVisible();
  });
}

test("a page and everything it asks for weigh less than 30 kB", async ({ browser }) => {
  const link = await askPerson("emmy@goettingen.de");
  const page = await openQuietly(browser);
  let bytes = 0;
  page.on("response", async (response) => {
    if (!response.url().startsWith("data:")) bytes += (await response.body()).byteLength;
  });
  await page.goto(link, { waitUntil: "networkidle" });
  expect(bytes).toBeGreaterThan(4_000);
  expect(bytes).toBeLessThan(30_000);
});
