import { expect, type Page, test } from "@playwright/test";
import { dashboardOfFile } from "./fixtures/dashboard";
import { check, clipboard, commit, openForm, paste } from "./fixtures/import-form";

const dashboard = dashboardOfFile({ readers: false });

async function personOf(email: string) {
  const query = new URLSearchParams({ email, include: "fields,tags" });
  const answer = await dashboard.call("GET", `/subscribers?${query}`);
  return ((await answer.json()) as { data: object[] }).data[0];
}

const columnsOf = (page: Page) => page.getByRole("group", { name: "Columns of the list" });

test("a field is created while mapping a list, a wrong value shows at its line, and the import brings it with the tags", async () => {
  const page = await dashboard.open("editor", clipboard);
  await openForm(page, dashboard);
  const list =
    'Email,Name,Seats at work,Tags\nmapped1@navy.mil,Ada,3,"VIP, new"\nmapped2@navy.mil,Grace,many,\n';
  await paste(page, list);
  await expect(columnsOf(page)).toContainText("Tags");
  await expect(columnsOf(page)).toHaveText(/Ignored:.*Seats at work/);

  await page.getByRole("button", { name: "Column Seats at work: Ignored" }).click();
  await page.getByRole("menuitem", { name: "Define a field for it" }).click();
  const dialog = page.getByRole("dialog", { name: "Define a field" });
  await expect(dialog.getByLabel("Label")).toHaveValue("Seats at work");
  await expect(dialog.getByLabel("Key")).toHaveValue("seats_at_work");
  // One of the two values is no number.
  await expect(dialog.getByLabel("Type")).toHaveValue("text");
  await dialog.getByLabel("Type").selectOption("Number");
  await dialog.getByRole("button", { name: "Define 1 field" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(columnsOf(page)).not.toContainText("Ignored");
  await expect(page.getByText("Seats at work: The value must be a number such as 3 or 3.5.")).toBeVisible();

  await page.getByRole("radio", { name: /^Active/ }).check();
  await check(page, "1 person");
  await commit(page, "1 person");
  await expect
    .poll(() => personOf("mapped1@navy.mil"))
    .toMatchObject({ fields: { seats_at_work: 3 }, tags: ["VIP", "new"] });
});
