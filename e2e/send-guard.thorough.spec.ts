import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, mailsAre } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";
import { staffAt } from "./fixtures/staff";

const PEOPLE = 201;

const dashboard = dashboardOfFile({ readers: false });

const underWay = (page: Page) => page.getByRole("region", { name: "In progress" });
const bar = (page: Page) => page.getByRole("region", { name: "Selected people" });

/** Imports pending people whose confirmations are cancelled in time: they have never been asked. */
async function addUnasked(domain: string): Promise<void> {
  const { newsletterId } = dashboard;
  const { trpc, addList } = await staffAt(dashboard.url, dashboard.email("editor"), PASSWORD);
  const rows = Array.from({ length: PEOPLE }, (_, i) => ({
    email: `reader${i}@${domain}`,
    name: i < 3 ? (["Ada", "Grace", "Alan"][i] as string) : "",
  }));
  const importId = await addList(newsletterId, rows, { statusRule: "pending" });
  const state = async () => (await trpc.imports.get.query({ newsletterId, importId })).state;
  await expect.poll(state).toBe("done");
  expect(await trpc.mailings.cancel.mutate({ newsletterId, id: importId })).toMatchObject({ mails: PEOPLE });
}

async function saveDelay(page: Page, seconds: string): Promise<void> {
  await page.goto(dashboard.at("/settings"));
  await page.getByLabel("Undo window for bulk emails").fill(seconds);
  await page.getByRole("button", { name: "Save" }).first().click();
}

/** Selects everybody of a domain, and asks to send them confirmations. @returns the question */
async function askForAll(page: Page, domain: string) {
  await page.goto(dashboard.at(`/people?q=${domain}`));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar(page)
    .getByRole("button", { name: `Select all ${PEOPLE}` })
    .click();
  await bar(page).getByRole("button", { name: "Send confirmations" }).click();
  const question = page.getByRole("dialog", { name: `Send ${PEOPLE} confirmations?` });
  await expect(question).toContainText("To Ada, Grace, Alan and 198 others.");
  return question;
}

test("confirmations to 201 people need approval and can be cancelled after a reload, from a phone: none is sent", async () => {
  const owner = await dashboard.open("owner");
  await saveDelay(owner, "601");
  const delay = owner.getByLabel("Undo window for bulk emails");
  await expect(delay).toHaveAccessibleDescription(/0 to 600 seconds/);
  await saveDelay(owner, "600");
  await expect(owner.getByText("Saved.")).toBeVisible();

  const domain = `taken.${dashboard.domain}`;
  await addUnasked(domain);
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at(`/people?q=${domain}`));
  await page.locator("tbody input").first().check();
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText(`101–200 of ${PEOPLE}`)).toBeVisible();
  // The pending person is on the first page.
  await expect(bar(page).getByRole("button", { name: "Send confirmations" })).toBeVisible();
  const question = await askForAll(page, domain);
  await expect(question).toContainText("They are sent after 10 minutes.");
  const list = question.getByRole("link", { name: "See the list" });
  const pendingPeople = new RegExp(`/people\\?q=${domain}&status=pending$`);
  await expect(list).toHaveAttribute("href", pendingPeople);
  await checkAccessibility(page, "emails to many people");
  // A link to the action opens the same question. The list itself does not.
  await page.goto(dashboard.at(`/people?q=${domain}&action=confirm`));
  await expect(list).toHaveAttribute("href", pendingPeople);
  // Asking alone does nothing.
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await expect(underWay(page)).not.toContainText("confirmations");
  await bar(page).getByRole("button", { name: "Send confirmations" }).click();
  await question.getByRole("button", { name: `Send ${PEOPLE} confirmations` }).click();

  await expect(underWay(page)).toContainText(`${PEOPLE} confirmations are sent in`);
  await page.reload();
  await expect(underWay(page)).toContainText(`${PEOPLE} confirmations are sent in`);
  const phone = await dashboard.open("owner", { viewport: { width: 390, height: 844 } });
  await phone.goto(dashboard.at("/mails"));
  const cancel = underWay(phone).getByRole("button", { name: `Cancel ${PEOPLE} confirmations` });
  await expect(cancel).toBeInViewport();
  await cancel.click();
  await expect(phone.getByText(`${PEOPLE} confirmations cancelled before they were sent.`)).toBeVisible();
  await expect(underWay(page)).not.toContainText("are sent in");
  await mailsAre(dashboard, "waiting", 0);
  expect(await dashboard.mails()).toEqual([]);
  await page.goto(dashboard.at(`/people?q=${domain}&status=pending`));
  await expect(page.getByText(`1–100 of ${PEOPLE}`)).toBeVisible();
});
