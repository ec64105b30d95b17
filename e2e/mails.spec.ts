import { expect, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, linkIn, mailsAre } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";

const dashboard = dashboardOfFile();

const CONFIRM = "Confirm your subscription to Weekly";

test("a confirmation email in the newsletter's wording: previewed, tested, sent, and the redirect after confirming", async () => {
  const page = await dashboard.open("editor", { colorScheme: "dark" });
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Confirmation email" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  const mail = preview.frameLocator("iframe");
  await expect(mail.getByText("Please confirm your subscription.")).toBeVisible();
  await checkAccessibility(page);
  await expect(mail.locator("body")).toHaveCSS("background-color", "rgb(19, 20, 22)");

  await page.getByLabel("Intro").fill("Hello {name}");
  await expect(page.getByLabel("Intro")).toHaveAccessibleDescription(/\{name\} can't be filled in/);
  await page.getByLabel("After confirming").fill("http://paper.example");
  await expect(page.getByLabel("After confirming")).toHaveAccessibleDescription(/starting with https:/);
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
  await dashboard.mail("editor", "One click for Weekly");
  // The wording of a test is not yet the newsletter's.
  await dashboard.addPending("early");
  await dashboard.mail("early", CONFIRM);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await dashboard.addPending("late");
  const sent = await dashboard.mail("late", "One click for Weekly");
  expect(sent.html).toContain("Hello &lt;b&gt;reader&lt;/b&gt;,");

  const reader = await dashboard.open("nobody", { javaScriptEnabled: false });
  await reader.goto(linkIn(sent, "confirm"));
  await reader.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(reader.getByRole("link", { name: "Go to paper.example" })).toHaveAttribute(
    "href",
    "https://paper.example/welcome?a=1",
  );

  await page.reload();
  await page.getByRole("button", { name: "Use the default wording" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Use the default wording" })).toHaveCount(0);
});

test("emails are found by address or name, by keyboard, and the URL keeps the search", async () => {
  await dashboard.call("POST", "/subscribers", {
    email: dashboard.email("k.johnson"),
    name: "Katherine Johnson",
    status: "pending",
  });
  await dashboard.mail("k.johnson");
  const page = await dashboard.open("viewer");
  await page.goto(dashboard.at("/mails"));
  const rows = page.getByRole("main").locator("[data-mail]");
  await expect(rows.nth(5)).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.insertText("katherine jo");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(dashboard.email("k.johnson"));
  await expect(page).toHaveURL(/q=katherine/);
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Email" });
  await expect(panel).toContainText(dashboard.email("k.johnson"));
  await page.goBack();
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(/\/mails\?q=katherine/);
  await rows.press("Enter");
  await expect(panel).toContainText(dashboard.email("k.johnson"));
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rows).toBeFocused();
  await checkAccessibility(page);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search by email or name" }).fill("nobody at all");
  await expect(page.getByRole("heading", { name: "No matches" })).toBeVisible();
});

test("a confirmed person gets the welcome email in the newsletter's wording and can unsubscribe with one click", async () => {
  const page = await dashboard.open("editor", { colorScheme: "dark" });
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("link", { name: "Welcome email" }).click();
  const preview = page.getByRole("region", { name: "Preview" });
  const mail = preview.frameLocator("iframe");
  await expect(mail.getByText("You will receive Weekly at this address.")).toBeVisible();
  await checkAccessibility(page);
  await page.getByLabel("Send it to everyone who confirms").check();
  await page.getByRole("textbox", { name: "Text" }).fill("Good to have you.\n\n{newsletter} comes on {day}.");
  await expect(page.getByRole("textbox", { name: "Text" })).toHaveAccessibleDescription(
    /\{day\} can't be filled in/,
  );
  await page
    .getByRole("textbox", { name: "Text" })
    .fill("Good to have you.\n\n{newsletter} comes on Fridays.");
  await expect(mail.getByText("Weekly comes on Fridays.")).toBeVisible();
  await expect(mail.getByRole("link", { name: "Unsubscribe" })).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("New subscribers get this email after they confirm.")).toBeVisible();

  await dashboard.addPending("ada");
  const reader = await dashboard.open("nobody", { javaScriptEnabled: false });
  await reader.goto(linkIn(await dashboard.mail("ada", CONFIRM), "confirm"));
  await reader.getByRole("button", { name: "Confirm subscription" }).click();
  const welcome = await dashboard.mail("ada", "Welcome to Weekly");
  const url = linkIn(welcome, "unsubscribe");
  expect(welcome.headers).toMatchObject({ "List-Unsubscribe": `<${url}>` });

  await page.goto(dashboard.at(`/people?q=${dashboard.email("ada")}`));
  await page.getByText(dashboard.email("ada")).first().click();
  await expect(page.getByRole("link", { name: "Welcome sent" })).toBeVisible();
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  await page.reload();
  await expect(page.getByText("Unsubscribed by themselves, with the link in an email")).toBeVisible();
});

test("an owner decides what happens to people who never confirm, and first sees how many would be removed", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings/pending"));
  const section = page.getByRole("region", { name: "Pending people" });
  await section.getByLabel("Send a reminder after 3 days").check();
  await expect(section.getByLabel("Remove people who never confirm")).toBeChecked();
  await section.getByLabel("Days after the last confirmation request").fill("6");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(section.getByLabel("Days after the last confirmation request")).toHaveAccessibleDescription(
    /from 7 to 365/,
  );
  await section.getByLabel("Days after the last confirmation request").fill("45");
  await expect(section.getByRole("status")).toHaveText(
    /would be removed today: no answer for more than 45 days/,
  );
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. People who never confirm are removed")).toBeVisible();
  await page.reload();
  await expect(section.getByLabel("Days after the last confirmation request")).toHaveValue("45");
  await page.goto(dashboard.at("/settings/log"));
  await expect(page.getByText("one reminder, removed after 45 days")).toBeVisible();
});

