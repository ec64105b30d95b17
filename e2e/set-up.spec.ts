import { expect, type Page, test } from "@playwright/test";
import { withClient } from "../server/platform/postgres/sessions";
import { checkAccessibility } from "./fixtures/accessibility";
import { type Dashboard, dashboardOf, mailsAre } from "./fixtures/dashboard";
import { addReaders, completeAccount, newDomain, PASSWORD } from "./fixtures/furnished";
import { outputOf, RESEND_KEY, sharedProduct, WEBHOOK_SECRET } from "./fixtures/products";

// From an empty installation to mails that leave: each test goes on where the one before ended.
test.describe.configure({ mode: "serial" });

let dashboard: Dashboard;

test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const notice = (page: Page) => page.getByText(/email is not set up/i);
const domain = (page: Page, name: string) =>
  page.getByRole("region", { name: "Domains" }).getByRole("listitem").filter({ hasText: name });

test("the set-up link shows errors at their fields, then signs the owner in, then is used up", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const shared = await sharedProduct("empty", test.info().file);
  const account = { newsletterId: "", key: "", domain: newDomain() };
  dashboard = dashboardOf(browser, shared, account);
  const page = await dashboard.open("nobody");
  await page.goto(shared.url);
  await expect(page.getByRole("heading")).toHaveText("Rollcall is not set up yet");
  await checkAccessibility(page);
  const link = /https?:\/\/\S+\/setup\?token=\S+/.exec(await outputOf("empty"))?.[0] as string;
  await page.goto(link);
  await page.getByLabel("Account").fill("Lovelace & Co");
  await page.getByLabel("Newsletter").fill("Weekly <3");
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Your email").fill("ada@");
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Set up Rollcall" }).click();

  await expect(page.getByLabel("Your email")).toHaveAccessibleDescription(/nothing after the @/);
  await expect(page.getByLabel("Your email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/at least 10 characters/);
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Account")).toHaveValue("Lovelace & Co");
  await expect(page.getByLabel("Newsletter")).toHaveValue("Weekly <3");
  await checkAccessibility(page);

  await page.getByLabel("Your email").fill(dashboard.email("owner"));
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set up Rollcall" }).click();
  await expect(page.getByRole("region", { name: /^Get started/ })).toBeVisible();
  await expect(page.getByText("Ada Lovelace")).toBeVisible();
  await page.getByRole("link", { name: "API", exact: true }).click();
  await page.getByRole("button", { name: "New key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("First key");
  await page.getByRole("button", { name: "Create key" }).click();
  const created = page.getByRole("dialog", { name: "Key created" });
  account.key = (await created.locator("pre").first().textContent()) ?? "";
  expect(account.key).toMatch(/^sk_[0-9A-Za-z]{32}$/);
  await page.goto(link);
  await expect(page.getByRole("heading")).toHaveText("This set-up link doesn’t work");

  const me = await dashboardOf(browser, shared, account).call("GET", "/me");
  account.newsletterId = (await me.json()).data.newsletter.id;
  dashboard = dashboardOf(browser, shared, account);
  await completeAccount(shared, account);
  await addReaders(shared, account);
});

test("an owner pastes a provider key, and emails are sent without a restart; stored emails are not sent by themselves", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Settings, Sending" }).click();
  await page.waitForURL(dashboard.at("/settings/sending"));
  await expect(notice(page)).toBeVisible();
  const key = page.getByLabel("API key");
  const sender = page.getByLabel("Sender");
  const save = page.getByRole("button", { name: "Test and save" });
  await checkAccessibility(page, "no key");

  await key.fill("sk_of_something_else");
  await sender.fill("Paper & Ink");
  await save.click();
  await expect(page.getByText("This is not a Resend API key")).toBeVisible();
  await expect(page.getByText("Enter the sender as an address")).toBeVisible();
  await expect(key).toBeFocused();
  await sender.fill("Paper & Ink <hello@list.example>");
  await key.fill("re_ofSomebodyElse");
  await save.click();
  await expect(page.getByText("Resend rejected this key.")).toBeVisible();
  await expect(notice(page)).toBeVisible();

  await key.fill(RESEND_KEY);
  await save.click();
  await expect(page.getByText("Resend accepted the key.")).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await expect(page.getByText("25 confirmation emails were stored before email was set up")).toBeVisible();
  await expect(key).toHaveValue("");
  await expect(domain(page, "list.example")).toContainText("Verified");
  expect(await page.content()).not.toContain(RESEND_KEY);

  await dashboard.addPending("first");
  await mailsAre(dashboard, "sent", 1);
  expect(await dashboard.mails()).toMatchObject([
    { from: "Paper & Ink <hello@list.example>", to: [dashboard.email("first")] },
  ]);
});

test("the rest of the first day needs no terminal: test email, list with opt-outs, sign-up page, API call, teammate", async () => {
  const page = await dashboard.open("owner");
  let clicks = 0;
  const click = async (name: string | RegExp, role: "button" | "link" | "checkbox" | "switch" = "button") => {
    clicks++;
    await page.getByRole(role, { name }).first().click();
  };
  const beganAt = Date.now();
  await page.goto(dashboard.at("/mails/confirmation"));
  await click("Send a test to me");
  await expect(page.getByRole("link", { name: "See the test" })).toBeVisible();
  await mailsAre(dashboard, "sent", 1, "owner");

  await page.goto(dashboard.at("/imports/new"));
  await page.mouse.move(400, 400);
  await expect(page.locator("[data-ready] .cm-content")).toBeVisible();
  const file = `email,name,unsubscribed_at\nnew@day.example,Nora New,\nleft@day.example,Leo Left,2024-02-03\n`;
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "old-list.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await click(/^Check 2 people/);
  await expect(page.getByRole("heading", { name: "Plan" })).toBeVisible();
  await page.getByLabel("Where did they agree?").fill("Spring fair");
  await click(/agreed to receive/, "checkbox");
  await click(/^Add /);
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("region", { name: "Result" })).toContainText("2 new");
  const listed = await (await dashboard.call("GET", "/subscribers?limit=100")).json();
  const statusOf = (email: string) =>
    listed.data.find((one: { email: string }) => one.email === email)?.status;
  expect([statusOf("new@day.example"), statusOf("left@day.example")]).toEqual(["pending", "unsubscribed"]);

  await page.goto(dashboard.at("/settings/sign-up"));
  await click("Page is on", "switch");
  await click("Save");
  await expect(page.getByText("Saved. The page is on.")).toBeVisible();

  await page.goto(`${dashboard.url}/docs#GET/api/v1/me`);
  await page.getByRole("textbox", { name: "API key, for “Try it”" }).fill(dashboard.key);
  const me = page.getByRole("region", { name: "Test an API key" });
  await me.getByText("Try it").click();
  await me.getByRole("button", { name: "Send GET /api/v1/me" }).click();
  clicks += 2;
  await expect(me.getByText("200 OK")).toBeVisible();

  await page.goto(dashboard.at("/settings/staff"));
  await click("Invite a teammate");
  await page.getByRole("dialog").getByLabel("Email").fill(dashboard.email("teammate"));
  await page.getByRole("dialog").getByRole("button", { name: /invit/i }).click();
  clicks++;
  await expect(page.getByRole("dialog")).toContainText(`${dashboard.email("teammate")} receives an email`);
  console.log(`first day: ${clicks} clicks, ${Math.round((Date.now() - beganAt) / 1000)} s`);
  expect(clicks).toBeLessThanOrEqual(14);
});

test("with the secret of Resend’s webhook, emails show their delivery", async () => {
  expect(await dashboard.report("first", "email.delivered")).toBe(404);
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings/sending"));
  await expect(page.getByText("/api/webhooks/resend")).toBeVisible();
  const secret = page.getByLabel("Webhook signing secret");
  await secret.fill("whsec_no");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This is not a webhook signing secret")).toBeVisible();
  await secret.fill(WEBHOOK_SECRET);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("A secret is stored. Leave empty to keep it.")).toBeVisible();
  await expect(secret).toHaveValue("");
  expect(await page.content()).not.toContain(WEBHOOK_SECRET);

  expect(await dashboard.report("first", "email.delivered")).toBe(200);
  await page.goto(dashboard.at("/mails?state=delivered"));
  await expect(page.getByText(dashboard.email("first"))).toBeVisible();
});

