import { expect, type Page, test } from "@playwright/test";
import { Client } from "pg";
import { type Dashboard, faultsOf, mailsAre, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";

const SECRET = `whsec_${Buffer.from("a secret that Resend showed once").toString("base64")}`;

let resend: FakeResend;
let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  resend = await startFakeResend();
  dashboard = await startDashboard({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: resend.url,
    RESEND_WEBHOOK_SECRET: SECRET,
    MAIL_FROM: "Paper & Ink <hello@paper.example>",
  });
  resend.webhook({ url: `${dashboard.product.url}/api/webhooks/resend`, secret: SECRET });
});
test.afterAll(async () => {
  await dashboard?.stop();
  await resend?.stop();
});

const mailTo = (email: string) => resend.mails.filter((mail) => [mail.to].flat().includes(email)).at(-1);

async function arrived(email: string, count = 1) {
  const arrivedMails = () => resend.mails.filter((mail) => [mail.to].flat().includes(email)).length;
  await expect.poll(arrivedMails, { message: `mails to ${email}`, timeout: 30_000 }).toBe(count);
  return mailTo(email) as NonNullable<ReturnType<typeof mailTo>>;
}

async function addPending(email: string): Promise<void> {
  const answer = await dashboard.call("POST", "/subscribers", { email, status: "pending" });
  expect(answer.status).toBe(201);
}

