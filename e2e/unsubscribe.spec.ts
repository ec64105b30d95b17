import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Product, runAdmin, startProduct } from "../server/test/product";
import { closePages, faultsOf } from "./fixtures/dashboard";
import { startFakeResend } from "./fixtures/fake-resend";

let resend: Awaited<ReturnType<typeof startFakeResend>>;
let product: Product;
let key: string;

test.beforeAll(async () => {
  resend = await startFakeResend();
  product = await startProduct({
    env: {
      RESEND_API_KEY: "re_test_key",
      RESEND_BASE_URL: resend.url,
      MAIL_FROM: "Weekly <hello@weekly.org>",
    },
  });
  const setup = ["setup", "--account", "Acme", "--newsletter", "Weekly", "--email", "you@acme.org"];
  const made = await runAdmin<{ key: { secret: string } }>(
    [...setup, "--password", "correct horse battery"],
    {
      DATA_DIR: product.dataDir,
    },
  );
  key = made.key.secret;
});
test.afterAll(async ({ browser }) => {
  await closePages(browser);
  await product?.stop();
  await resend?.stop();
});

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${product.url}/api/v1/subscribers${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: read as any program would
  return ((await answer.json()) as any).data;
}

/** A new person. @returns their unsubscribe link, and what they are now */
async function add(email: string) {
  const { id } = await call("POST", "", { email });
  const { unsubscribe } = await call("POST", `/${id}/links`);
  return { link: unsubscribe as string, status: async () => (await call("GET", `/${id}`)).status };
}

/** A phone; fails the test when a page asks another origin, or breaks its own policy. */
async function openQuietly(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 760 }, ...options });
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

for (const javaScriptEnabled of [true, false]) {
  test(`opening the link changes nothing, its button unsubscribes, and coming back takes the mail's button (scripts: ${javaScriptEnabled})`, async ({
    browser,
  }) => {
    const email = `ada-${javaScriptEnabled}@lovelace.org`;
    const { link, status } = await add(email);
    const page = await openQuietly(browser, { javaScriptEnabled });
    for (let i = 0; i < 3; i++) {
      await page.goto(link);
      await expect(page.getByRole("heading")).toHaveText("Weekly");
      await expect(page.getByText(email)).toHaveCount(0);
    }
    expect(await status()).toBe("active");

    await page.getByRole("button", { name: "Unsubscribe" }).click();
    await expect(page).toHaveTitle(/^You are unsubscribed/);
    expect(await status()).toBe("unsubscribed");
    await page.goto(link);
    await page.getByRole("button", { name: "Send me an email to come back" }).click();
    await expect(page.getByText("is on its way to you")).toBeVisible();
    await expect(page.getByRole("button")).toHaveCount(0);
    expect(await status()).toBe("pending");

    const mailTo = () => resend.mails.find((mail) => [mail.to].flat().includes(email));
    await expect.poll(() => mailTo()?.text, { timeout: 20_000 }).toBeTruthy();
    await page.goto(/https?:\/\/\S+\/confirm\/[\w-]+/.exec(mailTo()?.text ?? "")?.[0] as string);
    await page.getByRole("button", { name: "Confirm subscription" }).click();
    await expect(page.getByText("You’re on the list.")).toBeVisible();
    expect(await status()).toBe("active");
    await page.context().close();
  });
}

test("one click of a mail program: 200 at once, without a redirect or a cookie, also as a repeat", async () => {
  const { link, status } = await add("grace@navy.mil");
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  for (const body of [new URLSearchParams({ "List-Unsubscribe": "One-Click" }), form]) {
    const answer = await fetch(link, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { Origin: "https://mail.example" },
    });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await status()).toBe("unsubscribed");
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`on a phone, ${colorScheme}: fits 390 px, big targets, the keyboard does it, and a double click does one thing`, async ({
    browser,
  }) => {
    const { link, status } = await add(`mary-${colorScheme}@somerville.org`);
    const page = await openQuietly(browser, { colorScheme });
    await page.goto(link);
    await expect(page.getByText("To come back later, open this link again")).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    const button = page.getByRole("button", { name: "Unsubscribe" });
    const pressed = await button.boundingBox();
    expect(pressed?.height).toBeGreaterThanOrEqual(44);
    expect((pressed?.x ?? 0) + (pressed?.width ?? 999)).toBeLessThanOrEqual(390);
    await page.keyboard.press("Tab");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveTitle(/^You are unsubscribed/);
    // The next button does not stand where the pressed one was: a double click must not ask for a mail.
    const next = await page.getByRole("button", { name: "Send me an email to come back" }).boundingBox();
    expect(next?.y).toBeGreaterThanOrEqual((pressed?.y ?? 999) + (pressed?.height ?? 999));
    expect(await status()).toBe("unsubscribed");
    await page.context().close();
  });
}

test("half a link is a calm page in the same design", async ({ browser }) => {
  const page = await openQuietly(browser);
  const answer = await page.goto(`${product.url}/unsubscribe/AbCdEf`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("This link doesn’t work");
});