test("a rejected email shows its reason and is sent again; only editors can send it", async () => {
  const address = dashboard.email("rejected");
  const accept = await dashboard.rejectMails("rejected");
  await dashboard.addPending("rejected");
  const page = await dashboard.open("editor");
  await mailsAre(dashboard, "failed", 1);
  await page.goto(dashboard.at("/mails"));
  await expect(page.getByText("1 email failed")).toBeVisible();
  await accept();

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/mails"));
  await expect(viewer.getByText("1 email failed")).toBeVisible();
  await expect(viewer.getByRole("button", { name: /again/ })).toHaveCount(0);

  await expect(page.getByRole("button", { name: /again/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Correct the address" }).click();
  await page.getByRole("searchbox").fill("rejected");
  await page.getByRole("searchbox").press("Enter");
  const panel = page.getByRole("complementary", { name: "Email" });
  await expect(panel.getByText("cannot be mailed")).toBeVisible();
  await checkAccessibility(page, "a mail");
  const opened = page.url();
  await panel.getByRole("link", { name: "Correct the address" }).click();
  const person = page.getByRole("complementary", { name: "Person" });
  await expect(person.getByLabel("Email")).toHaveValue(address);
  await person.getByRole("button", { name: "Cancel" }).click();
  await expect(person.getByLabel("Email")).toHaveCount(0);
  await expect(page).not.toHaveURL(/edit/);
  await page.goto(opened);
  await panel.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByText("1 new email is queued.")).toBeVisible();
  await page.goto(dashboard.at("/mails"));
  await expect(page.getByText(address).first()).toBeVisible();
  await expect(page.getByText("1 email failed")).toHaveCount(0);
  await page.goto(opened);
  await expect(panel.getByRole("link", { name: "Replaced by a newer email." })).toBeVisible();
});

test("Resend's reports show at the email and the person; a bounced address gets no email until staff allow it", {
  tag: "@thorough",
}, async () => {
  await Promise.all(["good", "dead"].map(dashboard.addPending));
  expect(await dashboard.report("good", "email.delivered")).toBe(200);
  const bounce = { type: "Permanent", subType: "General", message: "550 no such user" };
  expect(await dashboard.report("dead", "email.bounced", { bounce })).toBe(200);

  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/mails?state=delivered"));
  await page.getByRole("button", { name: new RegExp(`${dashboard.email("good")}.*Delivered`) }).click();
  await page.getByRole("link", { name: dashboard.email("good") }).click();
  const person = page.getByRole("complementary", { name: "Person" });
  // Above or below "sent": the provider's moment may be before the one in which its answer was read.
  await expect(person.getByRole("listitem").filter({ hasText: "Confirmation delivered" })).toBeVisible();

  await page.goto(dashboard.at("/mails?state=bounced"));
  await page.getByRole("button", { name: new RegExp(`${dashboard.email("dead")}.*Bounced`) }).click();
  await expect(page.getByText("“550 no such user”")).toBeVisible();
  await page.getByRole("link", { name: dashboard.email("dead") }).click();
  await expect(person.getByText("Email to this address bounces permanently")).toBeVisible();
  await expect(person.getByRole("listitem").first()).toContainText("Confirmation bounced");
  await expect(person.getByRole("button", { name: "Send confirmation again" })).toHaveCount(0);
  await person.getByRole("button", { name: "Allow email to this address" }).click();
  // Within a minute of the last one the button tells how long ago that was.
  const again = /^(Confirmation requested (.+ ago|just now)|Send confirmation again)$/;
  await expect(person.getByRole("button", { name: again })).toBeVisible();
});

test("an invited colleague follows the emailed link and joins; an invitation can be viewed and withdrawn", async () => {
  const page = await dashboard.open("owner");
  await page.goto(dashboard.at("/settings/staff"));
  const staff = page.getByRole("region", { name: "Staff" });
  const rowOf = (text: string) => staff.getByRole("listitem").filter({ hasText: text });
  const invite = async (email: string) => {
    await page.getByRole("button", { name: "Invite a teammate" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send 1 invitation" }).click();
    await expect(page.getByRole("dialog")).toContainText(`${email} receives an email with this link`);
    await page.getByRole("button", { name: "Close" }).click();
  };
  const [grace, eve] = [dashboard.email("grace"), dashboard.email("eve")];
  await invite(grace);
  const mail = await dashboard.mail("grace");
  expect(mail.subject).toContain("invites you to Paper & Ink");
  await mailsAre(dashboard, "sent", 1, "grace");
  await page.reload();
  await expect(rowOf(grace)).toContainText("email sent");
  await page.getByRole("button", { name: `More for ${grace}` }).click();
  await page.getByRole("menuitem", { name: "Show email and link" }).click();
  await expect(page.frameLocator(`iframe[title="Email preview"]`).getByText("as an editor")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();

  const guest = await dashboard.open("nobody");
  await guest.goto(linkIn(mail, "join"));
  await checkAccessibility(guest);
  await guest.getByLabel("Your name").fill("Grace Hopper");
  await guest.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await guest.getByRole("button", { name: "Join and sign in" }).click();
  await guest.waitForURL(/\/n\//);

  await invite(eve);
  const second = linkIn(await dashboard.mail("eve"), "join");
  await page.getByRole("button", { name: `More for ${eve}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await expect(rowOf(eve)).toHaveCount(0);
  await expect(rowOf("Grace Hopper")).toContainText("editor");
  await guest.goto(second);
  await expect(guest.getByRole("heading")).toHaveText("This invitation no longer works");
});
