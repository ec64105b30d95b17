import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, signIn } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";

const NEW_PASSWORD = "harbour lamp seven ink";

const dashboard = dashboardOfFile({ readers: false });

/** The link in the mail with this subject. */
async function linkOf(name: string, subject: string): Promise<string> {
  const { text } = await dashboard.mail(name, subject);
  return /^http\S+$/m.exec(text ?? "")?.[0] as string;
}

const settings = () => dashboard.at("/settings/you");
const isInside = (page: Page) => expect(page.getByRole("navigation").first()).toBeVisible();

test("a forgotten password is replaced through an emailed link, and all sessions end", async () => {
  const email = dashboard.email("viewer");
  const before = await dashboard.open("viewer");
  await before.goto(settings());
  await isInside(before);

  const page = await dashboard.open("nobody");
  await page.goto(`${dashboard.url}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // Text that is typed before React runs is lost.
  await page.waitForLoadState("networkidle");
  await page.getByLabel("Email").fill(email);
  await checkAccessibility(page);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await expect(page.getByRole("status")).toContainText(`If an account uses ${email}`);

  const link = await linkOf("viewer", "Choose a new Rollcall password");
  // Scanners open links. This changes nothing, and the page does not pass its address on.
  for (let i = 0; i < 2; i++) {
    const answer = await page.goto(link);
    expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
  }
  await expect(page.getByText(email)).toBeVisible();
  await checkAccessibility(page);
  await page.getByLabel("New password").fill("password123");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("This is one of the most common passwords.")).toBeVisible();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("heading", { name: "Password changed" })).toBeVisible();
  await dashboard.mail("viewer", "Your Rollcall password was changed");

  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await before.reload();
  await expect(before).toHaveURL(/\/sign-in/);
  await signIn(page, dashboard.url, email, PASSWORD);
  await expect(page.getByText("Wrong email or password.")).toBeVisible();
  await signIn(page, dashboard.url, email, NEW_PASSWORD);
  await isInside(page);
});

test("a name changes at once, an address when its emailed link is pressed", async () => {
  const [old, email] = [dashboard.email("editor"), dashboard.email("edith")];
  const page = await dashboard.open("editor");
  await page.goto(settings());
  const you = page.getByRole("region", { name: "You" });
  await you.getByLabel("Your name").fill("Edith Clarke");
  await you.getByRole("button", { name: "Change name" }).click();
  await expect(page.getByText("Name changed.")).toBeVisible();
  await you.getByLabel("New address").fill(email);
  await you.getByRole("button", { name: "Change address" }).click();
  await expect(you.getByRole("status")).toContainText(`We sent a link to ${email}.`);

  const link = await linkOf("edith", "Confirm your new address for Rollcall");
  const elsewhere = await dashboard.open("nobody");
  await elsewhere.goto(link);
  await page.reload();
  await expect(page.getByText(old).first()).toBeVisible();
  await checkAccessibility(elsewhere);
  await elsewhere.getByRole("button", { name: "Use this address" }).click();
  await expect(elsewhere.getByRole("heading", { name: "Address changed" })).toBeVisible();
  await dashboard.mail("editor", "Your Rollcall sign-in address was changed");

  await signIn(elsewhere, dashboard.url, email);
  await isInside(elsewhere);
  await page.reload();
  await expect(page.getByText(email).first()).toBeVisible();
  await expect(page.getByText("Edith Clarke").first()).toBeVisible();
});

test("another session can be ended", { tag: "@thorough" }, async () => {
  const page = await dashboard.open("owner");
  await page.goto(settings());
  const ends = page
    .getByRole("region", { name: "You" })
    .getByRole("button", { name: "Sign out", exact: true });
  await expect(page.getByText("this one")).toBeVisible();
  const others = await ends.count();

  const elsewhere = await dashboard.open("nobody");
  await signIn(elsewhere, dashboard.url, dashboard.email("owner"));
  await isInside(elsewhere);
  await page.reload();
  await expect(ends).toHaveCount(others + 1);
  await ends.first().click();
  await expect(ends).toHaveCount(others);
  await elsewhere.goto(settings());
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});