/** Axe finds nothing at both widths, and nothing is cut off. */
async function isSound(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await faultsOf(page), `at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

test("the confirmation in a newsletter's own wording: seen before it is sent, tested, sent, and the way on after confirming", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor", { colorScheme: "dark" });
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Confirmation mail" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  const mail = preview.frameLocator("iframe");
  await expect(mail.getByText("Please confirm that you want it.")).toBeVisible();
  await expect(mail.locator("body")).toHaveCSS("background-color", "rgb(19, 20, 22)");

  await page.getByLabel("Intro").fill("Hello {name}");
  await expect(page.getByLabel("Intro")).toHaveAccessibleDescription(/\{name\} can't be filled in/);
  await page.getByLabel("After confirming").fill("http://paper.example");
  await expect(page.getByLabel("After confirming")).toHaveAccessibleDescription(/beginning with https:/);
  await isSound(page);

  await page.getByLabel("Subject").fill("One click for {newsletter}");
  await page.getByLabel("Intro").fill("Hello <b>reader</b>,\n\n{newsletter} comes on Fridays.");
  await page.getByLabel("After confirming").fill("https://paper.example/welcome?a=1");
  await expect(mail.getByText("Weekly comes on Fridays.")).toBeVisible();
  await expect(mail.getByText("Hello <b>reader</b>,")).toBeVisible();
  await preview.getByText("Light", { exact: true }).click();
  await expect(mail.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await preview.getByText("Plain text").click();
  await expect(preview.locator("pre")).toContainText(
    "Weekly\n\nHello <b>reader</b>,\n\nWeekly comes on Fridays.",
  );

  await page.getByRole("button", { name: "Send a test to me" }).click();
  expect(await arrived("editor@rollcall.dev")).toMatchObject({ subject: "One click for Weekly" });
  // The wording of a test is not yet the newsletter's.
  await addPending("early@lovelace.org");
  expect((await arrived("early@lovelace.org")).subject).toBe("Confirm your subscription to Weekly");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await addPending("late@lovelace.org");
  const sent = await arrived("late@lovelace.org");
  expect(sent.subject).toBe("One click for Weekly");
  expect(sent.html).toContain("Hello &lt;b&gt;reader&lt;/b&gt;,");

  const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await reader.goto(/https?:\/\/\S+\/confirm\/[\w-]+/.exec(sent.text ?? "")?.[0] as string);
  await reader.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(reader.getByRole("link", { name: "Go to paper.example" })).toHaveAttribute(
    "href",
    "https://paper.example/welcome?a=1",
  );
  await reader.context().close();

  await page.reload();
  await page.getByRole("button", { name: "Use the default wording" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Use the default wording" })).toHaveCount(0);
  await page.context().close();
});

test("mails are found by address or name, with the keyboard, and the search is in the address", async ({
  browser,
}) => {
  await dashboard.call("POST", "/subscribers", {
    email: "k.johnson@orbit.example",
    name: "Katherine Johnson",
    status: "pending",
  });
  await arrived("k.johnson@orbit.example");
  const page = await dashboard.open(browser, "viewer");
  await page.goto(dashboard.at("/mails"));
  const rows = page.getByRole("main").locator("[data-mail]");
  await expect(rows.nth(5)).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.insertText("katherine jo");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("k.johnson@orbit.example");
  await expect(page).toHaveURL(/q=katherine/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("j");
  await expect(rows).toBeFocused();
  await isSound(page);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search by email or name" }).fill("nobody at all");
  await expect(page.getByRole("heading", { name: "No mail matches" })).toBeVisible();
  await isSound(page);
  await page.context().close();
});

test("who confirms is welcomed in the newsletter's words, can leave by one click, and shows as welcomed", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor", { colorScheme: "dark" });
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Welcome mail" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  const mail = preview.frameLocator("iframe");
  await expect(mail.getByText("From now on Weekly comes to this address.")).toBeVisible();
  await isSound(page);
  await page.getByLabel("Send it to everybody who confirms").check();
  await page.getByRole("textbox", { name: "Text" }).fill("Good to have you.\n\n{newsletter} comes on {day}.");
  await expect(page.getByRole("textbox", { name: "Text" })).toHaveAccessibleDescription(
    /\{day\} can't be filled in/,
  );
  await page
    .getByRole("textbox", { name: "Text" })
    .fill("Good to have you.\n\n{newsletter} comes on Fridays.");
  await expect(mail.getByText("Weekly comes on Fridays.")).toBeVisible();
  await expect(mail.getByRole("link", { name: "Unsubscribe" })).toBeVisible();
  await isSound(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Who confirms from now on is welcomed.")).toBeVisible();

  await addPending("welcome@lovelace.org");
  const asked = await arrived("welcome@lovelace.org");
  const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await reader.goto(/https?:\/\/\S+\/confirm\/[\w-]+/.exec(asked.text ?? "")?.[0] as string);
  await reader.getByRole("button", { name: "Confirm subscription" }).click();
  const welcome = await arrived("welcome@lovelace.org", 2);
  expect(welcome.subject).toBe("Welcome to Weekly");
  const url = /https?:\/\/\S+\/unsubscribe\/[\w-]+/.exec(welcome.text ?? "")?.[0] as string;
  expect(welcome.headers).toMatchObject({ "List-Unsubscribe": `<${url}>` });
  await reader.context().close();

  await page.goto(dashboard.at("/people?q=welcome@lovelace.org"));
  await page.getByText("welcome@lovelace.org").first().click();
  await expect(page.getByRole("link", { name: "Welcome sent" })).toBeVisible();
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  await page.reload();
  await expect(page.getByText("Unsubscribed by themselves, through their mailed link")).toBeVisible();
  await page.context().close();
});

test("an owner decides what becomes of people who never answer, and sees first how many would go", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/settings/pending"));
  const section = page.getByRole("region", { name: "Pending people" });
  await section.getByLabel("Ask once more after 3 days").check();
  await expect(section.getByLabel("Remove people who never answer")).toBeChecked();
  await section.getByLabel("Days after they were asked last").fill("6");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByLabel("Days after they were asked last")).toHaveAccessibleDescription(
    /from 7 to 365/,
  );
  await section.getByLabel("Days after they were asked last").fill("45");
  await expect(section.getByRole("status")).toHaveText(/would be removed today: asked more than 45 days ago/);
  await isSound(page);
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. Who never answers is removed")).toBeVisible();
  await page.reload();
  await expect(section.getByLabel("Days after they were asked last")).toHaveValue("45");
  await page.goto(dashboard.at("/settings/log"));
  await expect(page.getByText("one reminder, removed after 45 days")).toBeVisible();
  await page.context().close();
});

test("a mail that Resend rejected shows why, and goes out again; only editors can send it", async ({
  browser,
}) => {
  resend.fault({ kind: "reject", address: "rejected@lovelace.org" });
  await addPending("rejected@lovelace.org");
  const page = await dashboard.open(browser, "editor");
  await mailsAre(dashboard, "failed", 1);
  await page.goto(dashboard.at("/mails"));
  await expect(page.getByText("1 mail failed")).toBeVisible();
  await isSound(page);
  resend.heal();

  const viewer = await dashboard.open(browser, "viewer");
  await viewer.goto(dashboard.at("/mails"));
  await expect(viewer.getByText("1 mail failed")).toBeVisible();
  await expect(viewer.getByRole("button", { name: /again/ })).toHaveCount(0);
  await viewer.context().close();

  await page.getByRole("button", { name: /rejected@lovelace.org/ }).click();
  const panel = page.getByRole("complementary", { name: "Mail" });
  await expect(panel.getByText("cannot be mailed")).toBeVisible();
  await isSound(page);
  const opened = page.url();
  await panel.getByRole("link", { name: "Correct the address" }).click();
  const person = page.getByRole("complementary", { name: "Person" });
  await expect(person.getByLabel("Email")).toHaveValue("rejected@lovelace.org");
  await person.getByRole("button", { name: "Cancel" }).click();
  await expect(person.getByLabel("Email")).toHaveCount(0);
  await expect(page).not.toHaveURL(/edit/);
  await page.goto(opened);
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await page.getByRole("button", { name: "Send 1 again" }).click();
  await expect(page.getByText("1 new mail is queued.")).toBeVisible();
  await expect(page.getByText("1 mail failed")).toHaveCount(0);
  await page.goto(opened);
  await expect(panel.getByRole("link", { name: "Another mail took its place." })).toBeVisible();
  await page.context().close();
});

test("what Resend reports stands at the mail and at the person: delivered; a dead address is not written to until somebody allows it", async ({
  browser,
}) => {
  await Promise.all(["good@lovelace.org", "dead@lovelace.org"].map(addPending));
  await resend.report(await arrived("good@lovelace.org"), "email.delivered");
  const bounce = { type: "Permanent", subType: "General", message: "550 no such user" };
  await resend.report(await arrived("dead@lovelace.org"), "email.bounced", { bounce });

  const page = await dashboard.open(browser, "editor");
  await page.goto(dashboard.at("/mails?state=delivered"));
  await page.getByRole("button", { name: /good@lovelace.org.*Delivered/ }).click();
  await page.getByRole("link", { name: "good@lovelace.org" }).click();
  const person = page.getByRole("complementary", { name: "Person" });
  // Above or below "sent": the provider's moment may be before the one in which its answer was read.
  await expect(person.getByRole("listitem").filter({ hasText: "Confirmation delivered" })).toBeVisible();

  await page.goto(dashboard.at("/mails?state=bounced"));
  await page.getByRole("button", { name: /dead@lovelace.org.*Bounced/ }).click();
  await expect(page.getByText("“550 no such user”")).toBeVisible();
  await page.getByRole("link", { name: "dead@lovelace.org" }).click();
  await expect(person.getByText("This address takes no mail")).toBeVisible();
  await expect(person.getByRole("listitem").first()).toContainText("Confirmation bounced");
  await expect(person.getByRole("button", { name: "Send confirmation again" })).toHaveCount(0);
  await isSound(page);
  await person.getByRole("button", { name: "Write to this address again" }).click();
  // Within a minute of the last one the button tells how long ago that was.
  const again = /^(Asked .+ ago|Asked just now|Send confirmation again)$/;
  await expect(person.getByRole("button", { name: again })).toBeVisible();
  await page.context().close();
});

test("somebody is invited by mail, follows its link and is in; an invitation can be seen and withdrawn", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/settings/staff"));
  const staff = page.getByRole("region", { name: "Staff" });
  const rowOf = (text: string) => staff.getByRole("listitem").filter({ hasText: text });
  const invite = async (email: string) => {
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send 1 invitation" }).click();
    await expect(page.getByRole("dialog")).toContainText(`A mail with this link goes to ${email}`);
    await page.getByRole("button", { name: "Close" }).click();
  };
  await invite("grace@navy.mil");
  const mail = await arrived("grace@navy.mil");
  expect(mail.subject).toContain("invites you to Paper & Ink");
  await mailsAre(dashboard, "sent", 1, "grace@navy.mil");
  await page.reload();
  await expect(rowOf("grace@navy.mil")).toContainText("mail sent");
  await isSound(page);
  await page.getByRole("button", { name: "More for grace@navy.mil" }).click();
  await page.getByRole("menuitem", { name: "See the mail" }).click();
  await expect(
    page.frameLocator(`iframe[title="The mail as it looks"]`).getByText("as an editor"),
  ).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();

  const link = /https?:\/\/\S+\/join\/[\w-]+/.exec(mail.text ?? "")?.[0] as string;
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(dashboard.product.url + new URL(link).pathname);
  await guest.getByLabel("Your name").fill("Grace Hopper");
  await guest.getByLabel("Password", { exact: true }).fill("a long enough password");
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await guest.waitForURL(/\/n\//);
  await guest.context().close();

  await invite("eve@navy.mil");
  const second = /\/join\/[\w-]+/.exec((await arrived("eve@navy.mil")).text ?? "")?.[0] as string;
  await page.getByRole("button", { name: "More for eve@navy.mil" }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await expect(rowOf("eve@navy.mil")).toHaveCount(0);
  await expect(rowOf("Grace Hopper")).toContainText("editor");
  await page.goto(dashboard.product.url + second);
  await expect(page.getByRole("heading")).toHaveText("This invitation is closed");
  await page.context().close();
});

test("while mails are paused the Mails page says since when, why and who ends it; nothing leaves meanwhile", async ({
  browser,
}) => {
  const client = new Client({ connectionString: dashboard.databaseUrl });
  await client.connect();
  const page = await dashboard.open(browser, "owner");
  try {
    await client.query("UPDATE send_pace SET paused_at = now(), paused_by = 'restore'");
    await addPending("paused@lovelace.org");
    await page.goto(dashboard.at("/mails"));
    const banner = page.getByText(/No mail has left since .*Rollcall was restored from a backup/);
    await expect(banner).toContainText("mails resume");
    expect(await faultsOf(page)).toEqual([]);
    expect(mailTo("paused@lovelace.org")).toBeUndefined();
    await client.query("UPDATE send_pace SET paused_at = NULL, paused_by = NULL");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Mails" })).toBeVisible();
    await expect(banner).toHaveCount(0);
  } finally {
    await client.query("UPDATE send_pace SET paused_at = NULL, paused_by = NULL");
    await client.end();
    await page.context().close();
  }
});
