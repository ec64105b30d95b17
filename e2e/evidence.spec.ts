import { expect, test } from "@playwright/test";
import { dashboardOfFile, linkIn } from "./fixtures/dashboard";
import { outputOf } from "./fixtures/products";

const TOKEN = /confirm(?:\/|%2F)[\w-]{92}/;

const dashboard = dashboardOfFile({ readers: false });

test("staff see the state of a confirmation link but not the link; a confirmation shows its email and IP address", async () => {
  const page = await dashboard.open("owner");
  const answers: Promise<string>[] = [];
  page.on("response", (response) => answers.push(response.text().catch(() => "")));
  const ada = dashboard.email("ada");
  const created = await dashboard.call("POST", "/subscribers", { email: ada, status: "pending" });
  expect(created.status).toBe(201);
  const person = dashboard.at(`/people?person=${(await created.json()).data.id}`);
  const panel = page.getByRole("complementary", { name: "Person" });
  const history = panel.getByRole("listitem");
  const { text } = await dashboard.mail("ada");
  expect(text).toMatch(TOKEN);
  await page.goto(person);
  await expect(panel).toContainText(/Link.*asked .*link expires .*not used/);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Export all data" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Copy confirmation link" })).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export all data" }).click();
  await download;
  await history.getByRole("link", { name: "Confirmation sent" }).click();
  const mail = page.getByRole("complementary", { name: "Email" });
  await mail.getByRole("button", { name: "Plain text" }).click();
  await expect(mail).toContainText("/confirm/hidden");
  await expect(mail.getByRole("button", { name: "Copy link" })).toHaveCount(0);

  const { pathname } = new URL(linkIn({ text }, "confirm"));
  const press = (action: string) =>
    fetch(dashboard.url + pathname, { method: "POST", body: new URLSearchParams({ action }) });
  expect((await press("confirm")).status).toBe(200);
  expect((await press("unsubscribe")).status).toBe(200);
  await page.goto(person);
  await expect(history.nth(0)).toContainText("Unsubscribed by themselves, with the link in an email");
  await expect(history.nth(1)).toContainText(
    new RegExp(
      `Confirmed by themselves.*With the link in the email to ${ada}: “Confirm your subscription to Weekly”.*From 127\\.0\\.0\\.1`,
    ),
  );
  await expect(history.last()).toContainText(/Added by the API key/);
  const texts = await Promise.all(answers);
  expect(texts.some((one) => one.includes("/confirm/hidden"))).toBe(true);
  expect(texts.filter((one) => TOKEN.test(one))).toEqual([]);
  expect(await outputOf("mailed")).not.toMatch(TOKEN);
});
