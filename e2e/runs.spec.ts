import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile, faultsOf } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();
test.beforeAll(async () => {
  for (let batch = 0; batch < 12; batch++) {
    const people = Array.from({ length: 100 }, (_, i) => ({ email: `many${batch * 100 + i}@lovelace.org` }));
    const answer = await dashboard.call("POST", "/subscribers/bulk", people);
    expect(answer.status).toBe(201);
  }
});

const underWay = (page: Page) => page.getByRole("region", { name: "Under way" });
const bar = (page: Page) => page.getByRole("region", { name: "Selected people" });

async function selectAll(page: Page, search: string, expected: string): Promise<void> {
  await page.goto(dashboard.at(`/people?${search}`));
  await page.getByRole("checkbox", { name: "Select everybody on this page" }).check();
  await bar(page)
    .getByRole("button", { name: `Select all ${expected}` })
    .click();
  await expect(bar(page)).toContainText(`${expected} selected`);
}

test("1,200 people are unsubscribed though the browser is closed; the summary waits, and an undo brings them back", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor");
  await selectAll(page, "q=many", "1,200");
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("You can undo this for a day");
  await dialog.getByRole("button", { name: "Unsubscribe 1,200 people" }).click();
  await expect(bar(page)).toHaveCount(0);
  await page.context().close();

  const later = await dashboard.open(browser, "editor");
  await later.goto(dashboard.at("/mails"));
  await expect(underWay(later)).toContainText("1,200 people unsubscribed.", { timeout: 30_000 });
  for (const colorScheme of ["dark", "light"] as const) {
    await later.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await later.setViewportSize({ width, height: 800 });
      await expect(underWay(later).getByRole("button", { name: "Undo" })).toBeVisible();
      expect(await later.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await faultsOf(later), `${colorScheme} at ${width}`).toEqual([]);
    }
  }
  await later.goto(dashboard.at("/people?status=unsubscribed"));
  await expect(later.getByText("1–100 of 1,200")).toBeVisible();
  await underWay(later).getByRole("button", { name: "Undo" }).click();
  await expect(underWay(later)).toContainText("1,200 people as before.", { timeout: 30_000 });
  // The list that is open is read again by itself.
  await expect(later.getByRole("heading", { name: "Nobody matches" })).toBeVisible();
  await underWay(later).getByRole("button", { name: "Dismiss" }).click();
  await expect(underWay(later)).not.toContainText("as before");
  await later.reload();
  await expect(later.getByRole("heading", { name: "Nobody matches" })).toBeVisible();
  await expect(underWay(later)).not.toContainText("as before");
  await later.context().close();
});

test("erasing many asks for their number first", async ({ browser }) => {
  const page = await dashboard.open(browser, "editor");
  await selectAll(page, "q=many", "1,200");
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog");
  const erase = dialog.getByRole("button", { name: "Erase 1,200 people" });
  await expect(erase).toBeDisabled();
  await dialog.getByLabel("Type 1,200 to be sure").fill("12000");
  await expect(erase).toBeDisabled();
  await dialog.getByLabel("Type 1,200 to be sure").fill("1200");
  expect(await faultsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await page.context().close();
});

test("a few change at once with an undo beside it, by the keyboard too; a rejection puts the row back", async ({
  browser,
}) => {
  const page = await dashboard.open(browser, "editor");
  await page.goto(dashboard.at("/people?q=reader24"));
  const row = page.locator("tbody tr").first();
  await expect(row).toContainText("Active");
  await row.getByRole("checkbox").check();
  // The server is slow to answer: the row has changed before it does.
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/trpc/bulkActions.start**", async (route) => {
    await held;
    await route.continue();
  });
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).press("Enter");
  await expect(row).toContainText("Unsubscribed");
  answer();
  await expect(page.getByText("1 person unsubscribed.")).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(page.getByText("1 person as before.")).toBeVisible();
  await expect(row).toContainText("Active");

  // Long after the message has gone, the overview still has the way back.
  await page.unroute("**/api/trpc/bulkActions.start**");
  await row.getByRole("checkbox").check();
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  await expect(page.getByText("1 person unsubscribed.")).toBeVisible();
  await page.goto(dashboard.at(""));
  await page.getByRole("region", { name: "Lately" }).getByRole("button", { name: "Undo" }).first().click();
  await expect(page.getByText("1 person as before.")).toBeVisible();
  await page.goto(dashboard.at("/people?q=reader24"));
  await expect(row).toContainText("Active");

  await page.route("**/api/trpc/bulkActions.start**", (route) =>
    route.fulfill({
      status: 422,
      json: [
        {
          error: {
            json: {
              message: "Not now: nothing was changed.",
              code: -32600,
              data: { httpStatus: 422, code: "validation_error" },
            },
          },
        },
      ],
    }),
  );
  await row.getByRole("checkbox").check();
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  await expect(page.getByText("Not now: nothing was changed.")).toBeVisible();
  await expect(row).toContainText("Active");
  await page.context().close();
});
