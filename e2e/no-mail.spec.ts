import { expect, type Page, test } from "@playwright/test";
import { places } from "../components/shell/places";
import { dashboardOfFile, faultsOf } from "./fixtures/dashboard";

/** What no sentence may say while no mail leaves: that one was, is or will be sent. */
const claims = [
  /\b(was|were|is|are|been|being|be) (sent|mailed|emailed|e-mailed|delivered|posted)\b/i,
  /\b(sent|mailed|emailed) (a|an|the|them|him|her|you|to|\d+)\b/i,
  /\bon (its|their) way\b/i,
  /\bgo(es)? out\b/i,
  /\b(a|the) mail goes to\b/i,
  /\b(is|are) queued\b/i,
];

const dashboard = dashboardOfFile();

/** Sentences of a text that claim what did not happen. "Not sent" and "No mail is sent" claim nothing. */
const claimsIn = (text: string) =>
  text
    .split(/[.\n"]+/)
    .filter((sentence) => !/\b(no|not|none|nothing|nobody|unsent|never|until)\b/i.test(sentence))
    .filter((sentence) => claims.some((claim) => claim.test(sentence)));

async function claimsNothing(page: Page, where: string): Promise<void> {
  expect(claimsIn(await page.locator("body").innerText()), where).toEqual([]);
}

const notice = (page: Page) =>
  page.getByRole("main").getByText(/no mail leaves until a mail service is set up/i);

test("the words that are forbidden would be found", () => {
  for (const sentence of [
    "1 mail was sent",
    "A mail is on its way",
    "They were mailed to confirm",
    "We emailed you",
  ])
    expect(claimsIn(sentence)).toEqual([sentence]);
  expect(claimsIn("No mail is sent. None leaves until a mail service is set up")).toEqual([]);
});

test("without a Resend key no page, toast, answer or line of the log claims that a mail was sent", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const page = await dashboard.open(browser, "owner");
  page.setDefaultTimeout(20_000);
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
  await expect(dialog.getByText("A confirmation to kept@gmail.com is written and kept here")).toBeVisible();
  await claimsNothing(page, "the form of a person");
  await dialog.getByRole("button", { name: "Add 1 person" }).click();
  await expect(page.getByText(/kept@gmail.com is added\..*kept here/)).toBeVisible();
  await claimsNothing(page, "a person's panel");

  // Many people.
  await page.goto(dashboard.at("/people?status=pending"));
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  await page.getByRole("button", { name: /^Send .*confirmation/ }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByText(/kept here|Nobody gets a mail|get none/).first()).toBeVisible();
  await claimsNothing(page, "the question before many mails");
  await page.keyboard.press("Escape");

  // A list.
  await page.goto(dashboard.at("/imports/new"));
  await page.locator(".cm-content").click();
  await page.keyboard.insertText("one@lovelace.org\ntwo@lovelace.org\n");
  await page.getByRole("radio", { name: /^Pending/ }).check();
  await page.getByRole("button", { name: "Check 2 people" }).click();
  await expect(page.getByText("are added as pending, and their confirmations are kept here")).toBeVisible();
  await claimsNothing(page, "the plan of an import");
  await page.getByLabel("Where did they agree?").fill("The fair");
  await page.getByRole("checkbox", { name: /have agreed/ }).check();
  await page.getByRole("button", { name: "Add 2 people" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: /^(Add|Send)/ });
  await expect(confirm.or(page.getByRole("heading", { name: /^Paste #/ }))).toBeVisible();
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
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await page.goto(dashboard.at("/mails"));
      await expect(notice(page).first()).toBeVisible();
      expect(await faultsOf(page), `${colorScheme} at ${width}`).toEqual([]);
    }

  // A test mail, and the panel of a mail that was kept.
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto(dashboard.at("/mails/confirmation"));
  await page.getByRole("button", { name: "Send a test to me" }).click();
  await expect(page.getByText(/A test to .* is kept here/)).toBeVisible();
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("button", { name: /two@lovelace.org/ }).click();
  await expect(page.getByRole("complementary", { name: "Mail" })).toBeVisible();
  await claimsNothing(page, "a mail's panel");

  // The API's answers, the log of the product and every toast.
  const answer = await dashboard.call("POST", "/subscribers", {
    email: "api@lovelace.org",
    status: "pending",
  });
  expect(claimsIn(await answer.text())).toEqual([]);
  expect(toasts.length).toBeGreaterThan(0);
  expect(claimsIn(toasts.join("\n")), "toasts").toEqual([]);
  expect(claimsIn(dashboard.product.output()), "the log").toEqual([]);
  await page.context().close();
});
