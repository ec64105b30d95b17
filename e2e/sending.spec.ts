import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, faultsOf, mailsAre, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";

const KEY = "re_oneOfTheOwners";
const SECRET = `whsec_${Buffer.from("a secret that Resend showed once").toString("base64")}`;

let resend: FakeResend;
let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  resend = await startFakeResend({ apiKey: KEY });
  dashboard = await startDashboard({ RESEND_BASE_URL: resend.url });
});
test.afterAll(async () => {
  await dashboard?.stop();
  await resend?.stop();
});

const notice = (page: Page) => page.getByText(/no mail leaves until a mail service is set up/i);
const domain = (page: Page, name: string) =>
  page.getByRole("region", { name: "Domains" }).getByRole("listitem").filter({ hasText: name });

async function addPending(email: string): Promise<void> {
  const answer = await dashboard.call("POST", "/subscribers", { email, status: "pending" });
  expect(answer.status).toBe(201);
}

/** Axe finds nothing in either scheme and width, and nothing is cut off. */
async function isSound(page: Page): Promise<void> {
  for (const width of [390, 1280])
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await faultsOf(page), `${colorScheme} at ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
}

test("an owner pastes a key, and mails leave without a restart; what was kept before is not sent by itself", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Settings, Sending" }).click();
  await expect(notice(page)).toBeVisible();
  const key = page.getByLabel("API key");
  const sender = page.getByLabel("Sender");
  const save = page.getByRole("button", { name: "Test and save" });
  await expect(key).toBeVisible();
  await isSound(page);

  await key.fill("sk_of_something_else");
  await sender.fill("Paper & Ink");
  await save.click();
  await expect(page.getByText("This is not a Resend API key")).toBeVisible();
  await expect(page.getByText("Write the sender as an address")).toBeVisible();
  await expect(key).toBeFocused();
  await sender.fill("Paper & Ink <hello@list.example>");
  await key.fill("re_ofSomebodyElse");
  await save.click();
  await expect(page.getByText("Resend rejected this key.")).toBeVisible();
  await expect(notice(page)).toBeVisible();

  await key.fill(KEY);
  await save.click();
  await expect(page.getByText("Resend accepted the key.")).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await expect(page.getByText("25 confirmation emails were stored before email was set up")).toBeVisible();
  await expect(key).toHaveValue("");
  await expect(domain(page, "list.example")).toContainText("Verified");
  expect(await page.content()).not.toContain(KEY);
  await isSound(page);

  await addPending("first@lovelace.org");
  await mailsAre(dashboard, "sent", 1);
  expect(resend.mails).toMatchObject([
    { from: "Paper & Ink <hello@list.example>", to: ["first@lovelace.org"] },
  ]);
});

test("with the secret of Resend’s webhook mails show that they arrived", async ({ browser }) => {
  const page = await dashboard.open(browser, "owner");
  const webhook = `${dashboard.product.url}/api/webhooks/resend`;
  const [mail] = resend.mails;
  resend.webhook({ url: webhook, secret: SECRET });
  expect((await resend.report(mail as NonNullable<typeof mail>, "email.delivered")).status).toBe(404);

  await page.goto(dashboard.at("/mails?state=delivered"));
  await page.getByRole("link", { name: "Settings, Sending" }).click();
  await expect(page.getByText("/api/webhooks/resend")).toBeVisible();
  const secret = page.getByLabel("Webhook signing secret");
  await secret.fill("whsec_no");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This is not a webhook signing secret")).toBeVisible();
  await secret.fill(SECRET);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("A secret is stored. Leave empty to keep it.")).toBeVisible();
  await expect(secret).toHaveValue("");
  expect(await page.content()).not.toContain(SECRET);
  await isSound(page);

  expect((await resend.report(mail as NonNullable<typeof mail>, "email.delivered")).status).toBe(200);
  await page.goto(dashboard.at("/mails?state=delivered"));
  await expect(page.getByText("first@lovelace.org")).toBeVisible();
});

test("the sender is changed without the key, and its domain's state at Resend is said", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/settings/sending"));
  await expect(page.getByText("The stored key starts with re_one.")).toBeVisible();
  for (const [name, state] of [
    ["young.example", "Not verified"],
    ["elsewhere.example", "Not at Resend"],
  ] as const) {
    await page.getByLabel("Sender").fill(`hello@${name}`);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(domain(page, name)).toContainText(state);
  }
  await isSound(page);
});

test("who is no owner reads how mails leave, and is not asked to change it", async ({ browser }) => {
  for (const role of ["editor", "viewer"] as const) {
    const page = await dashboard.open(browser, role);
    await page.goto(dashboard.at("/settings/sending"));
    await expect(
      page.getByText(
        "Emails are sent through Resend, from hello@elsewhere.example unless a newsletter has its own sender",
      ),
    ).toBeVisible();
    await expect(page.getByText("Only owners can change this.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(0);
    await isSound(page);
  }
});

test("the key is removed after a question: mails are kept again, and the log knows who did it", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/settings/sending"));
  await page.getByRole("button", { name: "Remove the key" }).click();
  const question = page.getByRole("dialog", { name: "Remove the key?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove the key" }).click();
  await question.getByRole("button", { name: "Remove key" }).click();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "Test and save" })).toBeVisible();
  await addPending("second@lovelace.org");
  await mailsAre(dashboard, "logged", 1, "second@lovelace.org");
  expect(resend.mails).toHaveLength(1);
  await page.goto(dashboard.at("/settings/log"));
  await expect(
    page.getByText("removed the key of the email provider, so that no emails are sent"),
  ).toBeVisible();
  await expect(
    page.getByText(
      "set a new key for the email provider; emails are sent as Paper & Ink <hello@list.example>",
    ),
  ).toBeVisible();
  expect(await page.content()).not.toContain(KEY);
});
