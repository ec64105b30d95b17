import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, linkIn } from "./fixtures/dashboard";

const dashboard = dashboardOfFile({ readers: false });

/** The data of an answer to a call about subscribers. */
async function call(method: string, path: string, body?: object) {
  const answer = await dashboard.call(method, `/subscribers${path}`, body);
  // biome-ignore lint/suspicious/noExplicitAny: read as any program would
  return ((await answer.json()) as any).data;
}

const PHONE = { viewport: { width: 390, height: 760 } };

test("on a phone: opening the link changes nothing, the keyboard unsubscribes once, and resubscribing needs the email's button", async () => {
  const { id } = await call("POST", "", { email: dashboard.email("ada") });
  const { unsubscribe: link } = await call("POST", `/${id}/links`);
  const status = async () => (await call("GET", `/${id}`)).status;
  const page = await dashboard.open("nobody", PHONE);
  for (let i = 0; i < 2; i++) {
    await page.goto(link);
    await expect(page.getByRole("heading")).toHaveText("Weekly");
    await expect(page.getByText(dashboard.email("ada"))).toHaveCount(0);
  }
  await expect(page.getByText("To resubscribe later, open this link again")).toBeVisible();
  await checkAccessibility(page);
  expect(await status()).toBe("active");

  const button = page.getByRole("button", { name: "Unsubscribe" });
  const pressed = await button.boundingBox();
  expect(pressed?.height).toBeGreaterThanOrEqual(44);
  expect((pressed?.x ?? 0) + (pressed?.width ?? 999)).toBeLessThanOrEqual(390);
  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/^You are unsubscribed/);
  // The next button does not stand where the pressed one was: a double click must not ask for a mail.
  const back = page.getByRole("button", { name: "Send me an email to come back" });
  const next = await back.boundingBox();
  expect(next?.y).toBeGreaterThanOrEqual((pressed?.y ?? 999) + (pressed?.height ?? 999));
  expect(await status()).toBe("unsubscribed");

  await page.goto(link);
  await back.click();
  await expect(page.getByText("is on its way to you")).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);
  expect(await status()).toBe("pending");
  await page.goto(linkIn(await dashboard.mail("ada"), "confirm"));
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByText("You’re on the list.")).toBeVisible();
  expect(await status()).toBe("active");
});

test("on a phone people change, download and erase their data through an emailed link", async () => {
  const email = dashboard.email("emmy");
  const page = await dashboard.open("nobody", PHONE);
  const { id } = await call("POST", "", { email });
  const person = () => call("GET", `/${id}`);
  const { unsubscribe: link } = await call("POST", `/${id}/links`);
  await page.goto(link);
  await page.getByRole("button", { name: "Change my details" }).click();
  await expect(page.getByText("An email with your link is on its way")).toBeVisible();
  await page.goto(linkIn(await dashboard.mail("emmy"), "preferences"));
  await checkAccessibility(page);
  await page.getByLabel("Name").fill("Emmy Noether");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect((await person()).name).toBe("Emmy Noether");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download my data" }).click(),
  ]);
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({
    person: { email, name: "Emmy Noether" },
  });
  await page.getByRole("button", { name: "Erase my data" }).click();
  await expect(page.getByRole("heading")).toHaveText("Erase everything?");
  await checkAccessibility(page, "erasing");
  await page.getByRole("button", { name: "Erase everything" }).click();
  await expect(page.getByText("All your data was erased")).toBeVisible();
  expect(await person()).toBeUndefined();
  const answer = await page.goto(link);
  expect(answer?.status()).toBe(410);
  await expect(page.getByText("You are no longer on the list")).toBeVisible();
});
