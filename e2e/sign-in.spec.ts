import { type Browser, expect, type Page, test } from "@playwright/test";
import { type Dashboard, faultsOf, signIn, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";
import { PASSWORD } from "./fixtures/furnished";

const NEW_PASSWORD = "harbour lamp seven ink";

let resend: FakeResend;
let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  resend = await startFakeResend();
  dashboard = await startDashboard({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: resend.url,
    MAIL_FROM: "Paper & Ink <hello@paper.example>",
  });
});
test.afterAll(async () => {
  await dashboard?.stop();
  await resend?.stop();
});

/** Waits for a mail with this subject. @returns the link in it */
async function linkOf(email: string, subject: string): Promise<string> {
  const find = () =>
    resend.mails.find((mail) => [mail.to].flat().includes(email) && mail.subject === subject);
  await expect.poll(() => find() !== undefined, { message: subject, timeout: 30_000 }).toBe(true);
  return /^http\S+$/m.exec(find()?.text ?? "")?.[0] as string;
}

/** A browser that has never been here. */
const stranger = async (browser: Browser) => (await browser.newContext()).newPage();
const settings = () => dashboard.at("/settings/you");
const isInside = (page: Page) => expect(page.getByRole("navigation").first()).toBeVisible();

test("a forgotten password is replaced through the link in a mail; who was signed in is signed out", async ({
  browser,
}) => {
  const email = "viewer@rollcall.dev";
  const before = await dashboard.open(browser, "viewer");
  await before.goto(settings());
  await isInside(before);

  const page = await stranger(browser);
  await page.goto(`${dashboard.product.url}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // Text that is typed before React runs is lost.
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Email").fill(email);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Mail me a link" }).click();
  await expect(page.getByRole("status")).toContainText(`If somebody signs in as ${email}`);

  const link = await linkOf(email, "Choose a new Rollcall password");
  // Whatever reads a mail may open its links: nothing changes by that, and the address of the page goes nowhere.
  for (let i = 0; i < 2; i++) {
    const answer = await page.goto(link);
    expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
  }
  await expect(page.getByText(email)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByLabel("New password").fill("password123");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This password is one of those tried first.")).toBeVisible();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { name: "Your password is changed" })).toBeVisible();
  await linkOf(email, "Your Rollcall password was changed");

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link is closed" })).toBeVisible();
  await before.reload();
  await expect(before).toHaveURL(/\/sign-in/);
  await signIn(page, dashboard.product.url, email, PASSWORD);
  await expect(page.getByText("That email and password don't go together.")).toBeVisible();
  await signIn(page, dashboard.product.url, email, NEW_PASSWORD);
  await isInside(page);
});

test("one's name changes at once, one's address when the link in the mail to it is pressed", async ({
  browser,
}) => {
  const [old, email] = ["editor@rollcall.dev", "edith@rollcall.dev"];
  const page = await dashboard.open(browser, "editor");
  await page.goto(settings());
  const you = page.getByRole("region", { name: "You" });
  await you.getByLabel("Your name").fill("Edith Clarke");
  await you.getByRole("button", { name: "Change name" }).click();
  await expect(page.getByText("The name is changed.")).toBeVisible();
  await you.getByLabel("New address").fill(email);
  await you.getByRole("button", { name: "Change address" }).click();
  await expect(you.getByRole("status")).toContainText(`A link is mailed to ${email}.`);
  expect(await faultsOf(page)).toEqual([]);

  const link = await linkOf(email, "Confirm your new address for Rollcall");
  const elsewhere = await stranger(browser);
  await elsewhere.goto(link);
  await page.reload();
  await expect(page.getByText(old).first()).toBeVisible();
  expect(await faultsOf(elsewhere)).toEqual([]);
  await elsewhere.getByRole("button", { name: "Use this address" }).click();
  await expect(elsewhere.getByRole("heading", { name: "Your address is changed" })).toBeVisible();
  await linkOf(old, "Your Rollcall account has another address");

  await signIn(elsewhere, dashboard.product.url, email);
  await isInside(elsewhere);
  await page.reload();
  await expect(page.getByText(email).first()).toBeVisible();
  await expect(page.getByText("Edith Clarke").first()).toBeVisible();
});

test("a sign-in in the same browser replaces its session; a session elsewhere can be ended", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(settings());
  const ends = page
    .getByRole("region", { name: "You" })
    .getByRole("button", { name: "Sign out", exact: true });
  await expect(page.getByText("this one")).toBeVisible();
  const others = await ends.count();

  const elsewhere = await stranger(browser);
  await signIn(elsewhere, dashboard.product.url, "owner@rollcall.dev");
  await isInside(elsewhere);
  // Signed in again without having signed out.
  const again = await elsewhere.request.post(`${dashboard.product.url}/api/auth/sign-in/email`, {
    headers: { origin: dashboard.product.url },
    data: { email: "owner@rollcall.dev", password: PASSWORD },
  });
  expect(await again.json()).toEqual({});
  await page.reload();
  await expect(ends).toHaveCount(others + 1);
  await ends.first().click();
  await expect(ends).toHaveCount(others);
  await elsewhere.goto(settings());
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});
