import { expect, type Page, test } from "@playwright/test";
import { places } from "../components/shell/places";
import { dashboardOfFile, mailsAre } from "./fixtures/dashboard";
import { clipboard } from "./fixtures/import-form";
import { outputOf, setDatabase } from "./fixtures/products";

/** While emails are not sent, no sentence may claim that one was, is or will be sent. */
const claims = [
  /\b(was|were|is|are|been|being|be) (sent|mailed|emailed|e-mailed|delivered|posted)\b/i,
  /\b(sent|mailed|emailed) (a|an|the|them|him|her|you|to|\d+)\b/i,
  /\bon (its|their) way\b/i,
  /\bgo(es)? out\b/i,
  /\b(an?|the) e?mail goes to\b/i,
  /\b(is|are) queued\b/i,
];

const dashboard = dashboardOfFile({ variant: "degraded" });

/** Sentences of a text that claim what did not happen. "Not sent" and "No mail is sent" claim nothing. */
const claimsIn = (text: string) =>
  text
    .split(/[.\n"]+/)
    .filter((sentence) => !/\b(no|not|none|nothing|nobody|unsent|never|until)\b/i.test(sentence))
    .filter((sentence) => claims.some((claim) => claim.test(sentence)));

async function claimsNothing(page: Page, where: string): Promise<void> {
  expect(claimsIn(await page.locator("body").innerText()), where).toEqual([]);
}

const notice = (page: Page) => page.getByRole("main").getByText(/email is not set up/i);

test("the check finds forbidden words", () => {
  for (const sentence of [
    "1 email was sent",
    "An email is on its way",
    "The email goes to Ada",
    "They were mailed to confirm",
    "We emailed you",
  ])
    expect(claimsIn(sentence)).toEqual([sentence]);
  expect(claimsIn("No email is sent. None leaves until an email provider is set up")).toEqual([]);
});

test("without a Resend key no page, toast, answer or log line claims that an email was sent", async () => {
  const page = await dashboard.open("owner");
  const toasts: string[] = [];
  await page.exposeFunction("keepToast", (text: string) => toasts.push(text));
  await page.addInitScript(() => {
    const keep = (window as unknown as { keepToast(text: string): void }).keepToast;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.closest(".mantine-Notifications-root"))
            keep(node.innerText);
    }).observe(document, { childList: true, subtree: true });
  });

  // One person, and what is said before it is saved; a mistyped domain is asked about.
  await page.goto(dashboard.at("/people"));
  await page.getByRole("button", { name: "Add person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("kept@gmial.com");
  await dialog.getByRole("button", { name: "kept@gmail.com" }).click();
  await expect(dialog.getByLabel("Email")).toHaveValue("kept@gmail.com");
  await expect(
    dialog.getByText("A confirmation email to kept@gmail.com is stored but not sent"),
  ).toBeVisible();
  await claimsNothing(page, "the form of a person");
  await dialog.getByRole("button", { name: "Add 1 person" }).click();
  await expect(page.getByText(/kept@gmail.com added\..*stored but not sent/)).toBeVisible();
  await claimsNothing(page, "a person's panel");

  // Many people.
  await page.goto(dashboard.at("/people?status=pending"));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: /^Send .*confirmation/ }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByText(/stored but not sent|No emails to send|Not sent to/).first()).toBeVisible();
  await claimsNothing(page, "the question before many emails");
  await page.keyboard.press("Escape");

  // A list.
  await page.goto(dashboard.at("/imports/new"));
  await page.getByRole("textbox", { name: "The list" }).click();
  await page.keyboard.insertText("one@lovelace.org\ntwo@lovelace.org\n");
  await page.getByRole("radio", { name: /^Pending/ }).check();
  await page.getByRole("button", { name: "Check 2 people" }).click();
  await expect(
    page.getByText("are added as pending, and their confirmation emails are stored but not sent"),
  ).toBeVisible();
  await claimsNothing(page, "the plan of an import");
  await page.getByLabel("Where did they agree?").fill("The fair");
  await page.getByRole("checkbox", { name: /have agreed/ }).check();
  await page.getByRole("button", { name: "Add 2 people" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: /^(Add|Send)/ });
  await expect(confirm.or(page.getByRole("heading", { name: /^Import #/ }))).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}/);
  await expect(page.getByText(/2.*new/).first()).toBeVisible();
  await claimsNothing(page, "the report of an import");

  for (const { path: place } of [...places, { path: "/mails/confirmation" }]) {
    await page.goto(dashboard.at(place));
    await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
    await expect(notice(page).first()).toBeVisible();
    await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
    await claimsNothing(page, place || "overview");
  }

  // A test email, and the panel of a mail that was kept.
  await page.goto(dashboard.at("/mails/confirmation"));
  await page.getByRole("button", { name: "Send a test to me" }).click();
  await expect(page.getByText(/A test email to .* is stored but not sent/)).toBeVisible();
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("button", { name: /two@lovelace.org/ }).click();
  await expect(page.getByRole("complementary", { name: "Email" })).toBeVisible();
  await claimsNothing(page, "an email's panel");

  // The API's answers, the log of the product and every toast.
  const answer = await dashboard.call("POST", "/subscribers", {
    email: "api@lovelace.org",
    status: "pending",
  });
  expect(claimsIn(await answer.text())).toEqual([]);
  expect(toasts.length).toBeGreaterThan(0);
  expect(claimsIn(toasts.join("\n")), "toasts").toEqual([]);
  expect(claimsIn(await outputOf("degraded")), "the log").toEqual([]);
});

test("while email can't be sent, a link that staff copy and press counts as their act, not as a confirmation", async () => {
  const page = await dashboard.open("editor", clipboard);
  const grace = dashboard.email("grace");
  const created = await dashboard.call("POST", "/subscribers", { email: grace, status: "pending" });
  const { id } = (await created.json()).data;
  await mailsAre(dashboard, "logged", 1, "grace");
  await page.goto(dashboard.at(`/people?person=${id}`));
  const panel = page.getByRole("complementary", { name: "Person" });
  const history = panel.getByRole("listitem");
  await expect(history.first()).toContainText("not sent: no provider was configured");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy ID" }).click();
  await expect(page.getByText(`Copied: ${id}`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  // A page without https has no clipboard.
  const held = await page.evaluateHandle(() => navigator.clipboard);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy confirmation link" }).click();
  await expect(page.getByText("It is not their confirmation.")).toBeVisible();
  const link = await held.evaluate((board) => board.readText());
  const reader = await dashboard.open("nobody", { javaScriptEnabled: false });
  await reader.goto(link);
  await expect(reader.getByText(`${grace} has not confirmed`)).toBeVisible();
  await reader.getByRole("button", { name: "Make active" }).click();
  await expect(reader.getByText("but has not confirmed: this link was not sent by email.")).toBeVisible();
  await page.reload();
  await expect(history.first()).toContainText(
    /Made active by editor.*With a copied confirmation link, so it is not their own confirmation.*From 127\.0\.0\.1/,
  );
  await expect(panel).not.toContainText(/Confirmed by/);
});

test("during a database outage there is one bar and no other error; typed text stays, and the page answers 503", async () => {
  const page = await dashboard.open("owner");
  // Here the browser may say that an answer was 503.
  page.removeAllListeners("console");
  await page.goto(dashboard.at("/settings/staff"));
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  const bar = page.getByRole("alert").filter({ hasText: "Rollcall can't reach its database." });
  let failed = 0;
  page.on("response", (response) => {
    if (response.status() === 503) failed++;
  });
  await setDatabase("cut");
  try {
    // The page is there; what it shows is not to be had, of several queries at once.
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "You" }).click();
    await expect(bar).toBeVisible();
    // Each query is tried again three times before it counts as failed.
    await expect.poll(() => failed).toBeGreaterThan(4);
    await expect(bar).toHaveCount(1);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    const reload = await page.request.get(dashboard.at("/settings/you"), { maxRedirects: 0 });
    expect([reload.status(), reload.headers()["retry-after"]]).toEqual([503, "2"]);
    const other = await page.context().newPage();
    expect((await other.goto(dashboard.at("/people")))?.status()).toBe(503);
    await expect(other.getByRole("heading", { name: "Rollcall can’t reach its database" })).toBeVisible();
    await setDatabase("fixed");
    // Each by itself, without a click.
    await expect(other.getByRole("heading", { level: 1 })).toHaveText(/^People/);
    await expect(page.getByRole("heading", { name: "Active sessions" })).toBeVisible();
    await expect(page.getByText("this one")).toBeVisible();
    await expect(bar).toHaveCount(0);
  } finally {
    await setDatabase("fixed");
  }
});
