import { expect, type Page, test } from "@playwright/test";
import { checkAccessibility } from "./fixtures/accessibility";
import { dashboardOfFile, signIn } from "./fixtures/dashboard";
import { PASSWORD } from "./fixtures/furnished";
import { staffAt } from "./fixtures/staff";

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

test("without scripts, staff sign in, see why a password is rejected, and join by invitation", async () => {
  const page = await dashboard.open("nobody", { javaScriptEnabled: false });
  await page.goto(dashboard.at("/people"));
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeHidden();
  await page.getByLabel("Email").fill(dashboard.email("owner"));
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("Wrong email or password.");
  await expect(page.getByLabel("Email")).toHaveValue(dashboard.email("owner"));
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await expect(password).toHaveAccessibleDescription(/Wrong email or password/);
  await password.fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(dashboard.at("/people"));

  const { trpc } = await staffAt(dashboard.url, dashboard.email("owner"), PASSWORD);
  const { url } = await trpc.account.invite.mutate({
    invitation: { email: dashboard.email("grace"), role: "viewer" },
  });
  const joining = await dashboard.open("nobody", { javaScriptEnabled: false });
  await joining.goto(url);
  await joining.getByLabel("Your name").fill("Grace Hopper");
  await joining.getByLabel("Password").fill("short");
  await joining.getByRole("button", { name: "Join and sign in" }).click();
  await expect(joining.getByLabel("Password")).toHaveAccessibleDescription(/at least 10 characters/);
  await expect(joining.getByLabel("Password")).toBeFocused();
  await joining.getByLabel("Password").fill(NEW_PASSWORD);
  await joining.getByRole("button", { name: "Join and sign in" }).click();
  await expect(joining).toHaveURL(/\/n\//);
});

test("an invited person joins, and a typed password can be shown", async () => {
  const { trpc } = await staffAt(dashboard.url, dashboard.email("owner"), PASSWORD);
  const { url } = await trpc.account.invite.mutate({
    invitation: { email: dashboard.email("hedy"), role: "editor" },
  });
  const page = await dashboard.open("nobody");
  await page.goto(url);
  await page.getByLabel("Your name").fill("Hedy Lamarr");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Show" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Join and sign in" }).click();
  await isInside(page);
  await page.goto(url);
  await expect(page.getByRole("heading", { name: "This invitation no longer works" })).toBeVisible();
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