test("the sender is changed without the key, and the domain's state at Resend is shown; editors only read", async () => {
  const page = await dashboard.open("owner");
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
  await checkAccessibility(page, "a key");

  const editor = await dashboard.open("editor");
  await editor.goto(dashboard.at("/settings/sending"));
  await expect(
    editor.getByText(
      "Emails are sent through Resend, from hello@elsewhere.example unless a newsletter has its own sender",
    ),
  ).toBeVisible();
  await expect(editor.getByText("Only owners can change this.")).toBeVisible();
  await expect(editor.getByRole("main").getByRole("textbox")).toHaveCount(0);
});

test("while emails are paused, the Emails page shows since when, why and who can resume; none is sent meanwhile", async () => {
  await withClient(dashboard.databaseUrl, async (client) => {
    const page = await dashboard.open("owner");
    await client.query("UPDATE send_pace SET paused_at = now(), paused_by = 'restore'");
    await dashboard.addPending("paused");
    await page.goto(dashboard.at("/mails"));
    const banner = page.getByText(/No email has been sent since .*Rollcall was restored from a backup/);
    await expect(banner).toContainText("mails resume");
    expect(await dashboard.mails("paused")).toEqual([]);
    await client.query("UPDATE send_pace SET paused_at = NULL, paused_by = NULL");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Emails" })).toBeVisible();
    await expect(banner).toHaveCount(0);
  });
});

test("removing the key asks first; emails are stored again, and the log records who removed it", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings/sending"));
  await page.getByRole("button", { name: "Remove the key" }).click();
  const question = page.getByRole("dialog", { name: "Remove the key?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Remove the key" }).click();
  await question.getByRole("button", { name: "Remove key" }).click();
  await expect(notice(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "Test and save" })).toBeVisible();
  await dashboard.addPending("last");
  await mailsAre(dashboard, "logged", 1, "last");
  expect(await dashboard.mails("last")).toEqual([]);
  await page.goto(dashboard.at("/settings/log"));
  await expect(
    page.getByText("removed the key of the email provider, so that no emails are sent"),
  ).toBeVisible();
  await expect(
    page.getByText(
      "set a new key for the email provider; emails are sent as Paper & Ink <hello@list.example>",
    ),
  ).toBeVisible();
  expect(await page.content()).not.toContain(RESEND_KEY);
});
