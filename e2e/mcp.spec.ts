import { expect, type Page, test } from "@playwright/test";
import { connectMcp } from "./contract/mcp-client";
import { dashboardOfFile } from "./fixtures/dashboard";

const dashboard = dashboardOfFile();

async function use(name: string, given: Record<string, unknown>) {
  const client = await connectMcp(dashboard, dashboard.key);
  const told = await client.use(name, given);
  await client.close();
  return told;
}

/** Opens a plan's link. The product names itself by another address than the test does. */
async function openPlan(page: Page, { link }: { link: string }): Promise<void> {
  const { pathname, search } = new URL(link);
  await page.goto(`${dashboard.url}${pathname}${search}`);
}

const total = async () => (await use("count_people", {})).people;

test("staff review an import that was planned over MCP, and commit it or delete it", async () => {
  const planned = ["planned-1", "planned-2"].map((name) => ({ email: dashboard.email(name) }));
  const people = [...planned, { email: dashboard.email("reader1") }, { email: "nobody" }];
  const plan = await use("plan_import", { people, default_status: "active" });
  const before = await total();

  const viewer = await dashboard.open("viewer");
  await openPlan(viewer, plan);
  await expect(viewer.getByText("The list was checked. No people were added.")).toBeVisible();
  await expect(viewer.getByRole("button", { name: /Add|Delete/ })).toHaveCount(0);

  const page = await dashboard.open("editor");
  await openPlan(page, plan);
  const rows = page.getByRole("table", { name: "People in this plan" }).getByRole("row");
  await expect(rows).toHaveText([
    /Line/,
    /1planned-1@.*new, as active/,
    /2planned-2@.*new, as active/,
    /3reader1@.*already on the list, as active/,
    /4.*nobody/,
  ]);
  await expect(page.getByText("2 are added as active, without an email.")).toBeVisible();
  await page.getByLabel("Where did they agree?").fill("Our shop");
  await page.getByRole("button", { name: "Add 2 people" }).click();
  // Staff must state the consent first.
  expect(await total()).toBe(before);
  await page.getByRole("checkbox", { name: /have agreed/ }).check();
  await page.getByRole("button", { name: "Add 2 people" }).click();
  await expect(page.getByRole("region", { name: "Result" })).toContainText("2 new");
  expect(await total()).toBe(before + 2);

  await use("plan_import", { people: [{ email: dashboard.email("planned-3") }] });
  await page.goto(dashboard.at("/imports"));
  await page.getByRole("link", { name: /waits for staff: 1 new/ }).click();
  await page.getByRole("button", { name: "Delete the plan" }).click();
  await expect(page.getByText("No people were added and no emails were sent.")).toBeVisible();
  expect(await total()).toBe(before + 2);
});

test("the link of a bulk action opens its question for exactly the counted people", async () => {
  const page = await dashboard.open("editor");
  const unsubscribing = await use("plan_bulk_action", { action: "unsubscribe", name: "Reader 24" });
  expect(unsubscribing.people).toBe(11);
  await openPlan(page, unsubscribing);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Unsubscribe 11 people" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  // The question does not come back, and the people stay selected.
  await expect(page).not.toHaveURL(/action=/);
  await expect(page.getByRole("region", { name: "Selected people" })).toContainText("11 selected");
  expect((await use("count_people", { status: "unsubscribed" })).people).toBe(0);

  const tagging = { action: "tag", action_tag: "winback", email: dashboard.email("reader24") };
  await openPlan(page, await use("plan_bulk_action", tagging));
  await expect(dialog).toContainText("winback");
  await dialog.getByRole("button", { name: "Add tags to 1 person" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await use("count_people", { tag: "winback" })).people).toBe(1);

  const viewer = await dashboard.open("viewer");
  await openPlan(viewer, unsubscribing);
  await expect(viewer.getByText("Reader 24").first()).toBeVisible();
  await expect(viewer.getByRole("dialog")).toHaveCount(0);
});
