import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile({ readers: false });

async function add(people: object[]): Promise<void> {
  const answer = await dashboard.call("POST", "/subscribers/bulk", people);
  expect(answer.status).toBe(201);
}

async function openDuplicates(page: Page): Promise<void> {
  await page.goto(dashboard.at("/people"));
  await page.getByRole("button", { name: "More for people" }).click();
  await page.getByRole("menuitem", { name: "Find people listed twice" }).click();
  await expect(page.getByRole("heading", { name: "People listed twice" })).toBeVisible();
}
const group = (page: Page, email: string) => page.getByRole("group", { name: `${email}: whom to keep` });
const row = (page: Page, email: string) => page.getByRole("listitem").filter({ hasText: email });

test("people listed twice are found, another is chosen to keep, they are merged, and an undo brings them back", async () => {
  const page = await dashboard.open("editor");
  await openDuplicates(page);
  await expect(page.getByText("Nobody is listed twice")).toBeVisible();
  await add([
    { email: "hedy.lamarr@gmail.com", status: "active", tags: ["vip"] },
    { email: "hedylamarr+news@gmail.com", status: "active", name: "Hedy Lamarr", tags: ["shop"] },
    { email: "joan@clarke.example", status: "active" },
    { email: "joan+list@clarke.example", status: "pending" },
  ]);

  const viewer = await dashboard.open("viewer");
  await openDuplicates(viewer);
  await expect(row(viewer, "joan+list@clarke.example")).toContainText("Pending");
  await expect(viewer.getByRole("radio")).toHaveCount(0);
  await expect(viewer.getByRole("button", { name: /^Merge/ })).toHaveCount(0);

  await openDuplicates(page);
  await expect(page.getByRole("button", { name: "Merge 4 people into 2 …" })).toBeVisible();
  await checkAccessibility(page);
  const joan = group(page, "joan@clarke.example");
  await expect(joan.getByRole("radio", { name: "joan@clarke.example" })).toBeChecked();
  await joan.getByRole("checkbox").uncheck();
  await group(page, "hedy.lamarr@gmail.com")
    .getByRole("radio", { name: "hedylamarr+news@gmail.com" })
    .check();
  await page.getByRole("button", { name: "Merge 2 people into 1 …" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 person becomes unsubscribed, so that each gets one mail.");
  await expect(dialog).toContainText("Nobody is deleted. You can undo it for 24 hours.");
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Merge 2 people into 1" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Rollcall can't be reached. Check your connection");
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Merge 2 people into 1" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "2 people merged into 1." });
  await expect(toast).toBeVisible();
  await expect(page.getByText("hedy.lamarr@gmail.com")).toHaveCount(0);
  await expect(page.getByText("joan+list@clarke.example")).toBeVisible();

  const looking = await page.context().newPage();
  await looking.goto(dashboard.at("/people?q=lamarr"));
  await expect(looking.getByRole("row").filter({ hasText: "hedy.lamarr" })).toContainText("Unsubscribed");
  await looking.getByRole("link", { name: "hedylamarr+news@gmail.com" }).click();
  const panel = looking
    .getByRole("complementary")
    .or(looking.getByRole("region"))
    .filter({ hasText: "Merged" });
  await expect(panel.first()).toContainText("shop, vip");
  await looking.close();

  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 people as before.")).toBeVisible();
  await expect(page.getByText("hedy.lamarr@gmail.com")).toBeVisible();
});
