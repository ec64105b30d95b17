import { expect, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, linkIn } from "./fixtures/dashboard";

const dashboard = dashboardOfFile({ readers: false });

test("the emailed link on a phone: large buttons, confirmed by keyboard; a second press says so, and unsubscribes", async () => {
  await dashboard.addPending("grace");
  const mail = await dashboard.mail("grace");
  const link = linkIn(mail, "confirm");
  expect(mail.html).toContain(link);

  const phone = { viewport: { width: 390, height: 760 } };
  const page = await dashboard.open("nobody", { ...phone, colorScheme: "dark" });
  const second = await dashboard.open("nobody", { ...phone, javaScriptEnabled: false });
  for (const reader of [page, second]) {
    await reader.goto(link);
    await expect(reader.getByRole("heading")).toHaveText("Weekly");
    await expect(reader.getByText("Not confirmed yet")).toBeVisible();
    await expect(reader.getByText(dashboard.email("grace"))).toBeVisible();
  }
  await checkAccessibility(page);
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(19, 20, 22)");
  for (const button of await page.getByRole("button").all()) {
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
  }
  await page.keyboard.press("Tab");
  const confirm = page.getByRole("button", { name: "Confirm subscription" });
  await expect(confirm).toBeFocused();
  await expect(confirm).toHaveCSS("outline-style", "solid");
  await page.keyboard.press("Enter");
  await expect(page.getByText("You’re on the list.")).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);

  await second.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(second.getByText("You’re already on the list")).toBeVisible();
  await second.goto(link);
  await second.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(second.getByText("You’re off the list.")).toBeVisible();
});
