import { expect, test } from "@playwright/test";
import { openLinks } from "../server/mail/signed-links";
import { signUpFormMs } from "../server/sign-up/schema/sign-up-page";
import { dashboardOfFile, mailsAre } from "./fixtures/dashboard";
import { AUTH_SECRET } from "./fixtures/products";

const BUDGET = 50;
const OVER = 100;

const dashboard = dashboardOfFile({ readers: false });

/** Signs addresses up as a program does that posts the form of the page. */
async function signUp(emails: string[]): Promise<void> {
  const links = openLinks({ secrets: [AUTH_SECRET], appUrl: dashboard.url });
  const time = links.signUpTime(dashboard.newsletterId, Date.now() - signUpFormMs.least);
  for (const email of emails) {
    const answer = await fetch(`${dashboard.url}/s/${dashboard.newsletterId}`, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ email, time }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: "done" }]);
  }
}

test("many sign-ups with addresses of one small domain: emails stop at the daily budget, others don't wait, and a higher limit sends the rest", async () => {
  const town = `town.${dashboard.domain}`;
  const arrived = async () =>
    (await dashboard.mails()).filter(({ to }) => String(to).includes("@town")).length;
  const page = await dashboard.open("owner");
  const save = async (label: string, value: string) => {
    await page.goto(dashboard.at("/settings"));
    await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Save" }).first().click();
  };
  const domain = "Sign-up confirmations per day to one domain";
  await save(domain, "0");
  await expect(page.getByLabel(domain)).toHaveAccessibleDescription(/whole number from 1 to 100,000/);
  await save(domain, String(BUDGET));
  await expect(page.getByText("Saved.")).toBeVisible();

  await page.goto(dashboard.at("/settings/sign-up"));
  await page.getByRole("switch", { name: "Page is on" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The page is on.")).toBeVisible();

  await signUp(Array.from({ length: BUDGET + OVER }, (_, i) => `resident${i}@${town}`));
  await signUp([dashboard.email("elsewhere")]);
  await dashboard.mail("elsewhere");
  // A key may still add people of the town.
  const neighbour = { email: `neighbour@${town}`, status: "pending" };
  const added = await dashboard.call("POST", "/subscribers", neighbour);
  expect([added.status, added.headers.get("confirmation-mail")]).toEqual([201, "queued"]);
  await expect.poll(arrived).toBe(BUDGET + 1);
  await mailsAre(dashboard, "deferred", OVER);
  await page.goto(dashboard.at("/mails"));
  const reason = `${OVER} sign-up confirmations to ${town} wait: the limit is ${BUDGET} a day to one domain`;
  await expect(page.getByText(reason)).toBeVisible();
  expect(await arrived()).toBe(BUDGET + 1);

  await page.goto(dashboard.at(""));
  await page.getByRole("link", { name: `${OVER} emails over the daily limit` }).click();
  await expect(page.getByText(reason)).toBeVisible();
  await save(domain, String(BUDGET + OVER));
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect.poll(arrived).toBe(BUDGET + OVER + 1);
});
