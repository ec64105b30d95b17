import { expect, test } from "@playwright/test";
import { type Dashboard, faultsOf, mailsAre, startDashboard } from "./fixtures/dashboard";
import { type FakeResend, startFakeResend } from "./fixtures/fake-resend";

/** In `npm test` a twentieth of what BOMB_PEOPLE=10000 plays. */
const PEOPLE = Number(process.env.BOMB_PEOPLE ?? 500);
const BULK = 100;

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

const arrivedAt = (domain: string) =>
  resend.mails.filter((mail) => [mail.to].flat().some((to) => to.endsWith(`@${domain}`))).length;

async function addPending(emails: string[]): Promise<void> {
  const answer = await dashboard.call(
    "POST",
    "/subscribers/bulk",
    emails.map((email) => ({ email, status: "pending" })),
  );
  expect(answer.status).toBe(201);
}

test(`${PEOPLE} addresses of one small domain through one key: 50 mails leave, nobody else waits, and staff see why and release the rest`, async ({
  browser,
}) => {
  test.setTimeout(60_000 + PEOPLE * 30);
  const page = await dashboard.open(browser, "owner");
  await page.goto(dashboard.at("/settings"));
  await page.getByLabel("Confirmations a day to one domain").fill("0");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByLabel("Confirmations a day to one domain")).toHaveAccessibleDescription(
    /whole number from 1 to 100,000/,
  );
  await page.getByLabel("Confirmations a day to one domain").fill("50");
  await page.getByLabel("Delay of mails to many people").fill("8");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText("Saved.")).toBeVisible();

  const began = performance.now();
  for (let first = 0; first < PEOPLE; first += BULK)
    await addPending(Array.from({ length: BULK }, (_, i) => `resident${first + i}@smalltown.org`));
  const posted = performance.now();
  await addPending(["ada@elsewhere.org"]);
  await expect.poll(() => arrivedAt("elsewhere.org"), { timeout: 60_000 }).toBe(1);
  const elsewhere = performance.now();

  await mailsAre(dashboard, "deferred", PEOPLE - 50);
  await page.goto(dashboard.at("/mails"));
  const over = (PEOPLE - 50).toLocaleString("en");
  const reason = `${over} confirmations to smalltown.org wait: not more than 50 a day go to one domain`;
  await expect(page.getByText(reason)).toBeVisible();
  expect(arrivedAt("smalltown.org")).toBe(50);
  const figures = [
    `${PEOPLE} posted in ${((posted - began) / 1000).toFixed(1)} s`,
    `another domain's mail after ${Math.round(elsewhere - posted)} ms`,
    `all decided by ${((performance.now() - began) / 1000).toFixed(1)} s`,
    `${arrivedAt("smalltown.org")} mails to smalltown.org`,
  ];
  test.info().annotations.push({ type: "figures", description: figures.join("; ") });
  if (process.env.BOMB_PEOPLE) console.log(figures.join("; "));
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await faultsOf(page), `at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  const viewer = await dashboard.open(browser, "viewer");
  await viewer.goto(dashboard.at("/mails"));
  await expect(viewer.getByText(reason)).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^Release/ })).toHaveCount(0);
  await viewer.context().close();

  await page.goto(dashboard.at(""));
  await page.getByRole("link", { name: `${over} mails held back: more than the day’s budget` }).click();
  await page.getByRole("button", { name: `Release ${over}` }).click();
  const release = `Release ${over} confirmations to smalltown.org`;
  const dialog = page.getByRole("dialog", { name: `${release}?` });
  await expect(dialog).toContainText("To resident50@smalltown.org, resident51@smalltown.org");
  await expect(dialog).toContainText("erase or unsubscribe them instead");
  await dialog.getByRole("button", { name: release }).click();
  await page.getByRole("button", { name: `Cancel ${over} confirmations` }).click();
  await expect(page.getByText(`${over} confirmations cancelled; none of them left.`)).toBeVisible();
  await expect(page.getByText(reason)).toBeVisible({ timeout: 20_000 });
  expect(arrivedAt("smalltown.org")).toBe(50);
  await page.getByRole("button", { name: `Release ${over}` }).click();
  await dialog.getByRole("button", { name: release }).click();
  await expect(page.getByText(`${over} confirmations released.`)).toBeVisible();
  await expect.poll(() => arrivedAt("smalltown.org"), { timeout: 30_000 + PEOPLE * 20 }).toBe(PEOPLE);
  await page.goto(dashboard.at("/settings/log"));
  await expect(page.getByText(`released ${over} confirmations to smalltown.org`)).toHaveCount(2);
  await page.context().close();
});
