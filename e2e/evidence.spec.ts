import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, faultsOf, mailsAre, startDashboard } from "./fixtures/dashboard";
import { startFakeResend } from "./fixtures/fake-resend";

const TOKEN = /confirm(?:\/|%2F)[\w-]{92}/;

async function create(dashboard: Dashboard, email: string): Promise<string> {
  const answer = await dashboard.call("POST", "/subscribers", { email, status: "pending" });
  expect(answer.status).toBe(201);
  return (await answer.json()).data.id;
}

const person = (dashboard: Dashboard, id: string) => dashboard.at(`/people?person=${id}`);
const panelOf = (page: Page) => page.getByRole("complementary", { name: "Person" });
const history = (page: Page) => panelOf(page).getByRole("listitem");

test("while mail leaves, staff see what became of a link and never the link; its press is told with mail and address", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const resend = await startFakeResend();
  const dashboard = await startDashboard({
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: resend.url,
    MAIL_FROM: "Paper & Ink <hello@paper.example>",
  });
  try {
    const page = await dashboard.open(browser, "owner");
    const answers: Promise<string>[] = [];
    page.on("response", (response) => answers.push(response.text().catch(() => "")));
    const id = await create(dashboard, "ada@lovelace.org");
    const mailTo = () => resend.mails.find(({ to }) => [to].flat().includes("ada@lovelace.org"));
    await expect.poll(() => mailTo()?.text, { timeout: 60_000 }).toMatch(TOKEN);
    await page.goto(person(dashboard, id));
    await expect(panelOf(page)).toContainText(/Link.*asked .*link expires .*not pressed/);
    await page.getByRole("button", { name: "More about this person" }).click();
    await expect(page.getByRole("menuitem", { name: "Export everything about them" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Copy confirmation link" })).toHaveCount(0);
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export everything about them" }).click();
    await download;
    await history(page).getByRole("link", { name: "Confirmation sent" }).click();
    const mail = page.getByRole("complementary", { name: "Mail" });
    await mail.getByRole("button", { name: "Plain text" }).click();
    await expect(mail).toContainText("/confirm/hidden");
    await expect(mail.getByRole("button", { name: "Copy link" })).toHaveCount(0);

    const path = /\/confirm\/[\w-]+/.exec(mailTo()?.text ?? "")?.[0] as string;
    const press = (action: string) =>
      fetch(dashboard.product.url + path, { method: "POST", body: new URLSearchParams({ action }) });
    expect((await press("confirm")).status).toBe(200);
    expect((await press("unsubscribe")).status).toBe(200);
    await page.goto(person(dashboard, id));
    await expect(history(page).nth(0)).toContainText("Unsubscribed by themselves, through their mailed link");
    await expect(history(page).nth(1)).toContainText(
      /Confirmed by themselves.*Through the link mailed to ada@lovelace.org: “Confirm your subscription to Weekly”.*From 127\.0\.0\.1/,
    );
    await expect(history(page).last()).toContainText(/Added by the API key/);
    expect(await faultsOf(page)).toEqual([]);
    const texts = await Promise.all(answers);
    expect(texts.some((text) => text.includes("/confirm/hidden"))).toBe(true);
    expect(texts.filter((text) => TOKEN.test(text))).toEqual([]);
    expect(dashboard.product.output()).not.toMatch(TOKEN);
    await page.context().close();
  } finally {
    await dashboard.stop();
    await resend.stop();
  }
});

test("while none leaves, a link that staff copy and press is their act, and nobody has confirmed", async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const dashboard = await startDashboard();
  try {
    const page = await dashboard.open(browser, "editor", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const id = await create(dashboard, "grace@navy.mil");
    await mailsAre(dashboard, "logged", 1, "grace@navy.mil");
    await page.goto(person(dashboard, id));
    await expect(history(page).first()).toContainText("kept here");
    await page.getByRole("button", { name: "More about this person" }).click();
    await page.getByRole("menuitem", { name: "Copy the id" }).click();
    await expect(page.getByText(`${id} is copied.`)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
    await page.getByRole("button", { name: "More about this person" }).click();
    await page.getByRole("menuitem", { name: "Copy confirmation link" }).click();
    await expect(page.getByText("nobody confirms by it")).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(TOKEN);
    const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await reader.goto(dashboard.product.url + new URL(link).pathname);
    await expect(reader.getByText("grace@navy.mil has not confirmed")).toBeVisible();
    await reader.getByRole("button", { name: "Make active" }).click();
    await expect(reader.getByText("Nobody has confirmed: this link was not mailed.")).toBeVisible();
    await page.reload();
    await expect(history(page).first()).toContainText(
      /Made active by editor.*With a confirmation link that was not mailed: nobody has confirmed.*From 127\.0\.0\.1/,
    );
    await expect(panelOf(page)).not.toContainText(/Confirmed by/);
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  } finally {
    await dashboard.stop();
  }
});
