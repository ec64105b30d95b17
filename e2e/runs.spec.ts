import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();
const underWay = (page: Page) => page.getByRole("region", { name: "In progress" });
const bar = (page: Page) => page.getByRole("region", { name: "Selected people" });

async function selectAll(page: Page, search: string, expected: string): Promise<void> {
  await page.goto(dashboard.at(`/people?${search}`));
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar(page)
    .getByRole("button", { name: `Select all ${expected}` })
    .click();
  await expect(bar(page)).toContainText(`${expected} selected`);
}

test("250 people are unsubscribed with the browser closed; the summary stays, and an undo restores them", {
  tag: "@thorough",
}, async () => {
  const page = await dashboard.open("editor");
  await selectAll(page, "q=reader", "250");
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("You can undo this for a day");
  await dialog.getByRole("button", { name: "Unsubscribe 250 people" }).click();
  await expect(bar(page)).toHaveCount(0);
  await page.context().close();

  const later = await dashboard.open("editor");
  await later.goto(dashboard.at("/mails"));
  await expect(underWay(later)).toContainText("250 people unsubscribed.");
  await later.setViewportSize({ width: 390, height: 800 });
  await expect(underWay(later).getByRole("button", { name: "Undo" })).toBeInViewport();
  await later.setViewportSize({ width: 1280, height: 800 });
  await later.goto(dashboard.at("/people?status=unsubscribed"));
  await expect(later.getByText("1–100 of 250")).toBeVisible();
  await underWay(later).getByRole("button", { name: "Undo" }).click();
  await expect(underWay(later)).toContainText("250 people restored.");
  // The list that is open is read again by itself.
  await expect(later.getByRole("heading", { name: "No matches" })).toBeVisible();
  await underWay(later).getByRole("button", { name: "Dismiss" }).click();
  await expect(underWay(later)).not.toContainText("restored");
  await later.reload();
  await expect(later.getByRole("heading", { name: "No matches" })).toBeVisible();
  await expect(underWay(later)).not.toContainText("restored");
});

test("erasing many people asks for their number first", async () => {
  const page = await dashboard.open("editor");
  await selectAll(page, "q=reader", "250");
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Erase" }).click();
  const dialog = page.getByRole("dialog");
  const erase = dialog.getByRole("button", { name: "Erase 250 people" });
  await expect(erase).toBeDisabled();
  await dialog.getByLabel("Type 250 to be sure").fill("2500");
  await expect(erase).toBeDisabled();
  await dialog.getByLabel("Type 250 to be sure").fill("250");
  await expect(erase).toBeEnabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
});

test("a double click on a person's action acts once", async () => {
  const page = await dashboard.open("editor", { reducedMotion: "no-preference" });
  await page.goto(dashboard.at("/people?q=reader25"));
  await page.locator("tbody tr").first().getByRole("link").click();
  let starts = 0;
  page.on("request", (request) => {
    if (request.url().includes("bulkActions.start")) starts += 1;
  });
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).dblclick();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("1 person restored.")).toBeVisible();
  expect(starts).toBe(1);
});

test("small actions apply without a question and offer an undo, by keyboard too; a rejection changes no row", async () => {
  const page = await dashboard.open("editor");
  await page.goto(dashboard.at("/people?q=reader24"));
  const row = page.locator("tbody tr").first();
  await expect(row).toContainText("Active");
  await row.getByRole("checkbox").check();
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).press("Enter");
  await expect(page.getByText("1 person unsubscribed.")).toBeVisible();
  await expect(row).toContainText("Unsubscribed");
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await expect(page.getByText("1 person restored.")).toBeVisible();
  await expect(row).toContainText("Active");

  // Long after the message has gone, the overview still has the way back.
  await row.getByRole("checkbox").check();
  await bar(page).getByRole("button", { name: "More for these people" }).click();
  await page.getByRole("menuitem", { name: "Unsubscribe" }).click();
  await expect(page.getByText("1 person unsubscribed.")).toBeVisible();
  await page.goto(dashboard.at(""));
  await page
    .getByRole("region", { name: "Recent activity" })
    .getByRole("button", { name: "Undo" })
    .first()
    .click();
  await expect(page.getByText("1 person restored.")).toBeVisible();
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
});
