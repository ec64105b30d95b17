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

test("many addresses of one small domain from one key: emails stop at the daily budget, others don't wait, and a higher limit sends the rest", async () => {
  const town = `town.${dashboard.domain}`;
  const arrived = async () =>
    (await dashboard.mails()).filter(({ to }) => String(to).includes("@town")).length;
  const page = await dashboard.open("owner");
  const save = async (label: string, value: string) => {
    await page.goto(dashboard.at("/settings"));
    await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Save" }).first().click();
  };
  const domain = "Confirmations per day to one domain";
  await save(domain, "0");
  await expect(page.getByLabel(domain)).toHaveAccessibleDescription(/whole number from 1 to 100,000/);
  await save(domain, String(BUDGET));
  await expect(page.getByText("Saved.")).toBeVisible();

  await addPending(Array.from({ length: BUDGET + OVER }, (_, i) => `resident${i}@${town}`));
  await addPending([dashboard.email("elsewhere")]);
  await dashboard.mail("elsewhere");
  await mailsAre(dashboard, "deferred", OVER);
  await page.goto(dashboard.at("/mails"));
  const reason = `${OVER} confirmations to ${town} wait: the limit is ${BUDGET} a day to one domain`;
  await expect(page.getByText(reason)).toBeVisible();
  expect(await arrived()).toBe(BUDGET);

  await page.goto(dashboard.at(""));
  await page.getByRole("link", { name: `${OVER} emails over the daily limit` }).click();
  await expect(page.getByText(reason)).toBeVisible();
  await save(domain, String(BUDGET + OVER));
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect.poll(arrived).toBe(BUDGET + OVER);
});
