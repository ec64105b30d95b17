import { expect, test } from "@playwright/test";
import { dashboardOfFile, mailsAre } from "./fixtures/dashboard";

const BUDGET = 50;
const OVER = 100;

const dashboard = dashboardOfFile({ readers: false });

async function addPending(emails: string[]): Promise<void> {
  for (let first = 0; first < emails.length; first += 100) {
    const people = emails.slice(first, first + 100).map((email) => ({ email, status: "pending" }));
    const answer = await dashboard.call("POST", "/subscribers/bulk", people);
    expect(answer.status).toBe(201);
  }
}

test("many addresses of one small domain from one key: emails stop at the daily budget, others don't wait, and staff release the rest", async () => {
  const town = `town.${dashboard.domain}`;
  const arrived = async () =>
    (await dashboard.mails()).filter(({ to }) => String(to).includes("@town")).length;
  const page = await dashboard.open("owner");
  const save = async (label: string, value: string) => {
    await page.goto(dashboard.at("/settings"));
    await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Save" }).first().click();
  };
  const [domain, delay] = ["Confirmations per day to one domain", "Undo window for bulk emails"] as const;
  await save(domain, "0");
  await expect(page.getByLabel(domain)).toHaveAccessibleDescription(/whole number from 1 to 100,000/);
  await save(domain, String(BUDGET));
  await expect(page.getByText("Saved.")).toBeVisible();
  // Long enough to cancel below, however slow the test is.
  await save(delay, "600");
  await expect(page.getByText("Saved.")).toBeVisible();

  await addPending(Array.from({ length: BUDGET + OVER }, (_, i) => `resident${i}@${town}`));
  await addPending([dashboard.email("elsewhere")]);
  await dashboard.mail("elsewhere");
  await mailsAre(dashboard, "deferred", OVER);
  await page.goto(dashboard.at("/mails"));
  const reason = `${OVER} confirmations to ${town} wait: the limit is ${BUDGET} a day to one domain`;
  await expect(page.getByText(reason)).toBeVisible();
  expect(await arrived()).toBe(BUDGET);

  const viewer = await dashboard.open("viewer");
  await viewer.goto(dashboard.at("/mails"));
  await expect(viewer.getByText(reason)).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^Release/ })).toHaveCount(0);

  await page.goto(dashboard.at(""));
  await page.getByRole("link", { name: `${OVER} emails over the daily limit` }).click();
  const release = `Release ${OVER} confirmations to ${town}`;
  const dialog = page.getByRole("dialog", { name: `${release}?` });
  await page.getByRole("button", { name: `Release ${OVER}` }).click();
  await expect(dialog).toContainText(`To resident${BUDGET}@${town}, resident${BUDGET + 1}@${town}`);
  await expect(dialog).toContainText("Erase or unsubscribe them instead");
  await dialog.getByRole("button", { name: release }).click();
  await page.getByRole("button", { name: `Cancel ${OVER} confirmations` }).click();
  await expect(page.getByText(`${OVER} confirmations cancelled before they were sent.`)).toBeVisible();
  await expect(page.getByText(reason)).toBeVisible();
  expect(await arrived()).toBe(BUDGET);

  await save(delay, "0");
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.goto(dashboard.at("/mails"));
  await page.getByRole("button", { name: `Release ${OVER}` }).click();
  await dialog.getByRole("button", { name: release }).click();
  await expect(page.getByText(`${OVER} confirmations released.`)).toBeVisible();
  await expect.poll(arrived).toBe(BUDGET + OVER);
  await page.goto(dashboard.at("/settings/log"));
  await expect(page.getByText(`released ${OVER} confirmations to ${town}`)).toHaveCount(2);
});
