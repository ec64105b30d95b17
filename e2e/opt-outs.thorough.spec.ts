import { expect, test } from "@playwright/test";
import { dashboardOfFile } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";
import { staffAt } from "./fixtures/staff";

const dashboard = dashboardOfFile();

const at = "2024-03-02T09:30:00Z";

test("an import shows unsubscribed rows, the meaning of status words and active people who left elsewhere; a person shows the list's status", async () => {
  const page = await dashboard.open("editor");
  const evidence = { optedInAt: "2024-01-01T10:00:00Z", ip: "1.2.3.4", source: "Footer" };
  const staff = await staffAt(dashboard.url, dashboard.email("editor"), PASSWORD);
  const importId = await staff.addList(
    dashboard.newsletterId,
    [
      { email: "new1@navy.mil", name: "Grace Hopper", evidence },
      { email: "new2@navy.mil" },
      { email: "gone@navy.mil", leaving: { reason: "unsubscribed", at } },
      { email: "bounced@navy.mil", leaving: { reason: "bounced", at: null } },
      { email: dashboard.email("reader1"), leaving: { reason: "complained", at } },
      { email: dashboard.email("reader2") },
    ],
    { answers: { "column:State": { cancelled: "unsubscribed", dead: "bounced" } } },
  );
  await page.goto(dashboard.at(`/imports/${importId}`));
  const person = page.getByRole("complementary", { name: "Person" });
  const report = page.getByRole("region", { name: "Result" });
  await expect(report).toContainText("4 new");
  await expect(report).toContainText("2 were added as unsubscribed, so that no import can add them back.");
  await expect(report).toContainText(
    "1 of them is unsubscribed in this list but still active or pending here",
  );
  const facts = page.getByRole("region", { name: "About this import" });
  await expect(facts).toContainText("Column State: “cancelled” means unsubscribed");
  const still = page.getByRole("region", { name: "Unsubscribed in the list, but still here" });
  await expect(still.getByRole("listitem")).toHaveText(
    `${dashboard.email("reader1")}complained there, 2 Mar 2024 · active here`,
  );

  await report.getByRole("link", { name: "4 new" }).click();
  await expect(page.getByRole("row")).toHaveCount(5);
  await expect(page.getByRole("row", { name: /bounced@navy\.mil/ })).toContainText("Unsubscribed");
  await page.goBack();
  await report.getByRole("link", { name: /check this person/ }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(
    page.getByRole("button", { name: /On the list, but unsubscribed in Import #1/ }),
  ).toBeVisible();
  await page.goBack();
  await still.getByRole("link", { name: dashboard.email("reader1") }).click();
  await expect(person).toContainText(dashboard.email("reader1"));

  await page.goto(dashboard.at("/people?q=new1"));
  await page.getByRole("row", { name: /new1@navy\.mil/ }).click();
  await expect(person).toContainText(
    /The list says: opted in 1 Jan 2024, .* from 1\.2\.3\.4, through “Footer”/,
  );
  await page.goto(dashboard.at("/people?q=bounced"));
  await page.getByRole("row", { name: /bounced@navy\.mil/ }).click();
  await expect(person).toContainText("The list says: bounced");
  await expect(person).not.toContainText("Consent: the fair");
});
